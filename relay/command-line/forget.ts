/** `forget`: deletes every call from or to a number. Counts first, and asks where the digits may be the end of another number. */
import { createInterface } from 'node:readline/promises';
import { maskNumber } from '../../shared/server/log.ts';
import { findNumber, forgetCalls } from '../store/forget-number.ts';
import type { Store } from '../store/store.ts';
import { printNote, printRow } from './print.ts';

const callCount = (calls: number) => `${calls} ${calls === 1 ? 'call' : 'calls'}`;

/** @param isConfirmed whether `--yes` was given. */
export async function forget(store: Store, digits: string, isConfirmed: boolean): Promise<void> {
  const { callIds, longerNumbers } = await findNumber(store, digits);
  if (longerNumbers.length > 1) {
    for (const { digits: longer, calls } of longerNumbers)
      printNote(`${maskNumber(longer)}\t${callCount(calls)}`);
    printNote(
      `${longerNumbers.length} numbers end with these digits; nothing was deleted. Give the number with its country and area code`,
    );
    process.exitCode = 1;
    return;
  }
  const [longer] = longerNumbers;
  if (longer && !isConfirmed) {
    const found = `${callCount(callIds.length)} found, ${longer.calls} of them with a longer number that ends with these digits`;
    if (!process.stdin.isTTY) {
      printNote(`${found}; nothing was deleted. Give the country and area code too, or add --yes`);
      process.exitCode = 1;
      return;
    }
    if (!(await confirm(`${found}. Delete them? [y/N] `))) return;
  }
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

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
