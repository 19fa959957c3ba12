import type { Call } from '../call/call.ts';

/**
 * The other address that v1 knows for a recording: `id=` is the file's name without its extension instead of the call id
 * (section 9). Asked for only by a person, where the first is not there.
 * @returns undefined where the address was not completed by `id=` (v2), or no file name came.
 */
export function recordingByFileName(call: Pick<Call, 'recordingUrl' | 'audioFile'>): string | undefined {
  const fileName = call.audioFile?.replace(/\.[^./]*$/, '');
  if (!fileName || call.recordingUrl === undefined || !URL.canParse(call.recordingUrl)) return undefined;
  const url = new URL(call.recordingUrl);
  if (!url.searchParams.has('id') || url.searchParams.get('id') === fileName) return undefined;
  url.searchParams.set('id', fileName);
  return url.href;
}
