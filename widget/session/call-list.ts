/** The calls a widget knows, newest first; facts about them come twice and late, so the highest revision stands. */
import type { Call } from '../../shared/call/call.ts';

/** What is kept: enough for a day's glance, and a bound on memory however long the page stays open. */
export const keptCalls = 30;

/** @returns the very same array when the call tells nothing new. */
export function withCall(calls: readonly Call[], call: Call): readonly Call[] {
  const known = calls.find(({ id }) => id === call.id);
  if (known && known.revision >= call.revision) return calls;
  const others = known ? calls.filter((other) => other !== known) : calls;
  // Equal times keep the order of arrival, the later one first.
  const at = others.findIndex(({ createdAt }) => createdAt <= call.createdAt);
  const place = at < 0 ? others.length : at;
  if (place >= keptCalls) return calls;
  return [...others.slice(0, place), call, ...others.slice(place)].slice(0, keptCalls);
}

/** True while the end is still to come. */
export function isLive(call: Call): boolean {
  return call.state === 'initiating' || call.state === 'callingCaller';
}
