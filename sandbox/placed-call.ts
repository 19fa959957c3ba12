/** One call the sandbox has accepted: its ids, and the notification of its end (section 2.3), every field of it. */
import { randomUUID } from 'node:crypto';
import { applyFieldMap, parseFieldMap } from '../shared/service/field-map.ts';
import type { CallRequest, NotifiedEvents } from '../shared/service/request.ts';
import type { Scenario } from './scenarios.ts';

/** The interface's fields, and ours: what the service shall notify of. */
export type SandboxRequest = CallRequest & { events?: NotifiedEvents };

export interface PlacedCall {
  callid: string;
  scenario: Scenario;
  request: SandboxRequest;
  startedAt: Date;
  uniqueid: string;
  linkedid: string;
  /** File name of the recording; empty without a conversation. */
  audioFile: string;
}

export type CutBy = 'callee' | 'system';

/** How a call ended; seconds are whole. */
export interface Ending {
  event: 'hangup' | 'lost-call';
  at: Date;
  talkSeconds: number;
  totalSeconds: number;
  /** Where it did not run its scenario's course: `system` after `DELETE /call/{callid}`. */
  cutBy: CutBy | undefined;
}

/** What comes before the end, for those who asked for `events: "all"`. */
export interface Progress {
  event: 'ringing' | 'answer';
  party: 'caller' | 'callee';
}

/** When each of them happens, in seconds after the reply. */
export function progressOf({
  notifications,
  ringSeconds,
  talkSeconds,
  callee,
}: Scenario): (Progress & { after: number })[] {
  const callerRings = { event: 'ringing', party: 'caller', after: 0 } as const;
  if (notifications.includes('lost-call')) return [callerRings];
  return [
    callerRings,
    { event: 'answer', party: 'caller', after: ringSeconds / 4 },
    ...(callee === 'Busy' || callee === 'Down'
      ? []
      : [{ event: 'ringing', party: 'callee', after: ringSeconds / 2 } as const]),
    ...(talkSeconds > 0 ? [{ event: 'answer', party: 'callee', after: ringSeconds } as const] : []),
  ];
}

let channels = 0;
function nextChannel(): number {
  channels += 1;
  return channels;
}

export function placeCall(request: SandboxRequest, scenario: Scenario): PlacedCall {
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
    // The callee's channel: the agent takes a second to answer.
    uniqueid: `${seconds + 1}.${nextChannel()}`,
    audioFile:
      scenario.talkSeconds > 0
        ? `${stamp}-${request.from}-${request.to}-${linkedid.replace('.', '_')}.wav`
        : '',
  };
}

/** The origin as the service shows it: `0000<extension>` unless `force_from=yes` (section 2.1). */
function shownFrom({ from, force_from }: CallRequest): string {
  return force_from === 'yes' ? from : `0000${from}`;
}

/**
 * The notification's body, renamed by `map`.
 * @param base address of the sandbox, for the recording.
 */
export function notificationOf(call: PlacedCall, ending: Ending, base: string): Record<string, unknown> {
  const { request } = call;
  const version = request.version ?? 'v1';
  const time = version === 'v2' ? clock : String;
  const recorded = ending.talkSeconds > 0 && call.audioFile !== '';
  const body = {
    event: ending.event,
    action: 'click-to-call',
    calldate: call.startedAt.toISOString(),
    hangupdate: ending.at.toISOString(),
    uniqueid: call.uniqueid,
    linkedid: call.linkedid,
    callid: call.callid,
    from: shownFrom(request),
    to: request.to,
    mainchannel: channelName(shownFrom(request), call.linkedid),
    route: 'local',
    audio_file: recorded ? call.audioFile : '',
    audio_url: recorded ? recordingAddress(call, version, base) : '',
    billsec: time(ending.talkSeconds),
    duration: time(ending.totalSeconds),
    callflow: callflowOf(call),
    customer: [{ phone: request.to }],
    owner: [{ endpoint: request.from }],
    request: { returnurl: request.returnurl ?? '' },
    ...(request.events === 'all' ? causeOf(call, ending) : {}),
  };
  return renamed(body, request);
}

/** The body of a notification of what comes before the end. */
export function progressNotificationOf(
  { callid, request }: PlacedCall,
  { event, party }: Progress,
  at: Date,
) {
  const body = {
    event,
    party,
    action: 'click-to-call',
    eventdate: at.toISOString(),
    callid,
    from: shownFrom(request),
    to: request.to,
    request: { returnurl: request.returnurl ?? '' },
  };
  return renamed(body, request);
}

const renamed = (body: Record<string, unknown>, { map }: CallRequest) =>
  applyFieldMap(body, map === undefined ? {} : parseFieldMap(map));

/** Why the call ended, and who ended it. */
function causeOf({ scenario }: PlacedCall, { event, cutBy }: Ending): Record<string, string> {
  if (cutBy) return { reason: 'hangUp', ended_by: cutBy };
  if (event === 'lost-call') return { reason: 'callerNoAnswer', ended_by: 'system' };
  if (scenario.reason) return { reason: scenario.reason, ended_by: 'callee' };
  if (scenario.callee === 'Busy') return { reason: 'calleeBusy', ended_by: 'callee' };
  if (scenario.talkSeconds === 0) return { reason: 'calleeNoAnswer', ended_by: 'system' };
  return { reason: 'hangUp', ended_by: 'callee' };
}

/** v1: a base that the reader completes with `id=`; v2: used as it is (section 9). */
function recordingAddress(call: PlacedCall, version: 'v1' | 'v2', base: string): string {
  return version === 'v1'
    ? `${base}/recordings`
    : `${base}/recordings?id=${call.audioFile.replace(/\.wav$/, '')}`;
}

interface LegPlan {
  party: string;
  name: string;
  peer: string;
  peerName: string;
  exten: string;
  context: string;
  state: keyof typeof channelStates;
}

/** Asterisk's numbers for the states of a channel. */
const channelStates = { Down: '0', Ringing: '5', Up: '6', Busy: '7' } as const;

/** Entries in the order the PBX created the channels: agent, callee, and after a transfer the two that it bridges then. */
function callflowOf(call: PlacedCall): Record<string, Record<string, string>> {
  const { request, scenario } = call;
  const from = shownFrom(request);
  const lost = scenario.notifications.includes('lost-call');
  const plans: LegPlan[] = [
    {
      party: from,
      name: 'Agent',
      peer: request.to,
      peerName: '',
      exten: request.from,
      context: 'click-to-call',
      state: lost ? 'Ringing' : 'Up',
    },
  ];
  // The callee is dialled only once the agent has answered.
  if (!lost)
    plans.push({
      party: request.to,
      name: '',
      peer: request.callerid ?? from,
      peerName: 'Agent',
      exten: request.to,
      context: 'from-internal',
      state: scenario.callee,
    });
  if (scenario.transferTo !== undefined)
    plans.push(
      {
        party: from,
        name: 'Agent',
        peer: scenario.transferTo,
        peerName: 'Transfer',
        exten: scenario.transferTo,
        context: 'transfer',
        state: 'Up',
      },
      {
        party: scenario.transferTo,
        name: 'Second agent',
        peer: request.to,
        peerName: '',
        exten: scenario.transferTo,
        context: 'from-internal-xfer',
        state: 'Up',
      },
    );
  const [second, counter] = call.linkedid.split('.').map(Number) as [number, number];
  const entries = plans.map((plan, index) => {
    // A channel's id begins with the second it was created in.
    const uniqueid =
      index === 0
        ? call.linkedid
        : index === 1
          ? call.uniqueid
          : `${second + scenario.ringSeconds + scenario.talkSeconds / 2}.${counter + index}`;
    return [uniqueid, callflowEntry(plan, uniqueid, call.linkedid)] as const;
  });
  return Object.fromEntries(entries);
}

/** All sixteen fields of a callflow entry. */
function callflowEntry(plan: LegPlan, uniqueid: string, linkedid: string): Record<string, string> {
  return {
    event: 'Newchannel',
    privilege: 'call,all',
    channel: channelName(plan.party, uniqueid),
    channelstate: channelStates[plan.state],
    channelstatedesc: plan.state,
    calleridnum: plan.party,
    calleridname: plan.name === '' ? '<unknown>' : plan.name,
    connectedlinenum: plan.peer,
    connectedlinename: plan.peerName === '' ? '<unknown>' : plan.peerName,
    language: 'en',
    accountcode: '',
    context: plan.context,
    exten: plan.exten,
    priority: '1',
    uniqueid,
    linkedid,
  };
}

/** `PJSIP/<party>-<eight hex digits>`, as Asterisk names channels. */
function channelName(party: string, uniqueid: string): string {
  const counter = Number(uniqueid.split('.')[1]);
  return `PJSIP/${party}-${counter.toString(16).padStart(8, '0')}`;
}

/** `HH:MM:SS`. */
function clock(seconds: number): string {
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
