/** One call the sandbox has accepted: its ids, and the notification of its end (section 2.3), every field of it. */
import { randomUUID } from 'node:crypto';
import { applyFieldMap, parseFieldMap } from '../shared/service/field-map.ts';
import type { CallRequest } from '../shared/service/request.ts';
import type { Scenario } from './scenarios.ts';

export interface PlacedCall {
  callid: string;
  scenario: Scenario;
  request: CallRequest;
  startedAt: Date;
  uniqueid: string;
  linkedid: string;
  /** File name of the recording; empty without a conversation. */
  audioFile: string;
}

/** How a call ended; seconds are whole. */
export interface Ending {
  event: 'hangup' | 'lost-call';
  at: Date;
  talkSeconds: number;
  totalSeconds: number;
}

let channels = 0;
function nextChannel(): number {
  channels += 1;
  return channels;
}

export function placeCall(request: CallRequest, scenario: Scenario): PlacedCall {
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
export function shownFrom({ from, force_from }: CallRequest): string {
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
  };
  return applyFieldMap(body, request.map === undefined ? {} : parseFieldMap(request.map));
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
const channelStates = { Ringing: '5', Up: '6', Busy: '7' } as const;

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
