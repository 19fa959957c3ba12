/** A Call's state or outcome, as a key of the widget's texts. */
import type { Call, CallErrorCode } from '../../shared/call/call.ts';
import { outcomeOf } from '../../shared/call/outcome.ts';
import type { Texts } from '../texts.ts';

type OutcomeTextKey = keyof Texts;

/** Reasons that say more than the outcome to which they belong. */
const exactReasons = ['callerBusy', 'callerRefused', 'callerFailure', 'calleeUnknown'] as const;

export function outcomeText(call: Call): OutcomeTextKey {
  const outcome = outcomeOf(call);
  if (outcome === 'live') return call.state as Extract<OutcomeTextKey, Call['state']>;
  if (outcome === 'answered' && call.talkSeconds === undefined) return 'ended';
  if (outcome === 'busy') return 'calleeBusy';
  const isExact = outcome === 'noAnswer' || outcome === 'callerNotReached';
  return (isExact && exactReasons.find((reason) => reason === call.reason)) || outcome;
}

/** Who hung up, if a hang-up ended the call. The agent may hang up before the number answers. */
export const enderOf = ({ state, reason, endedBy }: Call): OutcomeTextKey | undefined =>
  state === 'disconnected' && reason === 'hangUp' ? endedBy : undefined;

const advice: Partial<Record<CallErrorCode, OutcomeTextKey>> = {
  refusedByProvider: 'checkNumber',
  badRequest: 'checkNumber',
  unreachable: 'unreachable',
};

/** What a person can do after this outcome; undefined if the outcome already says it. */
export function adviceFor(call: Call): OutcomeTextKey | undefined {
  const outcome = outcomeOf(call);
  if (outcome === 'mayHaveRung') return 'perhapsPlaced';
  if ((outcome !== 'refused' && outcome !== 'notPlaced') || !call.error) return undefined;
  return advice[call.error.code] ?? 'checkSettings';
}
