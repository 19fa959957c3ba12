/** A call as pages and the chip show it, with one sentence: what is known, what is not, and what to do. */
import type { Call } from '../../../shared/call/call.ts';
import { type Outcome, outcomeOf } from '../../../shared/call/outcome.ts';
import { defaultTimeoutSeconds } from '../../../shared/service/request.ts';
import { clock } from '../../clock.ts';
import type { ChipCall, HistoryEntry } from '../../messages/views.ts';
import { isTextKey, text } from '../../text.ts';
import { canWrapUp } from './after-call.ts';
import type { CallRecord } from './call-record.ts';

export function sentenceOf(record: CallRecord): string {
  const { failure } = record;
  if (failure) return text(`error_${failure.code}`, failure.detail ?? '');
  return sentences[outcomeOf(record.call)](record);
}

const sentences: Record<Outcome, (record: CallRecord) => string> = {
  live: whileLive,
  answered: afterEnd,
  ended: afterEnd,
  busy: ({ display }) => text('state_reason_calleeBusy', display),
  noAnswer: withoutAnswer,
  declined: ({ display }) => text('state_reason_calleeRefused', display),
  callerNotReached: (record) =>
    reasonText(record) ?? text('state_failed_callerNoAnswer', ringSeconds(record)),
  refused: ({ call }) =>
    callErrorText(call) ?? text('state_error_refusedByProvider', call.error?.message ?? ''),
  notPlaced: withoutSending,
  mayHaveRung,
  unknown: withUnknownEnd,
};

function whileLive(record: CallRecord): string {
  const { state, from, canHangUp } = record.call;
  if (state === 'initiating') return text('state_initiating');
  if (state === 'callingCallee') return text('state_callingCallee', record.display);
  if (state === 'connected') return text('state_connected');
  if (record.followed === 'none') return text('state_callingCaller_notFollowed', from);
  // A service that cannot hang up does not report answers either. So the two people may already be talking.
  return text(canHangUp ? 'state_callingCaller' : 'state_callingCaller_endOnly', from);
}

function afterEnd({ call: { talkSeconds, endedBy } }: CallRecord): string {
  const sentence =
    talkSeconds === undefined
      ? text('state_disconnected_unknownTalk')
      : text('state_disconnected', clock(talkSeconds));
  return endedBy === undefined ? sentence : `${sentence} ${text(`state_endedBy_${endedBy}`)}`;
}

function withoutAnswer(record: CallRecord): string {
  const { call, display } = record;
  const reason = reasonText(record);
  if (reason !== undefined) return reason;
  return call.endedBy === 'caller'
    ? text('state_disconnected_gaveUp', display)
    : text('state_disconnected_noTalk');
}

function withoutSending({ call }: CallRecord): string {
  if (call.error?.code === 'interrupted') return text('state_error_interruptedBeforeSending');
  return callErrorText(call) ?? text('state_failed_notSent', call.error?.message ?? '');
}

function mayHaveRung({ call, followed, relayRevision }: CallRecord): string {
  const isUnconfirmed = followed === 'relay' && relayRevision === undefined;
  // If the relay never confirmed the call, our error does not prove that nothing rang.
  if (isUnconfirmed && call.error?.code !== 'interrupted') return text('state_unknown_relayNotConfirmed');
  return callErrorText(call) ?? text('state_error_noAnswerInTime');
}

function withUnknownEnd({ call, followed }: CallRecord): string {
  const sentence = callErrorText(call);
  if (sentence !== undefined) return sentence;
  if (call.state === 'failed') return text('state_failed_other');
  return text(followed === 'none' ? 'state_unknown_notFollowed' : 'state_unknown_other');
}

function reasonText({ call: { reason }, display }: CallRecord): string | undefined {
  const key = `state_reason_${reason}`;
  return isTextKey(key) ? text(key, display) : undefined;
}

function callErrorText({ error }: Call): string | undefined {
  const key = `state_error_${error?.code}`;
  return isTextKey(key) ? text(key, error?.message ?? '') : undefined;
}

/** Seconds in which the caller may answer. */
export function ringSeconds(record: CallRecord): number {
  return record.request.timeout ?? defaultTimeoutSeconds;
}

/**
 * The sentence for the page's chip. It leaves out the service's own message, which the agent may not understand. Only
 * our own pages quote it.
 */
function sentenceInPage(record: CallRecord): string {
  const { failure, call } = record;
  const outcome = outcomeOf(call);
  if (!failure && outcome === 'refused' && call.error?.code === 'refusedByProvider')
    return text('state_refusedInPage');
  if (!failure && outcome === 'notPlaced' && !callErrorText(call)) return text('content_failed');
  return sentenceOf(record);
}

/** True where the call is over and the agent has nothing to do about it. */
function isDone({ call, failure, followed }: CallRecord): boolean {
  const outcome = outcomeOf(call);
  if (failure) return false;
  if (outcome === 'unknown') return followed === 'none' && !call.error;
  return passingOutcomes.has(outcome);
}
const passingOutcomes: ReadonlySet<Outcome> = new Set(['answered', 'ended', 'busy', 'noAnswer', 'declined']);

/** What the page's chip may show. */
export function toChipCall(record: CallRecord): ChipCall {
  const { call } = record;
  return {
    id: record.id,
    display: record.display,
    state: call.state,
    sentence: sentenceInPage(record),
    ...(isDone(record) && { isDone: true }),
    createdAt: call.createdAt,
    changedAt: record.changedAt,
    ...(call.state === 'connected' && { connectedAt: call.connectedAt }),
    canHangUp: call.canHangUp,
    ...(canWrapUp(record) && { canWrapUp: true }),
  };
}

/** Whether the agent chose to have no record, before the call or after it. */
export const isNotLogged = ({ call, record, removedRecord }: CallRecord): boolean =>
  !call.record && (record === null || removedRecord !== undefined);

export function toHistoryEntry(record: CallRecord): HistoryEntry {
  return {
    id: record.id,
    call: record.call,
    display: record.display,
    name: record.call.name ?? record.name,
    extension: record.extension,
    note: record.note,
    ...(canWrapUp(record) && { hasWrapUp: true }),
    // If the record was removed in another browser, the former record is that of the click.
    ...(!record.call.record && { formerRecord: record.removedRecord ?? record.record ?? undefined }),
    isNotLogged: isNotLogged(record),
    followed: record.followed,
    failure: record.failure?.code,
    sentence: sentenceOf(record),
  };
}
