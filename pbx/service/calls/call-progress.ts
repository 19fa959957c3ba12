/**
 * What became of one call, out of AMI's events: pure. Asterisk sends related events in any order, and the
 * result is the same. We choose the unique id of the caller's channel. Every further channel has it as its
 * linked id. The callee may have several, for example one per trunk that the dialplan tries.
 */
import type { Party } from '../../../shared/call/call.ts';
import type { AmiPacket } from '../ami/ami-packets.ts';

const channelFields = [
  'Privilege',
  'Channel',
  'ChannelState',
  'ChannelStateDesc',
  'CallerIDNum',
  'CallerIDName',
  'ConnectedLineNum',
  'ConnectedLineName',
  'Language',
  'AccountCode',
  'Context',
  'Exten',
  'Priority',
  'Uniqueid',
  'Linkedid',
] as const;

/** A channel with the callflow fields of the interface (2.3), as last reported. */
type CallflowEntry = Record<'event' | Lowercase<(typeof channelFields)[number]>, string>;

/** Why a call ended as it did, in the words of `Call.reason`. */
type EndReason =
  | 'hangUp'
  | 'callerNoAnswer'
  | 'callerBusy'
  | 'callerRefused'
  | 'callerFailure'
  | 'calleeNoAnswer'
  | 'calleeBusy'
  | 'calleeRefused'
  | 'calleeUnknown';

interface CallEnd {
  at: number;
  reason: EndReason;
  endedBy?: Party | 'system';
}

/** Times are milliseconds since the epoch. */
export interface CallProgress {
  /** Our id of the call at Asterisk: the caller's channel and the linked id of all others. */
  readonly channelId: string;
  /** The id of the one Originate that was sent. */
  readonly actionId: string;
  /** The channels by their unique ids, in the order in which Asterisk created them. */
  channels: Record<string, CallflowEntry>;
  ringing: Partial<Record<Party, number>>;
  answered: Partial<Record<Party, number>>;
  /** The channel that each one stands behind, by unique ids: its other half of `Local/…`, or who dialled it. */
  behind?: Record<string, string>;
  /** Unique ids of channels that have hung up, with the cause Asterisk gave. */
  hungUp: Record<string, number>;
  /** Who asked for the first hang-up; absent where the PBX ended the call by itself. */
  firstHangup?: Party | 'system';
  /** Unique ids of channels for which a hang-up was asked. */
  leaving?: string[];
  /** Unique ids of channels that left the talk to others. */
  transferers?: string[];
  /** What `OriginateResponse` said of our action. */
  originated?: 'answered' | 'failed' | 'noAnswer';
  recordingFile?: string;
  /** The files of recordings that were begun before that one. */
  earlierRecordings?: string[];
  /** A channel changed while there was no connection: the last event does not say how the call ended. */
  isIncomplete?: true;
  end?: CallEnd;
}

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
  event.Linkedid ?? event.LocalOneLinkedid ?? event.TransfererLinkedid ?? event.OrigTransfererLinkedid;

/** Whether this is one of the call's channels. Joined to an older call, it has the linked id of that one. */
export function hasChannel({ channels, channelId }: CallProgress, event: AmiPacket): boolean {
  const id = event.Uniqueid ?? event.TransfererUniqueid ?? event.OrigTransfererUniqueid ?? '';
  return id === channelId || Object.hasOwn(channels, id);
}

/**
 * @param now time of arrival; Asterisk's own `Timestamp` is taken where it is sent.
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
    // A trunk that failed before did not end the call.
    if (party === 'callee' && !progress.answered.callee && progress.firstHangup === 'callee')
      delete progress.firstHangup;
    progress.answered[party] ??= at;
  },
  LocalBridge: (progress, { LocalOneUniqueid = '', LocalTwoUniqueid = '' }) => {
    progress.behind = { ...progress.behind, [LocalTwoUniqueid]: LocalOneUniqueid };
  },
  DialBegin: (progress, { Uniqueid = '', DestUniqueid = '' }) => {
    // The caller's own channel dials the callee.
    if (Uniqueid !== '' && Uniqueid !== progress.channelId)
      progress.behind = { ...progress.behind, [DestUniqueid]: Uniqueid };
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
  if (!endsTalk(progress, event)) return;
  const { answered, firstHangup, hungUp, leaving = [] } = progress;
  // One that refused before did not end a call that another phone or trunk still rings for.
  const rings = (id: string) => !answered.callee && !(id in hungUp) && !leaving.includes(id);
  const isRinging = calleeChannels(progress).some(rings);
  if (!firstHangup || (firstHangup === 'callee' && isRinging)) progress.firstHangup = by;
  progress.leaving = [...leaving, event.Uniqueid ?? ''];
}

/** The others talk on: a hang-up asked for until now was not their end. */
function noteTransfer(progress: CallProgress, event: AmiPacket): void {
  if (event.Result !== 'Success') return;
  const ids = [event.TransfererUniqueid, event.OrigTransfererUniqueid, event.SecondTransfererUniqueid];
  progress.transferers = [...(progress.transferers ?? []), ...ids.filter((id) => id !== undefined)];
  delete progress.firstHangup;
}

/**
 * Takes a call up after a time without events.
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
  // A callee may have come and gone meanwhile.
  const isCalleeMissing = next.answered.caller !== undefined && calleeChannel(next) === undefined;
  if (gone.length > 0 || isCalleeMissing) next.isIncomplete = true;
  return next;
}

function adopt(progress: CallProgress, status: AmiPacket, now: number): CallProgress {
  const seen = advance(progress, { ...status, Event: 'Newchannel' }, now);
  return advance(seen, { ...status, Event: 'Newstate' }, now);
}

function callflowEntry(event: AmiPacket): CallflowEntry {
  const named = channelFields.map((name) => [name.toLowerCase(), event[name] ?? '']);
  return { event: 'Newchannel', ...Object.fromEntries(named) } as CallflowEntry;
}

/** The phones of an agent whose channel is `Local/…` are the caller's, too. */
function partyOf({ channelId, behind = {} }: CallProgress, uniqueid: string): Party {
  let first = uniqueid;
  for (let next = behind[first]; next !== undefined; next = behind[first]) first = next;
  return first === channelId ? 'caller' : 'callee';
}

/** A half of `Local/…` passes on what a phone does, or is not needed any more. */
const endsTalk = ({ transferers = [] }: CallProgress, { Channel, Uniqueid = '' }: AmiPacket): boolean =>
  !isLocal(Channel) && !transferers.includes(Uniqueid);

const isLocal = (channel = ''): boolean => channel.startsWith('Local/');

/** Unique id of the callee's channel, if any: the first that was answered, or the last that was tried. */
export function calleeChannel(progress: CallProgress): string | undefined {
  const ids = calleeChannels(progress);
  return ids.find((id) => progress.channels[id]!.channelstatedesc === 'Up') ?? ids.at(-1);
}

const calleeChannels = (progress: CallProgress): string[] =>
  Object.keys(progress.channels).filter((id) => partyOf(progress, id) === 'callee');

/** Unique id of the caller's channel, or of the last phone that rang behind it. */
function agentPhone(progress: CallProgress): string {
  const { channels, channelId } = progress;
  const isPhone = (id: string) => partyOf(progress, id) === 'caller' && !isLocal(channels[id]!.channel);
  return Object.keys(channels).findLast(isPhone) ?? channelId;
}

/** Unique id of the channel whose hang-up ends the talk: the caller's, or of others once the call was transferred. */
export function channelToHangUp({ channels, channelId, hungUp }: CallProgress): string {
  if (!(channelId in hungUp)) return channelId;
  return Object.keys(channels).find((id) => !(id in hungUp)) ?? channelId;
}

function callEndOf(progress: CallProgress, at: number): CallEnd | undefined {
  const ids = Object.keys(progress.channels);
  // Unregistered or unknown: Asterisk makes no channel at all.
  if (ids.length === 0) return progress.originated === 'failed' ? { at, reason: 'callerFailure' } : undefined;
  if (!ids.includes(progress.channelId) || ids.some((id) => !(id in progress.hungUp))) return undefined;
  // An Originate that failed before anybody asked for a hang-up was ended by its own time limit.
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
  return byCause.callee[callee === undefined ? callerCause : hungUp[callee]!] ?? 'hangUp';
}

/** `billsec`: whole seconds from the callee's answer to the end; 0 only without an answer. */
export function talkSeconds({ answered, end }: CallProgress): number {
  if (answered.caller === undefined || answered.callee === undefined || !end) return 0;
  return Math.max(1, Math.round((end.at - answered.callee) / 1000));
}

/** When Asterisk sent the event, by its own clock. */
export function timestampOf({ Timestamp }: AmiPacket): number | undefined {
  const at = Number(Timestamp) * 1000;
  return Number.isFinite(at) && at > 0 ? Math.round(at) : undefined;
}
