/** A Call's outcome as keys of texts: never more than is known (design 2: no part claims `connected`). */
import type { Call, CallErrorCode } from '../../shared/call/call.ts';
import type { Texts } from '../texts.ts';

type Key = keyof Texts;

const outcomes: Record<Call['state'], (call: Call) => Key> = {
  initiating: () => 'initiating',
  callingCaller: () => 'callingCaller',
  disconnected: ({ talkSeconds }) =>
    talkSeconds === undefined ? 'ended' : talkSeconds > 0 ? 'talked' : 'noTalk',
  failed: ({ reason }) => (reason === 'callerNoAnswer' ? reason : 'failed'),
  unknown: ({ reason }) => (reason === 'notAnswered' ? reason : 'unknown'),
};

export const outcomeOf = (call: Call): Key => outcomes[call.state](call);

const advice: Partial<Record<CallErrorCode, Key>> = {
  refusedByProvider: 'checkNumber',
  badRequest: 'checkNumber',
  unreachable: 'unreachable',
};

/** What a person can do about it; none for a lost call, whose outcome says it. */
export function adviceFor({ state, reason, error }: Call): Key | undefined {
  if (reason === 'notAnswered') return 'perhapsPlaced';
  if (state !== 'failed' || reason === 'callerNoAnswer' || !error) return undefined;
  return advice[error.code] ?? 'checkSettings';
}
