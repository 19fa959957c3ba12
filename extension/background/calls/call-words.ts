/** A call as pages and the chip show it, with one sentence: what is known, what is not, and what to do. */
import { isFinished } from '../../../shared/call/call.ts';
import { defaultTimeoutSeconds } from '../../../shared/service/request.ts';
import { clock } from '../../clock.ts';
import type { ChipCall, HistoryEntry } from '../../messages/views.ts';
import { isTextKey, text } from '../../text.ts';
import type { CallRecord } from './call-record.ts';

export function sentenceOf(record: CallRecord): string {
  if (record.failure) return text(`error_${record.failure.code}`, record.failure.detail ?? '');
  const { call } = record;
  if (call.state === 'initiating') return text('state_initiating');
  if (call.state === 'callingCaller') return ringing(record);
  if (call.state === 'callingCallee') return text('state_callingCallee', record.display);
  if (call.state === 'connected') return text('state_connected');
  const reasonKey = `state_reason_${call.reason}`;
  if (isFinished(call) && isTextKey(reasonKey)) return text(reasonKey, record.display);
  if (call.state === 'disconnected') return ended(record);
  if (call.state === 'failed' && call.reason === 'callerNoAnswer')
    return text('state_failed_callerNoAnswer', ringSeconds(record));
  if (call.error?.code === 'interrupted' && call.reason === 'notSent')
    return text('state_error_interruptedBeforeSending');
  // It never confirmed the call: after that, its own words for what went wrong would not be proof.
  if (call.reason === 'notAnswered' && call.error?.code !== 'interrupted' && isUnconfirmedByRelay(record))
    return text('state_unknown_relayNotConfirmed');
  if (call.error) {
    const key = `state_error_${call.error.code}`;
    if (isTextKey(key)) return text(key, call.error.message);
  }
  if (call.state === 'unknown' && record.followed === 'none' && call.reason === 'other')
    return text('state_unknown_notFollowed');
  const key = `state_${call.state}_${call.reason ?? 'other'}`;
  return isTextKey(key) ? text(key, call.error?.message ?? '') : text('state_failed_other');
}

function isUnconfirmedByRelay({ followed, relayRevision }: CallRecord): boolean {
  return followed === 'relay' && relayRevision === undefined;
}

function ringing(record: CallRecord): string {
  const { from, acceptedAt, createdAt } = record.call;
  if (record.followed === 'none') return text('state_callingCaller_notFollowed', from);
  const since = (Date.now() - Date.parse(acceptedAt ?? createdAt)) / 1000;
  return text(since > ringSeconds(record) ? 'state_callingCaller_longer' : 'state_callingCaller', from);
}

/** Answered only where talk time or the service says so. */
function ended({ call, display }: CallRecord): string {
  const { talkSeconds, connectedAt, endedBy } = call;
  const isAnswered = (talkSeconds ?? 0) > 0 || connectedAt !== undefined;
  if (!isAnswered && endedBy === 'caller') return text('state_disconnected_gaveUp', display);
  if (!isAnswered && talkSeconds === 0) return text('state_disconnected_noTalk');
  const sentence =
    talkSeconds === undefined
      ? text('state_disconnected_unknownTalk')
      : text('state_disconnected', clock(talkSeconds));
  return endedBy === undefined ? sentence : `${sentence} ${text(`state_endedBy_${endedBy}`)}`;
}

/** Seconds in which the caller may answer. */
export function ringSeconds(record: CallRecord): number {
  return record.request.timeout ?? defaultTimeoutSeconds;
}

/** What the page's chip may show. */
export function toChipCall(record: CallRecord): ChipCall {
  const { call } = record;
  return {
    id: record.id,
    display: record.display,
    state: call.state,
    sentence: sentenceOf(record),
    talkSeconds: call.talkSeconds,
    createdAt: call.createdAt,
    changedAt: record.changedAt,
    ...(call.state === 'connected' && { connectedAt: call.connectedAt }),
    canHangUp: call.canHangUp,
  };
}

export function toHistoryEntry(record: CallRecord): HistoryEntry {
  return {
    id: record.id,
    call: record.call,
    display: record.display,
    country: record.country,
    extension: record.extension,
    note: record.note,
    followed: record.followed,
    sentence: sentenceOf(record),
  };
}
