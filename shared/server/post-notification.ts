/** One attempt to deliver a notification to somebody's server, and what the reply means for the next. */
import { Agent } from 'undici';
import { deadlineSignal } from './deadline.ts';
import type { Attempted } from './delivery.ts';
import { loginHeader } from './login-header.ts';
import { sharedLookup } from './shared-lookup.ts';

/** Only the status of the receiver's reply matters. A longer body cuts the connection. */
const maxReplyBytes = 64 * 1024;
const timeoutMs = 15_000;
const connectTimeoutMs = 10_000;

/** `status` is absent where no reply came. */
type Delivered = Attempted & { status?: number };

/** Connections for at most `maxAtOnce` notifications at a time. */
export const notificationAgent = (maxAtOnce: number): Agent =>
  new Agent({
    connect: { timeout: connectTimeoutMs, lookup: sharedLookup },
    connections: maxAtOnce,
    pipelining: 1,
  });

/** @param headers beside the content type; a `user-agent` says who posts. */
export async function postNotification(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
  stopSignal: AbortSignal,
): Promise<Delivered> {
  const { origin, pathname, search } = new URL(url);
  const late = deadlineSignal(timeoutMs);
  try {
    // Redirects are not followed, because the operator did not configure or allow their targets.
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { ...headers, ...loginHeader(url), 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([late.signal, stopSignal]),
    });
    // The body is read to its end, so that the connection can be used again.
    await response.body.dump({ limit: maxReplyBytes }).catch(() => {});
    const { statusCode } = response;
    if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
    // Standard Webhooks: 410 Gone asks for no further attempt.
    return { kind: 'failed', note: `HTTP ${statusCode}`, isFinal: statusCode === 410, status: statusCode };
  } catch (error) {
    return { kind: 'failed', note: late.signal.aborted ? 'noAnswerInTime' : codeOf(error), isFinal: false };
  } finally {
    late.end();
  }
}

/** Only the code of an error: its message may hold the address, and the address a secret. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(typeof code === 'string' ? code : (name ?? 'unknown')).slice(0, 60);
}
