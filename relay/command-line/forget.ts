/**
 * `forget`: deletes every call from or to a number. Counts the calls first, and asks if the digits may be the end of
 * another number.
 */
import { callCount, mayForget } from '../../shared/server/forget-number.ts';
import { printNote, printRow } from '../../shared/server/print.ts';
import { mayRemain } from '../log/call-log.ts';
import { markerOf } from '../log/entry-text.ts';
import { findNumber, forgetCalls, type NumberToForget } from '../store/forget-number.ts';
import type { Store } from '../store/store.ts';

/**
 * @param forms of the number's digits.
 * @param isConfirmed whether `--yes` was given.
 * @returns whether it was carried out.
 */
export async function runForget(
  store: Store,
  forms: readonly string[],
  isConfirmed: boolean,
): Promise<boolean> {
  const { callIds, entries, longerNumbers } = await findNumber(store, forms);
  if (!(await mayForget(callIds.length, longerNumbers, isConfirmed))) return false;
  const remaining = remainingEntries(entries);
  // Printed before the deletion, because afterwards the relay does not know these entries.
  if (remaining.length > 0) printNote('These entries remain in the CRM; delete them there:');
  for (const entry of remaining) printRow(entry);
  process.stdout.write(`${callCount(await forgetCalls(store, forms, callIds))} forgotten\n`);
  return true;
}

/**
 * System, address and marker of each entry that is, or may be, in a CRM: also on records that a call was
 * moved away from.
 */
function remainingEntries(entries: NumberToForget['entries']): [string, string, string][] {
  return entries
    .filter(({ entry }) => mayRemain(entry))
    .map(({ callId, entry: { system, url, record, part } }) => [
      system,
      url ?? record.url,
      markerOf(callId, part),
    ]);
}
