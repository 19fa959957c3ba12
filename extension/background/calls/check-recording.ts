/** Sends one HEAD request for a recording when a person asks whether it is there (interface 2.3, `audio_url`). */
import type { RecordingCheck } from '../../messages/views.ts';
import { mayReach } from './route.ts';

const timeoutMs = 8000;

export async function checkRecording(url: string): Promise<RecordingCheck> {
  if (!(await mayReach(url))) return { result: 'noPermission' };
  try {
    const response = await fetch(url, {
      method: 'HEAD',
      signal: AbortSignal.timeout(timeoutMs),
      credentials: 'include',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    if (response.status === 401 || response.status === 403) return { result: 'denied' };
    if (response.status === 404 || response.status === 410) return { result: 'missing' };
    if (!response.ok) return { result: 'serverError' };
    const size = Number(response.headers.get('content-length') ?? Number.NaN);
    return { result: 'available', ...(Number.isFinite(size) && { size }) };
  } catch {
    return { result: 'unreachable' };
  }
}
