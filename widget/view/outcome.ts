/** A Call's outcome as keys of texts: never more than is known. */
import type { Call, CallErrorCode } from '../../shared/call/call.ts';
import type { Texts } from '../texts.ts';

type Key = keyof Texts;

const isCalleeReason = (reason: string): reason is 'calleeBusy' => /^callee(Bu|No|Re|Un)/.test(reason);
const isCallerReason = (reason: string): reason is 'callerBusy' => /^caller/.test(reason);

export function outcomeOf({ state, reason, talkSeconds, connectedAt }: Call): Key {
  if (state === 'failed') return reason && isCallerReason(reason) ? reason : state;
  if (state === 'unknown') return reason === 'notAnswered' ? reason : state;
  if (state !== 'disconnected') return state;
  if (reason && isCalleeReason(reason)) return reason;
  if (talkSeconds === undefined) return 'ended';
  return talkSeconds > 0 || connectedAt ? 'talked' : 'noTalk';
}

/** Who ended a call that nothing else kept from going on. */
export const enderOf = ({ state, reason, endedBy }: Call): Key | undefined =>
  state === 'disconnected' && reason === 'hangUp' ? endedBy : undefined;

const advice: Partial<Record<CallErrorCode, Key>> = {
  refusedByProvider: 'checkNumber',
  badRequest: 'checkNumber',
  unreachable: 'unreachable',
};

/** What a person can do about it; none for a lost call, whose outcome says it. */
export function adviceFor({ state, reason, error }: Call): Key | undefined {
  if (reason === 'notAnswered') return 'perhapsPlaced';
  if (state !== 'failed' || (reason && isCallerReason(reason)) || !error) return undefined;
  return advice[error.code] ?? 'checkSettings';
}
