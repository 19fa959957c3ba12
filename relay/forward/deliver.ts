/** One attempt to hand a signed notification over, and what its answer means for the next. */
import type { Agent } from 'undici';

/** Of the receiver's answer only the status matters; more than this of a body cuts the connection. */
const maxAnswerBytes = 64 * 1024;
/** Milliseconds for all of it. */
const timeLimit = 15_000;

export type Delivered = { kind: 'delivered' } | { kind: 'failed'; note: string; forever: boolean };

export async function deliver(
  url: string,
  body: string,
  headers: Record<string, string>,
  agent: Agent,
  stopped: AbortSignal,
): Promise<Delivered> {
  const { origin, pathname, search } = new URL(url);
  const late = AbortSignal.timeout(timeLimit);
  try {
    // Redirects are not followed: where they lead is not what the operator configured.
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'dialmark' },
      body,
      signal: AbortSignal.any([late, stopped]),
    });
    // Read to its end, so that the connection can be used again; what it says has no bearing.
    await response.body.dump({ limit: maxAnswerBytes }).catch(() => {});
    const { statusCode } = response;
    if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
    // Standard Webhooks: 410 Gone asks never to be sent this again.
    return { kind: 'failed', note: `HTTP ${statusCode}`, forever: statusCode === 410 };
  } catch (error) {
    return { kind: 'failed', note: late.aborted ? 'noAnswerInTime' : codeOf(error), forever: false };
  }
}

/** The code alone: a message may hold the address, and the address a secret. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(typeof code === 'string' ? code : (name ?? 'unknown')).slice(0, 60);
}
