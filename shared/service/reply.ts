/**
 * Reads the reply to `/call` (section 2.2) into the fact that it proves. The error body and the status codes are not
 * documented (section 7), so what does not plainly say `OK` is read as what it can be at most: a refusal only where the
 * service itself answered in JSON; else the call may be ringing. Whoever fails with 5xx may have dialled before, whatever it says.
 */
import type { CallErrorCode, Fact } from '../call/call.ts';
import { asText, isObject, type JsonObject, parseObject, printable } from './json.ts';

const maxMessageLength = 300;
const maxTextLength = 64 * 1024;

/** An HTTP reply. `body` is the text as received. */
export interface HttpReply {
  status: number;
  body: string;
}

/**
 * A reply without the token that was sent: a service that refuses it may quote it, and its words are kept and shown (Laws 3
 * and 5). A token too short to be one could be part of any word.
 */
export function withoutToken(reply: HttpReply, token: string): HttpReply {
  return token.length < 8 ? reply : { ...reply, body: reply.body.replaceAll(token, '[removed]') };
}

export type ReplyFact = Extract<Fact, { kind: 'accepted' | 'refused' | 'notAnswered' | 'lostCall' }>;

/** @param at ISO 8601 UTC, when the reply was complete. */
export function readReply({ status, body }: HttpReply, at: string): ReplyFact {
  const object = parseObject(body);
  return object ? readReplyObject(object, status, at) : readWithoutJson(status, body, at);
}

/** The same, where the body is parsed already: so a client reports it to the relay. */
export function readReplyObject(body: JsonObject, httpStatus: number, at: string): ReplyFact {
  const callid = asText(body.callid, 128);
  const details = callid === undefined ? {} : { callid };
  if (isAmbiguous(httpStatus)) {
    const reason = reasonIn(body) ?? 'no reason';
    return failed('notAnswered', at, 'unreadableReply', `the service failed (HTTP ${httpStatus}): ${reason}`);
  }
  if (isLostCall(body)) return { kind: 'lostCall', at, details };

  const status = asText(body.status)?.toUpperCase();
  const isTrying = asText(body.callstatus)?.toLowerCase() === 'trying';
  if (httpStatus < 300 && (status === 'OK' || (status === undefined && isTrying)))
    return { kind: 'accepted', at, ...details };

  const reason = reasonIn(body);
  if (httpStatus === 401 || httpStatus === 403) return wrongToken(httpStatus, at, reason);
  // Accepted by HTTP without a word of refusal: it may have been placed, so it must not look as if it was not.
  if (httpStatus < 300 && reason === undefined)
    return failed(
      'notAnswered',
      at,
      'unreadableReply',
      `the answer says neither OK nor why not (HTTP ${httpStatus})`,
    );
  const message = reason ?? `the service answered ${httpStatus} without a reason`;
  return failed('refused', at, 'refusedByProvider', message);
}

/** 501 and 505 are answered before anything is done. */
function isAmbiguous(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 505;
}

function reasonIn(body: JsonObject): string | undefined {
  const { message, error, detail, status } = body;
  const texts = [message, isObject(error) ? error.message : error, detail, status];
  return texts.map((value) => asText(value, maxTextLength)).find((text) => text !== undefined);
}

/** Without JSON only the status is known. */
function readWithoutJson(status: number, body: string, at: string): ReplyFact {
  if (status === 401 || status === 403) return wrongToken(status, at);
  if (status === 404 || status === 405)
    return failed('refused', at, 'wrongPath', `nothing answers at /call there (HTTP ${status})`);
  if ([400, 415, 422, 501, 505].includes(status))
    return failed('refused', at, 'refusedByProvider', `the service refused the request (HTTP ${status})`);
  return /^\s*</.test(body)
    ? failed('notAnswered', at, 'notJson', `a web page answered instead of the service (HTTP ${status})`)
    : failed('notAnswered', at, 'unreadableReply', `the answer is not JSON (HTTP ${status})`);
}

function wrongToken(status: number, at: string, reason?: string): ReplyFact {
  const message = `the service does not accept the token (HTTP ${status})`;
  return failed('refused', at, 'wrongToken', reason === undefined ? message : `${message}: ${reason}`);
}

function failed(
  kind: 'refused' | 'notAnswered',
  at: string,
  code: CallErrorCode,
  message: string,
): ReplyFact {
  return { kind, at, error: { code, message: printable(message).slice(0, maxMessageLength) } };
}

const lostCallMembers = ['status', 'callstatus', 'event', 'message', 'error', 'code'] as const;

/**
 * `lost-call` (section 7): the caller did not answer in time. Where it appears is not documented, so every member that
 * could hold it is read, in a reply and in a notification alike.
 */
export function isLostCall(body: JsonObject): boolean {
  return lostCallMembers.some((name) => {
    const value = body[name];
    if (typeof value === 'string') return /\blost[-_ ]?call\b/i.test(value);
    // `error` as an object with a code or a message is the other common form.
    return name === 'error' && isObject(value) && isLostCall({ ...value, error: undefined });
  });
}
