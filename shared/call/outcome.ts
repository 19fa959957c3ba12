/** How a call came out, as one of a closed list. Everything that shows a call maps it to words and signs of its own. */
import { type Call, isFinished } from './call.ts';

export const outcomes = [
  'live',
  'answered',
  'ended', // over, but whether anybody talked is not known
  'busy',
  'noAnswer',
  'declined',
  'callerNotReached', // the agent's own phone rang or was busy; the number was not called
  'refused',
  'notPlaced', // proven: nothing was sent
  'mayHaveRung',
  'unknown',
] as const;
export type Outcome = (typeof outcomes)[number];

type CallReason = NonNullable<Call['reason']>;

const outcomeOfReason: Partial<Record<CallReason, Outcome>> = {
  calleeBusy: 'busy',
  calleeNoAnswer: 'noAnswer',
  calleeUnknown: 'noAnswer',
  calleeRefused: 'declined',
  callerNoAnswer: 'callerNotReached',
  callerBusy: 'callerNotReached',
  callerRefused: 'callerNotReached',
  callerFailure: 'callerNotReached',
  refused: 'refused',
  notSent: 'notPlaced',
  notAnswered: 'mayHaveRung',
};

type Shown = Pick<Call, 'state' | 'reason' | 'talkSeconds' | 'connectedAt' | 'legs'>;

/** Claims only what the call proves: talk time, a reported answer, a reason, or a busy channel. */
export function outcomeOf({ state, reason = 'other', talkSeconds, connectedAt, legs }: Shown): Outcome {
  if (!isFinished({ state })) return 'live';
  const isAnswered = connectedAt !== undefined || (talkSeconds ?? 0) > 0;
  if (state === 'disconnected' && isAnswered) return 'answered';
  const named = outcomeOfReason[reason];
  if (named !== undefined) return named;
  if (state !== 'disconnected') return 'unknown';
  if (talkSeconds === undefined) return 'ended';
  return legs?.some((leg) => leg.state === 'Busy') ? 'busy' : 'noAnswer';
}

/** Whether the number was not called: the service refused the call, or the request was never sent. */
export const wasNotPlaced = (call: Shown): boolean => ['refused', 'notPlaced'].includes(outcomeOf(call));

/** The newest call of a list, newest first. A click whose call was not placed does not count. */
export const lastPlaced = <Item extends { call: Shown }>(newestFirst: readonly Item[]): Item | undefined =>
  newestFirst.find(({ call }) => !wasNotPlaced(call));

/** Whether it is certain that the callee's phone did not ring. */
export const neverRang = (call: Shown): boolean =>
  wasNotPlaced(call) || outcomeOf(call) === 'callerNotReached';
