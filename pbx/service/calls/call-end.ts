/** How a call ended, by what its channels did. */
import type { Party } from '../../../shared/call/call.ts';
import {
  agentPhone,
  type CallEnd,
  type CallProgress,
  calleeChannel,
  type EndReason,
} from './call-channels.ts';

/** The end of a call whose channels have all hung up. */
export function callEndOf(progress: CallProgress, at: number): CallEnd | undefined {
  const ids = Object.keys(progress.channels);
  // If the agent's phone is unregistered or unknown, Asterisk does not make a channel.
  if (ids.length === 0) return progress.originated === 'failed' ? { at, reason: 'callerFailure' } : undefined;
  if (!ids.includes(progress.channelId) || ids.some((id) => !(id in progress.hungUp))) return undefined;
  // If nobody asked for a hang-up, the system ended the call, for example by the time limit of Originate.
  return { at, reason: endReason(progress), endedBy: progress.firstHangup ?? 'system' };
}

/** Q.850 causes; 0 and 19: no answer (Asterisk 16 and 22 differ), 18: no user responding. */
const byCause: Record<Party, Partial<Record<number, EndReason>>> = {
  caller: {
    0: 'callerNoAnswer',
    17: 'callerBusy',
    18: 'callerNoAnswer',
    19: 'callerNoAnswer',
    21: 'callerRefused',
  },
  callee: {
    0: 'calleeNoAnswer',
    1: 'calleeUnknown',
    3: 'calleeUnknown',
    17: 'calleeBusy',
    18: 'calleeNoAnswer',
    19: 'calleeNoAnswer',
    21: 'calleeRefused',
    28: 'calleeUnknown',
  },
};

function endReason(progress: CallProgress): EndReason {
  const { answered, hungUp, firstHangup } = progress;
  const callerCause = hungUp[agentPhone(progress)] ?? 0;
  if (answered.caller === undefined)
    return (
      byCause.caller[callerCause] ??
      (progress.originated === 'noAnswer'
        ? 'callerNoAnswer'
        : callerCause === 16
          ? 'hangUp'
          : 'callerFailure')
    );
  if (answered.callee !== undefined || firstHangup === 'caller') return 'hangUp';
  const callee = calleeChannel(progress);
  // Without a dial, only a cause that the dialplan set on the caller's channel says something about the callee.
  if (callee === undefined && callerCause === 0) return 'hangUp';
  return byCause.callee[callee === undefined ? callerCause : hungUp[callee]!] ?? 'hangUp';
}

/** `billsec`: whole seconds from the callee's answer to the end; 0 only without an answer. */
export function talkSeconds({ answered, end }: CallProgress): number {
  if (answered.caller === undefined || answered.callee === undefined || !end) return 0;
  return Math.max(1, Math.round((end.at - answered.callee) / 1000));
}
