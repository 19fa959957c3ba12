/** Addresses of recordings (section 9): whole in v2, a base to be completed with `id=` in v1. */
import type { Call } from '../call/call.ts';
import type { ApiVersion } from './request.ts';

/** What completes the address of a v1 recording: the call id, or the file's name without extension. */
export type RecordingKey = 'callid' | 'audioFile';

interface RecordingFields {
  audioUrl?: string | undefined;
  audioFile?: string | undefined;
  callid?: string | undefined;
}

/** @returns an http(s) address; undefined if there is no address, or its scheme is another. */
export function completeRecordingUrl(
  recording: RecordingFields,
  version: ApiVersion,
  key: RecordingKey = 'callid',
): string | undefined {
  const url = parseUrl(recording.audioUrl?.trim());
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  if (version === 'v2' || url.searchParams.get('id')) return url.href;
  const fileName = withoutExtension(recording.audioFile);
  const id = key === 'callid' ? (recording.callid ?? fileName) : (fileName ?? recording.callid);
  if (!id) return undefined;
  url.searchParams.set('id', id);
  return url.href;
}

/**
 * The other address of a v1 recording: `id=` is the file's name instead of the call id. Fetched only by a person's
 * choice, where the first address does not work.
 * @returns undefined where the address was not completed by `id=` (v2), or no file name came.
 */
export function recordingByFileName(call: Pick<Call, 'recordingUrl' | 'audioFile'>): string | undefined {
  const fileName = withoutExtension(call.audioFile);
  const url = parseUrl(call.recordingUrl);
  if (!fileName || !url?.searchParams.has('id') || url.searchParams.get('id') === fileName) return undefined;
  url.searchParams.set('id', fileName);
  return url.href;
}

const withoutExtension = (fileName: string | undefined) => fileName?.replace(/\.[^./]*$/, '');

const parseUrl = (text = '') => (URL.canParse(text) ? new URL(text) : undefined);
