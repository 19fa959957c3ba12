/**
 * Sends one `/call` by fetch, once, and returns what the reply proves. A browser cannot prove that nothing was sent.
 * So a failed fetch is always `notAnswered`, and never a reason to try again (Law 1).
 */
import { privateRequest } from '../../../shared/private-request.ts';
import { readTextUpTo } from '../../../shared/read-text.ts';
import {
  type HttpReply,
  type ReplyFact,
  readReply,
  replyWithoutSecrets,
} from '../../../shared/service/reply.ts';
import type { HttpRequest } from '../../../shared/service/request.ts';

/** The service's replies (section 2.2) are shorter. A web page or a stream in their place is cut at this size. */
const maxReplyBytes = 64 * 1024;

/** What the request proved, and the reply if there was one. The request's secrets are removed from the reply. */
interface SentCall {
  fact: ReplyFact;
  reply?: HttpReply;
}

/** @param secrets to remove from the reply. @param timeoutMs from the start until the whole reply is read. */
export async function sendCall(
  request: HttpRequest,
  secrets: readonly (string | undefined)[],
  timeoutMs: number,
): Promise<SentCall> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: timeout,
      ...privateRequest,
    });
    const received = { status: response.status, body: await readTextUpTo(response, maxReplyBytes) };
    const reply = replyWithoutSecrets(received, secrets);
    return { fact: readReply(reply, new Date().toISOString()), reply };
  } catch {
    const error = timeout.aborted
      ? ({ code: 'noAnswerInTime', message: 'the service did not answer in time' } as const)
      : ({
          code: 'connectionLost',
          message: 'the connection to the service broke before its answer',
        } as const);
    return { fact: { kind: 'notAnswered', at: new Date().toISOString(), error } };
  }
}
