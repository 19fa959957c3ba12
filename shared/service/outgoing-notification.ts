/**
 * The notifications that a calling service sends: the notification of the interface (2.3), and our own about events
 * before the end.
 */
import type { Party } from '../call/call.ts';
import { applyFieldMap, parseFieldMap } from './field-map.ts';
import type { ApiVersion, CallRequestWithEvents } from './request.ts';

interface EndedCall {
  callid: string;
  event: 'hangup' | 'lost-call';
  startedAt: Date;
  endedAt: Date;
  /** The id of the callee's channel. `linkedid` is the id of the caller's channel. */
  uniqueid: string;
  linkedid: string;
  mainchannel: string;
  /** File name and address of the recording; empty without one. */
  audioFile: string;
  audioUrl: string;
  talkSeconds: number;
  totalSeconds: number;
  callflow: Readonly<Record<string, unknown>>;
  /** Why the call ended. It is sent only if the request asked for all events. */
  reason: string;
  endedBy: string | undefined;
}

/** @returns the end of a call, its fields renamed by the request's `map`. */
export function hangUpNotification(request: CallRequestWithEvents, call: EndedCall): Record<string, unknown> {
  const { version = 'v1' } = request;
  return renamed(request, {
    event: call.event,
    action: 'click-to-call',
    calldate: call.startedAt.toISOString(),
    hangupdate: call.endedAt.toISOString(),
    uniqueid: call.uniqueid,
    linkedid: call.linkedid,
    callid: call.callid,
    from: shownOrigin(request),
    to: request.to,
    mainchannel: call.mainchannel,
    route: 'local',
    audio_file: call.audioFile,
    audio_url: call.audioUrl,
    billsec: writtenDuration(call.talkSeconds, version),
    duration: writtenDuration(call.totalSeconds, version),
    callflow: call.callflow,
    customer: [{ phone: request.to }],
    owner: [{ endpoint: request.from }],
    request: { returnurl: request.returnurl ?? '' },
    ...(request.events === 'all' ? { reason: call.reason, ended_by: call.endedBy } : {}),
  });
}

export type CallNews =
  | { event: 'ringing' | 'answer'; party: Party }
  /** The phone may have rung, and how the call ended cannot be found out any more. */
  | { event: 'unknown' };

/** @returns what happened before the end of a call, for a request that asked for all events. */
export function progressNotification(
  request: CallRequestWithEvents,
  callid: string,
  news: CallNews,
  at: Date,
): Record<string, unknown> {
  return renamed(request, {
    ...news,
    action: 'click-to-call',
    eventdate: at.toISOString(),
    callid,
    from: shownOrigin(request),
    to: request.to,
    request: { returnurl: request.returnurl ?? '' },
  });
}

/** The origin as a service shows it: `0000<extension>` unless `force_from=yes` (2.1). */
export function shownOrigin({
  from,
  force_from,
}: Pick<CallRequestWithEvents, 'from' | 'force_from'>): string {
  return force_from === 'yes' ? from : `0000${from}`;
}

/** Interface 9: seconds in v1, `HH:MM:SS` in v2. */
function writtenDuration(seconds: number, version: ApiVersion): string {
  if (version === 'v1') return String(seconds);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

const renamed = ({ map }: CallRequestWithEvents, body: Record<string, unknown>) =>
  map === undefined ? body : applyFieldMap(body, parseFieldMap(map));
