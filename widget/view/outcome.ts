/** A Call's outcome as keys of the widget's texts. */
import type { Call, CallErrorCode } from '../../shared/call/call.ts';
import { type Outcome, outcomeOf } from '../../shared/call/outcome.ts';
import type { Texts } from '../texts.ts';

type Key = keyof Texts;

const keys: Record<Exclude<Outcome, 'live'>, Key> = {
  answered: 'talked',
  ended: 'ended',
  busy: 'calleeBusy',
  noAnswer: 'calleeNoAnswer',
  declined: 'calleeRefused',
  callerNotReached: 'callerNoAnswer',
  refused: 'refused',
  notPlaced: 'failed',
  mayHaveRung: 'notAnswered',
  unknown: 'unknown',
};

/** These reasons say more than the outcome they belong to. */
const exactReasons = ['callerBusy', 'callerRefused', 'callerFailure', 'calleeUnknown'] as const;

/** The text of a live call's state, or of the outcome. */
export function outcomeText(call: Call): Key {
  const outcome = outcomeOf(call);
  if (outcome === 'live') return call.state as Extract<Key, Call['state']>;
  if (outcome === 'answered' && call.talkSeconds === undefined) return 'ended';
  const exact = outcome === 'noAnswer' || outcome === 'callerNotReached';
  return (exact && exactReasons.find((reason) => reason === call.reason)) || keys[outcome];
}

/** Who ended a call that nothing else kept from going on. */
export const enderOf = ({ state, reason, endedBy }: Call): Key | undefined =>
  state === 'disconnected' && reason === 'hangUp' ? endedBy : undefined;

const advice: Partial<Record<CallErrorCode, Key>> = {
  refusedByProvider: 'checkNumber',
  badRequest: 'checkNumber',
  unreachable: 'unreachable',
};

/** What a person can do about it; undefined where the outcome says it already. */
export function adviceFor(call: Call): Key | undefined {
  const outcome = outcomeOf(call);
  if (outcome === 'mayHaveRung') return 'perhapsPlaced';
  if ((outcome !== 'refused' && outcome !== 'notPlaced') || !call.error) return undefined;
  return advice[call.error.code] ?? 'checkSettings';
}
