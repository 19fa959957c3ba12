/** One call that the sandbox has accepted: its ids, and the notification of its end (section 2.3) with every field. */
import { randomUUID } from 'node:crypto';
import { type CallNews, hangUpNotification, shownOrigin } from '../shared/service/outgoing-notification.ts';
import type { ApiVersion, CallRequestWithEvents } from '../shared/service/request.ts';
import type { Scenario } from './scenarios.ts';

export interface PlacedCall {
  callid: string;
  scenario: Scenario;
  request: CallRequestWithEvents;
  startedAt: Date;
  uniqueid: string;
  linkedid: string;
  /** The recording's file name; empty without a conversation. */
  audioFile: string;
}

export type CutBy = 'callee' | 'system';

/** How a call ended; seconds are whole. */
export interface Ending {
  event: 'hangup' | 'lost-call';
  at: Date;
  talkSeconds: number;
  totalSeconds: number;
  /** Who or what ended the call before its scenario did: `system` after `DELETE /call/{callid}`. */
  cutBy: CutBy | undefined;
}

/** The events before the end of a call, for requests with `events: "all"`. `after`: seconds after the reply. */
export function progressOf({
  notifications,
  ringSeconds,
  talkSeconds,
  callee,
}: Scenario): { news: CallNews; after: number }[] {
  const step = (event: 'ringing' | 'answer', party: 'caller' | 'callee', after: number) => ({
    news: { event, party },
    after,
  });
  if (notifications.includes('lost-call')) return [step('ringing', 'caller', 0)];
  return [
    step('ringing', 'caller', 0),
    step('answer', 'caller', ringSeconds / 4),
    ...(callee === 'Busy' || callee === 'Down' ? [] : [step('ringing', 'callee', ringSeconds / 2)]),
    ...(talkSeconds > 0 ? [step('answer', 'callee', ringSeconds)] : []),
  ];
}

let channels = 0;
function nextChannel(): number {
  channels += 1;
  return channels;
}

export function placeCall(request: CallRequestWithEvents, scenario: Scenario): PlacedCall {
  const startedAt = new Date();
  const seconds = Math.floor(startedAt.getTime() / 1000);
  const linkedid = `${seconds}.${nextChannel()}`;
  const stamp = startedAt.toISOString().replace(/[-:]/g, '').slice(0, 15);
  return {
    callid: randomUUID(),
    scenario,
    request,
    startedAt,
    linkedid,
    // The callee's channel starts one second later: the agent takes a second to answer.
    uniqueid: `${seconds + 1}.${nextChannel()}`,
    audioFile:
      scenario.talkSeconds > 0
        ? `${stamp}-${request.from}-${request.to}-${linkedid.replace('.', '_')}.wav`
        : '',
  };
}

/** The body of the notification. @param base address of the sandbox, for the recording. */
export function notificationOf(call: PlacedCall, ending: Ending, base: string): Record<string, unknown> {
  const { request, callid, startedAt, uniqueid, linkedid } = call;
  const recorded = ending.talkSeconds > 0 && call.audioFile !== '';
  return hangUpNotification(request, {
    callid,
    startedAt,
    uniqueid,
    linkedid,
    event: ending.event,
    endedAt: ending.at,
    mainchannel: channelName(shownOrigin(request), linkedid),
    audioFile: recorded ? call.audioFile : '',
    audioUrl: recorded ? recordingAddress(call, request.version ?? 'v1', base) : '',
    talkSeconds: ending.talkSeconds,
    totalSeconds: ending.totalSeconds,
    callflow: callflowOf(call),
    ...causeOf(call, ending),
  });
}

/** Why the call ended, and who ended it. */
function causeOf({ scenario }: PlacedCall, { event, cutBy }: Ending) {
  if (cutBy) return { reason: 'hangUp', endedBy: cutBy };
  if (event === 'lost-call') return { reason: 'callerNoAnswer', endedBy: 'system' };
  if (scenario.reason) return { reason: scenario.reason, endedBy: 'callee' };
  if (scenario.callee === 'Busy') return { reason: 'calleeBusy', endedBy: 'callee' };
  if (scenario.talkSeconds === 0) return { reason: 'calleeNoAnswer', endedBy: 'system' };
  return { reason: 'hangUp', endedBy: 'callee' };
}

/** In v1 the address is a base, to which the reader adds `id=`. In v2 it is used as it is (section 9). */
function recordingAddress(call: PlacedCall, version: ApiVersion, base: string): string {
  return version === 'v1'
    ? `${base}/recordings`
    : `${base}/recordings?id=${call.audioFile.replace(/\.wav$/, '')}`;
}

/** Asterisk's numbers for a channel's states. */
const channelStates = { Down: '0', Ringing: '5', Up: '6', Busy: '7' } as const;

/** A channel, by the field names of its callflow entry (2.3). */
interface CallflowLeg {
  calleridnum: string;
  calleridname?: string;
  connectedlinenum: string;
  connectedlinename?: string;
  exten: string;
  context: string;
  channelstatedesc: keyof typeof channelStates;
}

/**
 * The legs in the order in which the PBX created the channels: agent and callee. After a transfer, also the two
 * channels that it then bridges.
 */
function legsOf({ request, scenario }: PlacedCall): CallflowLeg[] {
  const { to, callerid } = request;
  const { transferTo } = scenario;
  const isLost = scenario.notifications.includes('lost-call');
  const agent = { calleridnum: shownOrigin(request), calleridname: 'Agent' };
  const first: CallflowLeg = {
    ...agent,
    connectedlinenum: to,
    exten: request.from,
    context: 'click-to-call',
    channelstatedesc: isLost ? 'Ringing' : 'Up',
  };
  // The callee is dialled only after the agent has answered.
  if (isLost) return [first];
  const callee: CallflowLeg = {
    calleridnum: to,
    connectedlinenum: callerid ?? agent.calleridnum,
    connectedlinename: 'Agent',
    exten: to,
    context: 'from-internal',
    channelstatedesc: scenario.callee,
  };
  if (transferTo === undefined) return [first, callee];
  const transferred = { exten: transferTo, channelstatedesc: 'Up' } as const;
  const toOther = { connectedlinenum: transferTo, connectedlinename: 'Transfer', context: 'transfer' };
  const other = { calleridnum: transferTo, calleridname: 'Second agent', connectedlinenum: to };
  return [
    first,
    callee,
    { ...transferred, ...agent, ...toOther },
    { ...transferred, ...other, context: 'from-internal-xfer' },
  ];
}

/** The callflow entries by the channel's id, each with all sixteen fields. */
function callflowOf(call: PlacedCall): Record<string, Record<string, string>> {
  const { scenario, linkedid } = call;
  const [second, counter] = linkedid.split('.').map(Number) as [number, number];
  // A channel's id begins with the second in which the channel was created.
  const transferredAt = second + scenario.ringSeconds + scenario.talkSeconds / 2;
  return Object.fromEntries(
    legsOf(call).map((leg, index) => {
      const uniqueid = [linkedid, call.uniqueid][index] ?? `${transferredAt}.${counter + index}`;
      const entry = {
        event: 'Newchannel',
        privilege: 'call,all',
        channel: channelName(leg.calleridnum, uniqueid),
        channelstate: channelStates[leg.channelstatedesc],
        calleridname: '<unknown>',
        connectedlinename: '<unknown>',
        language: 'en',
        accountcode: '',
        ...leg,
        priority: '1',
        uniqueid,
        linkedid,
      };
      return [uniqueid, entry];
    }),
  );
}

/** `PJSIP/<party>-<eight hex digits>`: a channel's name as Asterisk writes it. */
function channelName(party: string, uniqueid: string): string {
  const counter = Number(uniqueid.split('.')[1]);
  return `PJSIP/${party}-${counter.toString(16).padStart(8, '0')}`;
}
