/** Deletes every call from or to a number, with its events, in small steps: no notification waits behind them. */
import { withoutLeadingZeros } from './belongs-to-number.ts';
import type { Store } from './store.ts';

/** Calls read in one step. */
const pageSize = 500;
/** Calls deleted in one commit. */
const deleteBatch = 20;

export interface NumberToForget {
  /** Calls from or to it. */
  callIds: string[];
  /**
   * Longer numbers that end with the digits, with how many calls each has: perhaps other people's. A number is counted once,
   * whether it was dialled with its country code or without.
   */
  longerNumbers: { digits: string; calls: number }[];
}

/** Changes nothing. */
export async function findNumber({ maintenance }: Store, digits: string): Promise<NumberToForget> {
  const callIds: string[] = [];
  const counts = new Map<string, number>();
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { calls, next } = await maintenance.findCallsOfNumber(digits, cursor, pageSize);
    for (const { id, numbers } of calls) {
      callIds.push(id);
      for (const number of numbers.map(withoutLeadingZeros))
        if (number.length > withoutLeadingZeros(digits).length)
          counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    cursor = next;
  }
  return { callIds, longerNumbers: joinedByEnd(counts) };
}

/** @returns how many calls were deleted. */
export async function forgetCalls(
  { maintenance }: Store,
  digits: string,
  callIds: readonly string[],
): Promise<number> {
  let deleted = 0;
  for (let start = 0; start < callIds.length; start += deleteBatch)
    deleted += await maintenance.deleteCalls(callIds.slice(start, start + deleteBatch));
  await maintenance.deleteTraces(digits);
  return deleted;
}

/** `4833224455` and `554833224455` are one number, written as the longer one. */
function joinedByEnd(counts: ReadonlyMap<string, number>): NumberToForget['longerNumbers'] {
  const joined: NumberToForget['longerNumbers'] = [];
  for (const [digits, calls] of [...counts].sort(([a], [b]) => b.length - a.length)) {
    const known = joined.find((each) => each.digits.endsWith(digits));
    if (known) known.calls += calls;
    else joined.push({ digits, calls });
  }
  return joined;
}
