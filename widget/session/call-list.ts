/** The calls that a widget knows, newest first; updates come twice and late, so the highest revision counts. */
import { type Call, isFinished } from '../../shared/call/call.ts';

/** Enough for a day, and a bound on memory however long the page stays open. */
export const maxKeptCalls = 30;

/** @returns the same array when the call is no newer than what is known, or older than all that is kept. */
export function withCall(calls: readonly Call[], call: Call): readonly Call[] {
  const known = calls.find(({ id }) => id === call.id);
  if (known && known.revision >= call.revision) return calls;
  // Among calls of the same time, the last to arrive comes first.
  const sorted = [call, ...calls.filter((other) => other !== known)]
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0))
    .slice(0, maxKeptCalls);
  return sorted.includes(call) ? sorted : calls;
}

export function isLive(call: Call): boolean {
  return !isFinished(call);
}
