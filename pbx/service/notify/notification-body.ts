/** The notifications' bodies: the hang-up of the interface (2.3), and what only this service can report. */
import path from 'node:path';
import { applyFieldMap, parseFieldMap } from '../../../shared/service/field-map.ts';
import { type CallProgress, calleeChannel, type Party, talkSeconds } from '../calls/call-progress.ts';
import { type PbxCallRequest, shownOrigin } from '../calls/pbx-call-request.ts';

interface NotifiedCall {
  callid: string;
  request: PbxCallRequest;
  createdAt: number;
  progress: CallProgress;
}

/** Address of a recording, in the form that its version asks for (9). @param file as Asterisk named it, with its folder. */
export type RecordingAddress = (file: string, version: 'v1' | 'v2') => string;

const iso = (time: number) => new Date(time).toISOString();

/** Interface 9: seconds in v1, `HH:MM:SS` in v2. */
function duration(seconds: number, version: 'v1' | 'v2'): string {
  if (version === 'v1') return String(seconds);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** @returns the JSON text of the end of a call, fields renamed by its `map`. The call must have an end. */
export function hangUpNotification(call: NotifiedCall, recordingAddress: RecordingAddress): string {
  const { request, progress, callid, createdAt } = call;
  const { channels, channelId, recordingFile, answered } = progress;
  const end = progress.end!;
  const version = request.version ?? 'v1';
  const talked = talkSeconds(progress);
  // Without an answer the file holds nothing but its head.
  const file = (answered.callee !== undefined && recordingFile) || '';
  const body = {
    event: answered.caller === undefined && end.reason !== 'hangUp' ? 'lost-call' : 'hangup',
    action: 'click-to-call',
    calldate: iso(createdAt),
    hangupdate: iso(end.at),
    uniqueid: calleeChannel(progress) ?? channelId,
    linkedid: channelId,
    callid,
    from: shownOrigin(request),
    to: request.to,
    mainchannel: channels[channelId]?.channel ?? '',
    route: 'local',
    audio_file: path.basename(file),
    audio_url: file === '' ? '' : recordingAddress(file, version),
    billsec: duration(talked, version),
    duration: duration(Math.max(talked, Math.round(Math.max(0, end.at - createdAt) / 1000)), version),
    callflow: channels,
    customer: [{ phone: request.to }],
    owner: [{ endpoint: request.from }],
    request: { returnurl: request.returnurl ?? '' },
    ...(request.events === 'all' ? { reason: end.reason, ended_by: end.endedBy } : {}),
  };
  return renamed(body, request);
}

/** @returns the JSON text of a change before the end; only for calls that asked for `events: "all"`. */
export function progressNotification(
  call: NotifiedCall,
  news: { event: 'ringing' | 'answer'; party: Party; at: number } | { event: 'unknown'; at: number },
): string {
  const { callid, request } = call;
  const { at, ...what } = news;
  return renamed(
    {
      ...what,
      action: 'click-to-call',
      eventdate: iso(at),
      callid,
      from: shownOrigin(request),
      to: request.to,
      request: { returnurl: request.returnurl ?? '' },
    },
    request,
  );
}

function renamed(body: Record<string, unknown>, { map }: PbxCallRequest): string {
  return JSON.stringify(map === undefined ? body : applyFieldMap(body, parseFieldMap(map)));
}
