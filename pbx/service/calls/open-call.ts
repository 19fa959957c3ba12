/** What is kept in memory of a call whose end is not known yet. */
import { secondMs } from '../../../shared/durations.ts';
import type { StoredCall } from '../store/schema.ts';

export interface OpenCall {
  call: StoredCall;
  /** The start, in the milliseconds of `elapsed`. */
  startedAt: number;
  /** Originate is not answered yet. */
  isPlacing: boolean;
  /** Events may have been missed. This is true until the call is compared with Asterisk's channels. */
  isStale: boolean;
  /** The call is to be hung up as soon as its channel exists. */
  isUnwanted: boolean;
  /** Since when Asterisk lists none of its channels, in the milliseconds of `elapsed`, though it reported no end. */
  goneSince?: number | undefined;
}

/** The event of a hang-up may come this much later than the channel leaves Asterisk's list. */
const maxEventDelayMs = 30 * secondMs;

/**
 * Keeps since when Asterisk lists none of the call's channels.
 * @param elapsed milliseconds of a monotonic clock.
 * @returns whether this lasts longer than the event of a hang-up may take.
 */
export function hasLeft(open: OpenCall, isListed: boolean, elapsed: number): boolean {
  open.goneSince = isListed ? undefined : (open.goneSince ?? elapsed);
  return open.goneSince !== undefined && elapsed - open.goneSince >= maxEventDelayMs;
}

/** Whether Asterisk has not reported a channel of the call yet. */
export function isUnseen({ call }: OpenCall): boolean {
  return Object.keys(call.progress.channels).length === 0;
}
