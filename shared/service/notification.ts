/**
 * Reads the notification (sections 2.3 and 6), v1 and v2 alike, into the fact that it proves. Missing members are
 * missing details; unknown ones are ignored. `request` is never read: it echoes the return address (Law 6).
 *
 * Where `/call` carried `events: "all"`, a calling service of ours notifies before the end, too:
 * `{event: "ringing" | "answer", party, eventdate, callid}` and `{event: "unknown"}`. Its end has `reason` and
 * `ended_by`.
 */
import { type EndDetails, endReasons, type Fact, type Party } from '../call/call.ts';
import { readCallflow } from './callflow.ts';
import { type FieldMap, undoFieldMap } from './field-map.ts';
import { asText, isObject, type JsonObject } from './json.ts';
import { completeRecordingUrl, type RecordingKey } from './recording.ts';
import { isLostCall } from './reply.ts';
import type { ApiVersion } from './request.ts';

/** Fields that a notification has only with `events: "all"`. A `map` must not give their names to other fields. */
export const ownFields = ['party', 'eventdate', 'reason', 'ended_by'] as const;

export interface NotificationReading {
  /** The version that the request named, which decides how `audio_url` is read. */
  version: ApiVersion;
  /** The `map` that the request carried, to be undone. */
  map?: FieldMap | undefined;
  recordingKey?: RecordingKey | undefined;
  /** When it arrived, ISO 8601 UTC; used where `hangupdate` is missing. */
  at: string;
}

export type EndFact = Extract<Fact, { kind: 'hungUp' | 'lostCall' }>;
/** The facts that a service reports only if it was asked for all events. */
type ProgressFact = Extract<Fact, { kind: 'ringing' | 'answered' | 'endUnknown' }>;
export type NotificationFact = EndFact | ProgressFact;

/**
 * @param body the JSON value as received.
 * @returns the fact; undefined where this is no notification (not an object, or another event).
 */
export function readNotification(body: unknown, reading: NotificationReading): NotificationFact | undefined {
  if (!isObject(body)) return undefined;
  const fields = undoFieldMap(body, reading.map ?? {});
  const details = readDetails(fields, reading);
  if (isLostCall(fields)) return { kind: 'lostCall', at: reading.at, details };
  const event = asText(fields.event)?.toLowerCase();
  if (event !== undefined && event !== 'hangup') return readProgress(event, fields, reading);
  // Without an event the end date or the duration must show that the call is over.
  if (event === undefined && details.endedAt === undefined && details.totalSeconds === undefined)
    return undefined;
  return { kind: 'hungUp', at: reading.at, details };
}

function readProgress(
  event: string,
  fields: JsonObject,
  reading: NotificationReading,
): ProgressFact | undefined {
  const at = readDate(fields.eventdate) ?? reading.at;
  if (event === 'unknown') return { kind: 'endUnknown', at };
  const kind = event === 'ringing' ? 'ringing' : event === 'answer' ? 'answered' : undefined;
  const party = valueAmong(['caller', 'callee'] as const satisfies readonly Party[], fields.party);
  const callid = asText(fields.callid);
  return kind && party && { kind, at, party, ...(callid === undefined ? {} : { callid }) };
}

function valueAmong<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((each) => each === value);
}

function readDetails(fields: JsonObject, reading: NotificationReading): EndDetails {
  const callid = asText(fields.callid);
  const audioFile = asText(fields.audio_file);
  const read = {
    callid,
    startedAt: readDate(fields.calldate),
    endedAt: readDate(fields.hangupdate),
    talkSeconds: readSeconds(fields.billsec),
    totalSeconds: readSeconds(fields.duration),
    recordingUrl: completeRecordingUrl(
      { audioUrl: asText(fields.audio_url, 2048), audioFile, callid },
      reading.version,
      reading.recordingKey,
    ),
    legs: readCallflow(fields.callflow),
    uniqueid: asText(fields.uniqueid),
    linkedid: asText(fields.linkedid),
    mainchannel: asText(fields.mainchannel),
    route: asText(fields.route),
    audioFile,
    reason: valueAmong(endReasons, fields.reason),
    endedBy: valueAmong(['caller', 'callee', 'system'] as const, fields.ended_by),
  };
  const details: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(read)) if (value !== undefined) details[name] = value;
  return details as EndDetails;
}

/** Reads an ISO 8601 date. A date without a zone is UTC (section 2.3), not in the zone of the reader. */
function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    value.trim(),
  );
  if (!match) return undefined;
  const zone = (match[3] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const date = new Date(`${match[1]}T${match[2]}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/**
 * `billsec` and `duration`: seconds in v1, `HH:MM:SS` in v2. The form decides, not the version asked for, because a
 * staging service has been seen to reply in the other form. Numbers may be numbers or strings.
 * @returns whole seconds, or undefined if the value has neither form.
 */
export function readSeconds(value: unknown): number | undefined {
  // 30 years: beyond any call, within any integer; more is garbage.
  if (typeof value === 'number') return value >= 0 && value < 1e9 ? Math.round(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.round(Number(text));
  const clock = /^(\d{1,4}):([0-5]?\d):([0-5]?\d)$/.exec(text);
  if (!clock) return undefined;
  const [, hours, minutes, seconds] = clock;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
