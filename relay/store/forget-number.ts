/** Deletes every call from or to a number, with its events, in small steps: no notification waits behind them. */
import { type LongerNumber, LongerNumbers } from '../../shared/server/forget-number.ts';
import type { LoggedEntry } from '../log/call-log.ts';
import { isBucketOfNumber } from './belongs-to-number.ts';
import type { Store } from './store.ts';

/** How many calls, or traces of calls, are read in one step. */
const pageSize = 500;
/** How many calls are deleted in one commit. */
const deleteBatch = 20;

export interface NumberToForget {
  /** Calls from or to it. */
  callIds: string[];
  /** The calls' entries that may be in CRMs. */
  entries: { callId: string; entry: LoggedEntry }[];
  /**
   * Each longer number counts once, whether it was dialled with its country code or without. A number that is only on
   * call sheets has 0 calls.
   */
  longerNumbers: LongerNumber[];
}

/** Finds the calls and items of the number. Does not change the store. */
export async function findNumber(
  { maintenance, sheets }: Store,
  forms: readonly string[],
): Promise<NumberToForget> {
  const callIds: string[] = [];
  const found: NumberToForget['entries'] = [];
  const longer = new LongerNumbers(forms);
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { calls, next } = await maintenance.findCallsOfNumber(forms, cursor, pageSize);
    for (const { id, numbers, entries } of calls) {
      callIds.push(id);
      found.push(...entries.map((entry) => ({ callId: id, entry })));
      longer.add(numbers);
    }
    cursor = next;
  }
  for (const { id } of await sheets.list())
    for (let after: number | undefined = 0; after !== undefined; ) {
      const items = await sheets.items(id, after, pageSize);
      for (const { key } of items) if (isBucketOfNumber(key, forms)) longer.add([key.slice(1)], 0);
      after = items.at(-1)?.id;
    }
  return { callIds, entries: found, longerNumbers: longer.joined };
}

/** @returns how many calls were deleted. */
export async function forgetCalls(
  { maintenance }: Store,
  forms: readonly string[],
  callIds: readonly string[],
): Promise<number> {
  let deleted = 0;
  for (let start = 0; start < callIds.length; start += deleteBatch)
    deleted += await maintenance.deleteCalls(callIds.slice(start, start + deleteBatch));
  for (let cursor: string | undefined = ''; cursor !== undefined; )
    cursor = await maintenance.deleteTraces(forms, cursor, pageSize);
  return deleted;
}
