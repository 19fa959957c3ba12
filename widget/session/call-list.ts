/** The calls that a widget knows, newest first. An update may arrive twice or late, so the highest revision is kept. */
import { type Call, isFinished } from '../../shared/call/call.ts';

/** The most calls that a widget keeps: enough for a day. It limits the memory of a page that stays open. */
export const maxKeptCalls = 30;

/**
 * @returns the same array if the known call is as new or newer. Also if the list is full and the call is older than all
 * kept calls.
 */
export function withCall(calls: readonly Call[], call: Call): readonly Call[] {
  const known = calls.find(({ id }) => id === call.id);
  if (known && known.revision >= call.revision) return calls;
  // Of calls with the same time, the last one that arrived comes first.
  const sorted = [call, ...calls.filter((other) => other !== known)]
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0))
    .slice(0, maxKeptCalls);
  return sorted.includes(call) ? sorted : calls;
}

export function isLive(call: Call): boolean {
  return !isFinished(call);
}
