/** Deletes every call from or to a number, with its events, in small steps: no notification waits behind them. */
import type { Store } from './store.ts';

/** Calls read in one step. */
const pageSize = 500;
/** Calls deleted in one commit; each takes a walk over the events of its caller. */
const deleteBatch = 20;

/** @returns how many calls were deleted. */
export async function forgetNumber({ maintenance }: Store, digits: string): Promise<number> {
  let deleted = 0;
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { ids, next } = await maintenance.findCallsOfNumber(digits, cursor, pageSize);
    for (let start = 0; start < ids.length; start += deleteBatch)
      deleted += await maintenance.deleteCalls(ids.slice(start, start + deleteBatch));
    cursor = next;
  }
  return deleted;
}
