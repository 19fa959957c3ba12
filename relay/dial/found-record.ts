import type { PlaceCallRequest } from '../../shared/protocol/messages.ts';
import type { Principal } from '../access/principal.ts';
import { recordCandidates } from '../log/record-candidates.ts';
import type { RelayContext } from '../relay-context.ts';
import type { PlaceCallCommand } from './call-placer.ts';

/**
 * Finds the record for an agent's call without one, if exactly one record fits.
 * @returns undefined if records are not looked for, or cannot be looked up.
 */
export async function foundRecord(
  wanted: PlaceCallRequest['record'],
  to: string,
  { kind, team }: Principal,
  relay: RelayContext,
): Promise<PlaceCallCommand['found']> {
  if (wanted && 'choose' in wanted) return { lacksRecord: wanted.choose };
  if (wanted || kind === 'ticket') return undefined;
  const candidates = await recordCandidates(to, team, relay).catch((error: Error) =>
    relay.log.error({ error: error.message }, 'records could not be looked up'),
  );
  if (!candidates) return undefined;
  const [only, ...others] = candidates;
  if (!only) return { lacksRecord: 'noRecord' };
  return others.length > 0 ? { lacksRecord: 'severalRecords' } : { record: only.record };
}
