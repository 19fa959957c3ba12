/** `forget`: deletes every call from or to a number. Counts first, and asks where the digits may be the end of another number. */
import { callCount, mayForget } from '../../shared/server/forget-number.ts';
import { findNumber, forgetCalls } from '../store/forget-number.ts';
import type { Store } from '../store/store.ts';
import { printNote, printRow } from './print.ts';

/** @param isConfirmed whether `--yes` was given. */
export async function forget(store: Store, digits: string, isConfirmed: boolean): Promise<void> {
  const { callIds, longerNumbers } = await findNumber(store, digits);
  if (!(await mayForget(callIds.length, longerNumbers, isConfirmed))) return;
  const remaining = await entriesOf(store, callIds);
  process.stdout.write(`${callCount(await forgetCalls(store, digits, callIds))} forgotten\n`);
  if (remaining.length > 0) printNote('These entries remain in the CRM; delete them there:');
  for (const entry of remaining) printRow(entry);
}

/** @returns system and address of each call's entry that is, or may be, in a CRM. */
async function entriesOf({ calls }: Store, callIds: readonly string[]): Promise<[string, string][]> {
  const remaining: [string, string][] = [];
  for (const id of callIds) {
    const { entry, record } = (await calls.find(id))?.call ?? {};
    const address = entry?.url ?? record?.url;
    if (!entry || address === undefined) continue;
    if (entry.url !== undefined || ['done', 'sending', 'unsure'].includes(entry.state))
      remaining.push([entry.system, address]);
  }
  return remaining;
}
