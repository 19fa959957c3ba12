/** Versions of the service's interface (section 9): which fields read differently, and how each becomes one thing. */
import { z } from 'zod/mini';

export const apiVersions = ['v1', 'v2'] as const;
export const ApiVersion = z.enum(apiVersions);
export type ApiVersion = z.infer<typeof ApiVersion>;

/**
 * `billsec` and `duration`: seconds in v1, `HH:MM:SS` in v2. The form decides, not the version asked for, because a
 * staging service has been seen to answer in the other one. Numbers come as numbers or strings.
 * @returns whole seconds, or undefined where the value is neither form.
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

export interface Recording {
  audioUrl?: string | undefined;
  audioFile?: string | undefined;
  callid?: string | undefined;
}

/** Which of the two v1 identifiers completes a recording's address: the call id, or the file's name without ending. */
export type RecordingKey = 'callid' | 'audioFile';

/**
 * A recording's complete address. v2 gives it whole. v1 gives a base that `id=` completes (section 9): the call id,
 * or the audio file's name without its extension. A base that already has a query, or an empty `id=`, is joined right.
 * @returns an http(s) address; undefined where there is none or it is of another scheme.
 */
export function completeRecordingUrl(
  recording: Recording,
  version: ApiVersion,
  key: RecordingKey = 'callid',
): string | undefined {
  const { audioUrl } = recording;
  if (audioUrl === undefined || audioUrl.trim() === '' || !URL.canParse(audioUrl.trim())) return undefined;
  const url = new URL(audioUrl.trim());
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (version === 'v2') return url.href;
  if (url.searchParams.get('id')) return url.href;
  const fileName = recording.audioFile?.replace(/\.[^./]*$/, '');
  const id = key === 'callid' ? (recording.callid ?? fileName) : (fileName ?? recording.callid);
  if (!id) return undefined;
  url.searchParams.set('id', id);
  return url.href;
}
