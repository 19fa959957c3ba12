/**
 * Sends one request to a CRM and says what its reply proves. A request is sent once. Redirects are not followed, so a
 * token goes to the configured host alone. A reply that is not JSON does not prove what was done.
 */
import { loginHeader } from '../../../shared/server/login-header.ts';
import { type SendLimits, sendOnce } from '../../dial/send-once.ts';
import { CrmError } from './crm-error.ts';

export interface CrmRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Path and query, from `/`. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
  /** True if the request changes something in the CRM. If its result is not proven, it is `unsure`. */
  isWrite?: boolean;
  /** True where the status alone says what was done: the body of the reply is then not read as JSON. */
  hasAnyReply?: boolean;
  /** Asked once there is a connection: false where the request is not to be sent any more. */
  mayStillSend?: () => boolean;
}

export interface CrmReply {
  status: number;
  /** Undefined where the body is empty. */
  json: unknown;
}

export interface CrmClient {
  /** @throws CrmError unless the CRM has answered below 500, with a body that is empty, JSON, or not to be read. */
  request(request: CrmRequest): Promise<CrmReply>;
}

/** Together, the times are less than the minute that a delivery may take. */
const limits: SendLimits = {
  connectTimeoutMs: 5_000,
  answerTimeoutMs: 15_000,
  maxReplyBytes: 8 * 1024 * 1024,
};

/** How long a request can take. An entry that may have been created is looked for after more than twice that time. */
export const maxRequestMs = limits.connectTimeoutMs + limits.answerTimeoutMs;

/** @param baseUrl without a trailing slash. @param different limits, in place of the usual ones. */
export function crmClient(baseUrl: string, different: Partial<SendLimits> = {}): CrmClient {
  // The login of a proxy before a CRM, or of a webhook. A connector's own login takes its place.
  const login = loginHeader(baseUrl);
  return {
    async request({ method, path, headers, body, isWrite = false, hasAnyReply = false, mayStillSend }) {
      const sent = await sendOnce(
        {
          url: baseUrl + path,
          method,
          headers: {
            accept: 'application/json',
            'user-agent': 'dialmark',
            ...login,
            ...headers,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        { ...limits, ...different, mayStillSend },
      );
      const unproven = isWrite ? 'unsure' : 'later';
      if (sent.kind === 'notSent')
        // `notFound` is the reason for a missing record, so an unknown host gets another reason.
        throw sent.code === 'insecure'
          ? new CrmError('misconfigured', 'insecure')
          : new CrmError('later', sent.code === 'notFound' ? 'unknownHost' : sent.code);
      if (sent.kind === 'notAnswered')
        // A redirect leads to a login or another host: what was sent was not done.
        throw sent.code === 'redirected'
          ? new CrmError('misconfigured', 'redirected')
          : new CrmError(unproven, sent.code);
      const { status, body: text } = sent.reply;
      const replied = sent.headers;
      if (status === 401) throw new CrmError('misconfigured', 'unauthorized');
      if (status === 429) throw new CrmError('later', 'tooManyRequests', retryAfterMs(replied));
      if (status >= 500) throw new CrmError(unproven, `http${status}`, retryAfterMs(replied));
      return { status, json: hasAnyReply ? undefined : readJson(text, status, unproven) };
    },
  };
}

function readJson(text: string, status: number, unproven: 'unsure' | 'later'): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A 4xx has done nothing, whatever its page says. A page with 200 is a login, or another program.
    if (status >= 400) return undefined;
    throw new CrmError(unproven, 'notJson');
  }
}

/** Reads the header in seconds, or as a date. @returns at most an hour. */
function retryAfterMs(headers: Readonly<Record<string, unknown>>): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const ms = /^\d{1,6}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), 3_600_000);
}
