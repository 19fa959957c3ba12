/**
 * Finds records for a call that was not placed from a record: people with its number in the directory. CRMs are not
 * asked to search by a number, since each compares numbers as they are written.
 */
import type { RecordCandidate } from '../../shared/protocol/messages.ts';
import { dialledNumbers } from '../directory/dialled-numbers.ts';
import type { RelayContext } from '../relay-context.ts';
import { homeOf } from '../rules/rules-file.ts';
import { recordLink } from './record-link.ts';

type Context = Pick<RelayContext, 'directory' | 'settings' | 'rules' | 'connections'>;

/**
 * @param to digits as the provider gets them.
 * @param team of the caller.
 * @returns records that take an entry; undefined if no CRM is set both as a source of names and for entries.
 */
export async function recordCandidates(
  to: string,
  team: string | undefined,
  { directory, settings, rules, connections }: Context,
): Promise<RecordCandidate[] | undefined> {
  const isReadable = directory?.sources.some(({ settings: { name } }) => connections.has(name));
  if (!directory || !isReadable) return undefined;
  const ruled = rules.of(team);
  const numbers = dialledNumbers(to, { ...settings, ...homeOf(settings, ruled) });
  const people = await directory.recordsOf(numbers, team);
  return people.flatMap(({ source, record = '', name, organisation }) => {
    const [kind = '', id = ''] = record.split('/');
    const linked =
      connections.has(source) && recordLink({ system: source, kind, id }, ruled.templates, settings);
    return linked ? [{ record: linked, name, ...(organisation ? { organisation } : {}) }] : [];
  });
}
