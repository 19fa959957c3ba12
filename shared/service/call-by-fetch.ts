/**
 * Sends one `/call` by fetch, once, and says what its outcome proves. A browser has no lower-level proof of "not sent", so a
 * failed fetch is always `notAnswered`, never a reason to try again (Law 1).
 */
import { type HttpReply, type ReplyFact, readReply } from './reply.ts';
import type { HttpRequest } from './request.ts';

/** More than any reply of section 2.2; a page or a stream in its place is cut there. */
const maxReplyBytes = 64 * 1024;

/** What the request proved, and the reply as received, where there was one. */
export interface SentCall {
  fact: ReplyFact;
  reply?: HttpReply;
}

/** @param timeoutMs from the start until the whole reply is read. */
export async function sendCall(request: HttpRequest, timeoutMs: number): Promise<SentCall> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: timeout,
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    const reply = { status: response.status, body: await readText(response, maxReplyBytes) };
    return { fact: readReply(reply, now()), reply };
  } catch {
    const error = timeout.aborted
      ? ({ code: 'noAnswerInTime', message: 'the service did not answer in time' } as const)
      : ({
          code: 'connectionLost',
          message: 'the connection to the service broke before its answer',
        } as const);
    return { fact: { kind: 'notAnswered', at: now(), error } };
  }
}

const now = () => new Date().toISOString();

/** Reads the body as text, at most `maxBytes` of it; the rest stays unread. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      return text + decoder.decode(value.subarray(0, maxBytes - (bytes - value.length)));
    }
    text += decoder.decode(value, { stream: true });
  }
}
