/**
 * The notification (sections 2.3 and 6), v1 and v2 alike, read into the fact it proves. Lenient: missing members are
 * missing details, unknown ones stay out, numbers come as numbers or strings. `request` is never read: it echoes the
 * capability URL (Law 6).
 */
import type { EndDetails, Fact } from '../call/call.ts';
import { readCallflow } from './callflow.ts';
import { type FieldMap, undoFieldMap } from './field-map.ts';
import { isLostCall } from './lost-call.ts';
import { type ApiVersion, completeRecordingUrl, type RecordingKey, readSeconds } from './version.ts';

export interface NotificationReading {
  /** What the request asked for; tells how `audio_url` is to be used. */
  version: ApiVersion;
  /** The `map` that the request carried, to be undone. */
  map?: FieldMap | undefined;
  recordingKey?: RecordingKey | undefined;
  /** When it arrived, ISO 8601 UTC; stands in where `hangupdate` is missing. */
  at: string;
}

export type NotificationFact = Extract<Fact, { kind: 'hungUp' | 'lostCall' }>;

/**
 * @param body the JSON value as received.
 * @returns the fact; undefined where this is no notification of an end (not an object, or another event).
 */
export function readNotification(body: unknown, reading: NotificationReading): NotificationFact | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const fields = undoFieldMap(body as Record<string, unknown>, reading.map ?? {});
  const details = readDetails(fields, reading);
  if (isLostCall(fields)) return { kind: 'lostCall', at: reading.at, details };
  const event = text(fields.event);
  if (event !== undefined && event.toLowerCase() !== 'hangup') return undefined;
  // Without an event the dates or the duration must say that the call is over.
  if (event === undefined && details.endedAt === undefined && details.totalSeconds === undefined)
    return undefined;
  return { kind: 'hungUp', at: reading.at, details };
}

function readDetails(fields: Record<string, unknown>, reading: NotificationReading): EndDetails {
  const callid = text(fields.callid);
  const audioFile = text(fields.audio_file);
  const recordingUrl = completeRecordingUrl(
    { audioUrl: text(fields.audio_url, 2048), audioFile, callid },
    reading.version,
    reading.recordingKey,
  );
  const details = {
    callid,
    startedAt: readDate(fields.calldate),
    endedAt: readDate(fields.hangupdate),
    talkSeconds: readSeconds(fields.billsec),
    totalSeconds: readSeconds(fields.duration),
    recordingUrl,
    legs: readCallflow(fields.callflow),
    uniqueid: text(fields.uniqueid),
    linkedid: text(fields.linkedid),
    mainchannel: text(fields.mainchannel),
    route: text(fields.route),
    audioFile,
  };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)) as EndDetails;
}

/** ISO 8601; what has no zone is UTC (section 2.3), not the zone of whoever reads it. */
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

function text(value: unknown, maxLength = 256): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined;
}
