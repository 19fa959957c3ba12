import { findNumber, forgetCalls } from '../../relay/store/forget-number.ts';
import type { Store } from '../../relay/store/store.ts';

/** Deletes the calls of a number as `relay -- forget` does. @returns how many. */
export async function forgetNumber(store: Store, digits: string): Promise<number> {
  const { callIds } = await findNumber(store, [digits]);
  return forgetCalls(store, [digits], callIds);
}
