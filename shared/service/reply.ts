/**
 * The reply to `/call` (section 2.2), read into the fact it proves. The error body's shape and the status codes are not
 * documented (section 7), so anything that does not plainly say `OK` is read as what it can be at most:
 * a refusal only where the service itself answered in JSON; else the call may be ringing.
 */
import type { CallError, Fact } from '../call/call.ts';
import { isLostCall } from './lost-call.ts';

const maxMessage = 300;

/** What came back over HTTP. `body` is the text as received. */
export interface HttpReply {
  status: number;
  body: string;
}

export type ReplyFact = Extract<Fact, { kind: 'accepted' | 'refused' | 'notAnswered' | 'lostCall' }>;

/** @param at ISO 8601 UTC, when the reply was complete. */
export function readReply(reply: HttpReply, at: string): ReplyFact {
  const body = parseObject(reply.body);
  if (body === undefined || isGateway(reply.status)) return withoutJson(reply, at);
  return readReplyObject(body, reply.status, at);
}

/** The same, where the body is parsed already: a client reports it to the relay so. */
export function readReplyObject(body: Record<string, unknown>, httpStatus: number, at: string): ReplyFact {
  if (isLostCall(body)) return { kind: 'lostCall', at, details: detailsOf(body) };

  const status = text(body.status)?.toUpperCase();
  const trying = text(body.callstatus)?.toLowerCase() === 'trying';
  if (httpStatus < 300 && (status === 'OK' || (status === undefined && trying)))
    return { kind: 'accepted', at, ...detailsOf(body) };

  const said = saidBy(body);
  // Accepted by HTTP, and not a word of a refusal: it may have been placed, so it must not look like it was not.
  if (httpStatus < 300 && said === undefined)
    return {
      kind: 'notAnswered',
      at,
      error: {
        code: 'unreadableReply',
        message: `the answer says neither OK nor why not (HTTP ${httpStatus})`,
      },
    };
  if (httpStatus === 401 || httpStatus === 403)
    return { kind: 'refused', at, error: wrongToken(httpStatus, said) };
  return {
    kind: 'refused',
    at,
    error: {
      code: 'refusedByProvider',
      message: clean(said ?? `the service answered ${httpStatus} without a reason`),
    },
  };
}

function saidBy(body: Record<string, unknown>): string | undefined {
  const error = body.error;
  const inError =
    typeof error === 'object' && error !== null
      ? text((error as Record<string, unknown>).message)
      : undefined;
  return text(body.message) ?? inError ?? text(error) ?? text(body.detail) ?? text(body.status);
}

/** 502 to 504 speak for a gateway, whatever their body says: the service behind it may have the request and dial. */
function isGateway(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** Without JSON the status is all there is; a gateway's 5xx page does not prove that the service behind it did nothing. */
function withoutJson(reply: HttpReply, at: string): ReplyFact {
  if (reply.status === 401 || reply.status === 403)
    return { kind: 'refused', at, error: wrongToken(reply.status, undefined) };
  if (reply.status === 404 || reply.status === 405)
    return {
      kind: 'refused',
      at,
      error: { code: 'wrongPath', message: `nothing answers at /call there (HTTP ${reply.status})` },
    };
  if (reply.status === 400 || reply.status === 415 || reply.status === 422)
    return {
      kind: 'refused',
      at,
      error: { code: 'refusedByProvider', message: `the service refused the request (HTTP ${reply.status})` },
    };
  const looksLikePage = /^\s*</.test(reply.body);
  return {
    kind: 'notAnswered',
    at,
    error: looksLikePage
      ? { code: 'notJson', message: `a web page answered instead of the service (HTTP ${reply.status})` }
      : { code: 'unreadableReply', message: `the answer is not JSON (HTTP ${reply.status})` },
  };
}

function wrongToken(status: number, said: string | undefined): CallError {
  return {
    code: 'wrongToken',
    message: clean(`the service does not accept the token (HTTP ${status})${said ? `: ${said}` : ''}`),
  };
}

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function detailsOf(body: Record<string, unknown>): { callid?: string } {
  const callid = text(body.callid);
  return callid === undefined ? {} : { callid: callid.slice(0, 128) };
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function clean(message: string): string {
  // Control characters and direction overrides could forge what a log line or a page shows.
  return message.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, maxMessage);
}
