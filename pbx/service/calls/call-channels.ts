/** What is known of one call at Asterisk, and to which party each of its channels belongs. */
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
export type EndReason =
  | 'hangUp'
  | 'callerNoAnswer'
  | 'callerBusy'
  | 'callerRefused'
  | 'callerFailure'
  | 'calleeNoAnswer'
  | 'calleeBusy'
  | 'calleeRefused'
  | 'calleeUnknown';

export interface CallEnd {
  at: number;
  reason: EndReason;
  endedBy?: Party | 'system';
}

/** Times are milliseconds since the epoch. */
export interface CallProgress {
  /** The id that we chose for the call. It is the caller's unique id, and the linked id of the other channels. */
  readonly channelId: string;
  /** The id of the one Originate that was sent. */
  readonly actionId: string;
  /** The channels by their unique ids, in the order in which Asterisk created them. */
  channels: Record<string, CallflowEntry>;
  ringing: Partial<Record<Party, number>>;
  answered: Partial<Record<Party, number>>;
  /** The channel before each channel, by unique ids: the other half of `Local/…`, or the channel that dialled it. */
  behind?: Record<string, string>;
  /** Unique ids of channels that have hung up, with the cause Asterisk gave. */
  hungUp: Record<string, number>;
  /** Who asked for the first hang-up; absent where the PBX ended the call by itself. */
  firstHangup?: Party | 'system';
  /** Unique ids of channels for which a hang-up was asked. */
  leaving?: string[];
  /** Unique ids of channels that transferred the call to others. */
  transferers?: string[];
  /** What `OriginateResponse` said of our action. */
  originated?: 'answered' | 'failed' | 'noAnswer';
  recordingFile?: string;
  /** The files of recordings that were begun before `recordingFile`. */
  earlierRecordings?: string[];
  /** Events were missed, or the call goes on in other channels. So the last event does not say how it ended. */
  isIncomplete?: true;
  end?: CallEnd;
}

export function callflowEntry(event: AmiPacket): CallflowEntry {
  const named = channelFields.map((name) => [name.toLowerCase(), event[name] ?? '']);
  return { event: 'Newchannel', ...Object.fromEntries(named) } as CallflowEntry;
}

/** If the agent's channel is `Local/…`, the phones behind it belong to the caller too. */
export function partyOf({ channelId, behind = {} }: CallProgress, uniqueid: string): Party {
  let first = uniqueid;
  // Each channel is passed once: events may put two channels behind each other.
  const passed = new Set<string>();
  for (let next = behind[first]; next !== undefined && !passed.has(next); next = behind[first]) {
    passed.add(next);
    first = next;
  }
  return first === channelId ? 'caller' : 'callee';
}

export const isLocal = (channel = ''): boolean => channel.startsWith('Local/');

/** Unique id of the callee's channel, if any: the first that was answered, or the last that was tried. */
export function calleeChannel(progress: CallProgress): string | undefined {
  const ids = calleeChannels(progress);
  return ids.find((id) => progress.channels[id]!.channelstatedesc === 'Up') ?? ids.at(-1);
}

const calleeChannels = (progress: CallProgress): string[] =>
  Object.keys(progress.channels).filter((id) => partyOf(progress, id) === 'callee');

/**
 * Unique id of the agent's phone: the caller's last channel that is not `Local/…`, otherwise the caller's own channel.
 */
export function agentPhone(progress: CallProgress): string {
  const { channels, channelId } = progress;
  const isPhone = (id: string) => partyOf(progress, id) === 'caller' && !isLocal(channels[id]!.channel);
  return Object.keys(channels).findLast(isPhone) ?? channelId;
}

/** Unique id of the channel to hang up: the caller's. If the caller has left, another channel that is still there. */
export function channelToHangUp({ channels, channelId, hungUp }: CallProgress): string {
  if (!(channelId in hungUp)) return channelId;
  return Object.keys(channels).find((id) => !(id in hungUp)) ?? channelId;
}
