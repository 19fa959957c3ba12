/**
 * Sends one `/call` by fetch, once, and says what its outcome proves. Used where no lower-level proof of "not sent" can be
 * had: a browser. Hence a failed fetch is always `notAnswered`, never a reason to try again (Law 1).
 */
import type { Fact } from '../call/call.ts';
import { readReply } from './reply.ts';
import type { HttpRequest } from './request.ts';

/** More than any reply of section 2.2; a page or a stream in its place is cut there. */
const maxReplyBytes = 64 * 1024;

export interface SendOptions {
  fetch: typeof fetch;
  /** Milliseconds from the start until the whole reply is read. */
  answerTimeout: number;
  /** ISO 8601 UTC. */
  now: () => string;
}

export async function sendCall(
  request: HttpRequest,
  options: SendOptions,
): Promise<Extract<Fact, { kind: 'accepted' | 'refused' | 'notAnswered' | 'lostCall' }>> {
  const timeout = AbortSignal.timeout(options.answerTimeout);
  try {
    const response = await options.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: timeout,
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    return readReply(
      { status: response.status, body: await readText(response, maxReplyBytes) },
      options.now(),
    );
  } catch {
    const error = timeout.aborted
      ? ({ code: 'noAnswerInTime', message: 'the service did not answer in time' } as const)
      : ({
          code: 'connectionLost',
          message: 'the connection to the service broke before its answer',
        } as const);
    return { kind: 'notAnswered', at: options.now(), error };
  }
}

/** The body as text, at most `limit` bytes; the rest is never read. */
export async function readText(response: Response, limit: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > limit) {
      await reader.cancel();
      return text + decoder.decode(value.subarray(0, limit - (bytes - value.length)));
    }
    text += decoder.decode(value, { stream: true });
  }
}
