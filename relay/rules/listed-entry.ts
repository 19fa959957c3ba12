/** Makes an entry of the numbers that must not be called. */
import type { DoNotCallEntry } from '../../shared/protocol/do-not-call.ts';
import type { ListedEntry } from '../store/team-rules.ts';
import type { ListedKey } from './callee.ts';

type Given = Pick<DoNotCallEntry, 'by' | 'source'> & {
  until?: string | undefined;
  reason?: string | undefined;
};

export function listedEntry(
  { key, display }: Extract<ListedKey, { key: string }>,
  { by, source, until, reason }: Given,
  now = new Date(),
): ListedEntry {
  return {
    key,
    entry: {
      ...(key.endsWith('*') ? { prefix: display } : { number: display }),
      by,
      at: now.toISOString(),
      source,
      ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}
