/**
 * Computes the state of one call from AMI's events, without side effects. The order of related events does not change
 * the result. We choose the unique id of the caller's channel. Every other channel has it as its linked id. The callee
 * may have several channels, for example one for each trunk that is tried.
 */
import type { Party } from '../../../shared/call/call.ts';
import type { AmiPacket } from '../ami/ami-packets.ts';
import { type CallProgress, calleeChannel, callflowEntry, isLocal, partyOf } from './call-channels.ts';
import { callEndOf } from './call-end.ts';

export function newProgress(channelId: string, actionId: string): CallProgress {
  return { channelId, actionId, channels: {}, ringing: {}, answered: {}, hungUp: {} };
}

/** Whether this event, or a line of the list of channels, is about this call. */
export function concerns(event: AmiPacket, progress: CallProgress): boolean {
  if (event.Event === 'OriginateResponse') return event.ActionID === progress.actionId;
  return linkedId(event) === progress.channelId || hasChannel(progress, event);
}

/** The linked id of the channels that an event is about. */
export const linkedId = (event: AmiPacket): string | undefined =>
  event.Linkedid ??
  event.LocalOneLinkedid ??
  event.TransfererLinkedid ??
  event.OrigTransfererLinkedid ??
  event.DestLinkedid;

/** The fields that name the channels of an event. A transfer may join two calls of an agent, each with its channel. */
const uniqueIds = [
  'Uniqueid',
  'TransfererUniqueid',
  'OrigTransfererUniqueid',
  'SecondTransfererUniqueid',
] as const;

/**
 * Whether the event is about one of the call's channels. After a transfer, a channel may have another call's linked id.
 */
export function hasChannel({ channels, channelId }: CallProgress, event: AmiPacket): boolean {
  return uniqueIds.some((name) => {
    const id = event[name];
    return id !== undefined && (id === channelId || Object.hasOwn(channels, id));
  });
}

/**
 * @param now time of arrival. It is used if the event is without Asterisk's `Timestamp`.
 * @returns the progress after the event; the same object where nothing changed.
 */
export function advance(progress: CallProgress, event: AmiPacket, now: number): CallProgress {
  if (progress.end || !concerns(event, progress)) return progress;
  const change = changes[event.Event ?? ''];
  if (!change) return progress;
  const at = timestampOf(event) ?? now;
  const next = structuredClone(progress);
  change(next, event, at);
  const end = callEndOf(next, at);
  if (end) next.end = end;
  return next;
}

type ProgressChange = (progress: CallProgress, event: AmiPacket, at: number) => void;

const changes: Record<string, ProgressChange> = {
  Newchannel: (progress, event) => {
    progress.channels[event.Uniqueid ?? ''] = callflowEntry(event);
  },
  Newstate: (progress, event, at) => {
    const id = event.Uniqueid ?? '';
    progress.channels[id] = callflowEntry(event);
    const party = partyOf(progress, id);
    if (event.ChannelStateDesc === 'Ringing' || event.ChannelStateDesc === 'Up')
      progress.ringing[party] ??= at;
    if (event.ChannelStateDesc !== 'Up') return;
    // The callee has answered. So an earlier trunk that failed did not end the call.
    if (party === 'callee' && !progress.answered.callee && progress.firstHangup === 'callee')
      delete progress.firstHangup;
    progress.answered[party] ??= at;
  },
  LocalBridge: (progress, { LocalOneUniqueid = '', LocalTwoUniqueid = '' }) => {
    progress.behind = { ...progress.behind, [LocalTwoUniqueid]: LocalOneUniqueid };
  },
  DialBegin: (progress, { Uniqueid = '', DestUniqueid = '' }) => {
    // Not for the caller's own channel: the one that it dials is the callee.
    if (Uniqueid !== '' && Uniqueid !== progress.channelId)
      progress.behind = { ...progress.behind, [DestUniqueid]: Uniqueid };
  },
  DialEnd: (progress, { DestUniqueid, Forward }) => {
    // The agent's phone forwards the call. Asterisk then uses channels that are not linked to this call.
    if (Forward && DestUniqueid === progress.channelId) progress.isIncomplete = true;
  },
  HangupRequest: (progress, event) => noteHangup(progress, event, partyOf(progress, event.Uniqueid ?? '')),
  SoftHangupRequest: (progress, event) => noteHangup(progress, event, 'system'),
  BlindTransfer: noteTransfer,
  AttendedTransfer: noteTransfer,
  Hangup: (progress, event) => {
    const id = event.Uniqueid ?? '';
    progress.channels[id] ??= callflowEntry(event);
    progress.hungUp[id] ??= Number(event.Cause ?? 0);
  },
  OriginateResponse: (progress, event) => {
    progress.originated =
      event.Response === 'Success' ? 'answered' : event.Reason === '3' ? 'noAnswer' : 'failed';
  },
  VarSet: (progress, event) => {
    const { recordingFile: before, earlierRecordings = [] } = progress;
    if (event.Variable !== 'MIXMONITOR_FILENAME' || !event.Value || event.Value === before) return;
    if (before) progress.earlierRecordings = [...earlierRecordings, before];
    progress.recordingFile = event.Value;
  },
};

function noteHangup(progress: CallProgress, event: AmiPacket, by: Party | 'system'): void {
  const { Uniqueid: id = '' } = event;
  const { channels, firstHangup, hungUp, leaving = [] } = progress;
  if (!endsTalk(progress, event) || leaving.includes(id)) return;
  // While two or more phones are in the call, a later hang-up replaces the callee's earlier one. The earlier phone had
  // refused, or was only consulted.
  const goesOn = (each: string) => !(each in hungUp) && !leaving.includes(each);
  const phones = Object.keys(channels).filter((each) => !isLocal(channels[each]!.channel) && goesOn(each));
  if (!firstHangup || (firstHangup === 'callee' && phones.length > 1)) progress.firstHangup = by;
  progress.leaving = [...leaving, id];
}

/** After a transfer the others go on talking. So earlier hang-up requests did not end the call. */
function noteTransfer(progress: CallProgress, event: AmiPacket): void {
  if (event.Result !== 'Success') return;
  const ids = [event.TransfererUniqueid, event.OrigTransfererUniqueid, event.SecondTransfererUniqueid];
  progress.transferers = [...(progress.transferers ?? []), ...ids.filter((id) => id !== undefined)];
  delete progress.firstHangup;
}

/**
 * Continues to follow a call after a time without events.
 * @param live the entries of Asterisk's list of channels (`Status`) that belong to this call.
 */
export function resume(progress: CallProgress, live: readonly AmiPacket[], now: number): CallProgress {
  const next = structuredClone(live.reduce((state, status) => adopt(state, status, now), progress));
  const ids = new Set(live.map(({ Uniqueid }) => Uniqueid));
  const isGone = (id: string) => !ids.has(id) && !(id in next.hungUp);
  const gone = [...new Set([next.channelId, ...Object.keys(next.channels)])].filter(isGone);
  for (const id of gone) {
    next.channels[id] ??= callflowEntry({ Uniqueid: id, Linkedid: next.channelId });
    next.hungUp[id] = 0;
  }
  // A callee's channel may have begun and ended in the meantime.
  const isCalleeMissing = next.answered.caller !== undefined && calleeChannel(next) === undefined;
  if (gone.length > 0 || isCalleeMissing) next.isIncomplete = true;
  return next;
}

function adopt(progress: CallProgress, status: AmiPacket, now: number): CallProgress {
  const seen = advance(progress, { ...status, Event: 'Newchannel' }, now);
  return advance(seen, { ...status, Event: 'Newstate' }, now);
}

/** Whether a hang-up ends the talk. It does not for a half of `Local/…`, or for a phone that transferred the call. */
const endsTalk = ({ transferers = [] }: CallProgress, { Channel, Uniqueid = '' }: AmiPacket): boolean =>
  !isLocal(Channel) && !transferers.includes(Uniqueid);

/** The last time that a `Date` can name. A clock that was never set shows other times, which cannot be reported. */
const lastTime = 8.64e15;

/** When Asterisk sent the event, by its own clock. */
export function timestampOf({ Timestamp }: AmiPacket): number | undefined {
  const at = Math.round(Number(Timestamp) * 1000);
  return at > 0 && at <= lastTime ? at : undefined;
}
