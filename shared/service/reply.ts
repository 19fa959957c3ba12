/**
 * Reads the reply to `/call` (section 2.2) into the fact that it proves. Error bodies and status codes are not
 * documented (section 7). So only a reply that says why not, or a status that proves a refusal, counts as a refusal.
 * After any other reply, the phone may ring. A service that fails with 5xx may have dialled before.
 */
import type { CallErrorCode, Fact } from '../call/call.ts';
import { asText, isObject, isTooDeep, type JsonObject, parseObject, printable } from './json.ts';
import { withoutSecrets } from './without-secrets.ts';

const maxMessageLength = 300;
const maxTextLength = 64 * 1024;

/** An HTTP reply. `body` is the text as received. */
export interface HttpReply {
  status: number;
  body: string;
}

/** A reply without the secrets that it may quote: its words are kept and shown (Laws 3, 5 and 6). */
export function replyWithoutSecrets(reply: HttpReply, secrets: readonly (string | undefined)[]): HttpReply {
  const object = parseObject(reply.body);
  const body =
    object && !isTooDeep(object)
      ? JSON.stringify(withoutSecrets(object, secrets))
      : withoutSecrets(reply.body, secrets);
  return { ...reply, body };
}

export type ReplyFact = Extract<Fact, { kind: 'accepted' | 'refused' | 'notAnswered' | 'lostCall' }>;

/** @param at ISO 8601 UTC, when the reply was complete. */
export function readReply({ status, body }: HttpReply, at: string): ReplyFact {
  const object = parseObject(body);
  return object ? readReplyObject(object, status, at) : readWithoutJson(status, body, at);
}

/** Does the same for a body that is parsed already, as a client reports it to the relay. */
export function readReplyObject(body: JsonObject, httpStatus: number, at: string): ReplyFact {
  if (isAmbiguousStatus(httpStatus)) {
    const reason = reasonIn(body) ?? 'no reason';
    return failedReply(
      'notAnswered',
      at,
      'unreadableReply',
      `the service failed (HTTP ${httpStatus}): ${reason}`,
    );
  }
  const callid = asText(body.callid, 128);
  const details = callid === undefined ? {} : { callid };
  const isSuccess = httpStatus < 300;
  const saysOk = isSuccess && (wordIn(body.status) === 'ok' || wordIn(body.callstatus) === 'trying');
  const isPlaced = saysOk || (isSuccess && callid !== undefined && !saysWhyNot(body));
  // The message of a call that was started may mention a lost-call, so it is not read.
  if (isLostCall(isPlaced ? { ...body, message: undefined } : body)) return { kind: 'lostCall', at, details };
  if (saysOk || (isSuccess && callid !== undefined)) return { kind: 'accepted', at, ...details };

  const reason = reasonIn(body);
  if (httpStatus === 401 || httpStatus === 403) return wrongToken(httpStatus, at, reason);
  // The call may have been placed, so it must not look as if it was not.
  if (isSuccess && !saysWhyNot(body)) {
    const words = reason === undefined ? '' : `: ${reason}`;
    const message = `the answer says neither OK nor why not (HTTP ${httpStatus})${words}`;
    return failedReply('notAnswered', at, 'unreadableReply', message);
  }
  const message = reason ?? `the service answered ${httpStatus} without a reason`;
  return failedReply('refused', at, 'refusedByProvider', message);
}

const wordIn = (value: unknown) => asText(value)?.trim().toLowerCase();

/** Words that only a refusal begins with. "Not" is not among them: "not answered yet" describes a call that rings. */
const refusing = new Set(
  (
    'err error erro nok ko false fail failed failure falha fallo refused rejected denied ' +
    'declined invalid forbidden unauthorized unauthorised unavailable'
  ).split(' '),
);

/** What some services write in `error` of each reply, also of a call that was placed. */
const withoutError = new Set(['', '0', 'no', 'none', 'null', 'false', 'ok', 'success']);

function saysWhyNot(body: JsonObject): boolean {
  const { error, success } = body;
  const hasError = isObject(error)
    ? Object.keys(error).length > 0 && !withoutError.has(wordIn(error.code) ?? 'code')
    : !withoutError.has(wordIn(error) ?? '');
  const [first = ''] = wordIn(body.status)?.split(/[^a-z0-9]/) ?? [];
  // A 5xx may come after the call was placed.
  return hasError || success === false || refusing.has(first) || /^4\d\d$/.test(first);
}

/** Whether the service may have placed a call and failed then. 501 and 505 are sent before anything is done. */
function isAmbiguousStatus(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 505;
}

function reasonIn(body: JsonObject): string | undefined {
  const { message, error, detail, status } = body;
  const texts = [message, isObject(error) ? error.message : error, detail, status];
  return texts.map((value) => asText(value, maxTextLength)).find((text) => text !== undefined);
}

/** Reads a reply without JSON, of which only the status is known. */
function readWithoutJson(status: number, body: string, at: string): ReplyFact {
  if (status === 401 || status === 403) return wrongToken(status, at);
  if (status === 404 || status === 405)
    return failedReply('refused', at, 'wrongPath', `nothing answers at /call there (HTTP ${status})`);
  if ([400, 415, 422, 501, 505].includes(status))
    return failedReply(
      'refused',
      at,
      'refusedByProvider',
      `the service refused the request (HTTP ${status})`,
    );
  return /^\s*</.test(body)
    ? failedReply('notAnswered', at, 'notJson', `a web page answered instead of the service (HTTP ${status})`)
    : failedReply('notAnswered', at, 'unreadableReply', `the answer is not JSON (HTTP ${status})`);
}

function wrongToken(status: number, at: string, reason?: string): ReplyFact {
  const message = `the service does not accept the token (HTTP ${status})`;
  return failedReply('refused', at, 'wrongToken', reason === undefined ? message : `${message}: ${reason}`);
}

function failedReply(
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
