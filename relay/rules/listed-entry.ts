/** Makes an entry of the numbers that must not be called. */
import type { DoNotCallEntry } from '../../shared/protocol/do-not-call.ts';
import { displayOfKey } from '../../shared/rules/callee.ts';
import type { ListedEntry } from '../store/team-rules.ts';

type Given = Pick<DoNotCallEntry, 'by' | 'source' | 'callId'> & {
  until?: string | undefined;
  reason?: string | undefined;
};

/** What a key stands for: one number, or the beginning of many numbers if the key ends with `*`. */
export const nameOfKey = (
  key: string,
  display = displayOfKey(key),
): Pick<DoNotCallEntry, 'number' | 'prefix'> =>
  key.endsWith('*') ? { prefix: display } : { number: display };

export function listedEntry(
  { key, display }: { key: string; display?: string },
  { by, source, callId, until, reason }: Given,
): ListedEntry {
  return {
    key,
    entry: {
      ...nameOfKey(key, display),
      by,
      at: new Date().toISOString(),
      source,
      ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
      ...(reason === undefined ? {} : { reason }),
      ...(callId === undefined ? {} : { callId }),
    },
  };
}
