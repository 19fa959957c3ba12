/**
 * Sends one `/call` on a connection of its own and returns what is proven (Law 1). A fresh connection cannot be stale.
 * undici publishes `undici:client:sendHeaders` immediately before the first byte goes to a connected socket: without
 * this message, nothing was sent. Error codes do not prove it: ECONNRESET and time-outs occur before and after the
 * first byte.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { buildConnector, Client, errors } from 'undici';
import type { CallErrorCode } from '../../shared/call/call.ts';
import { deadlineSignal } from '../../shared/server/deadline.ts';
import { sharedLookup } from '../../shared/server/shared-lookup.ts';
import type { HttpReply } from '../../shared/service/reply.ts';
import type { HttpRequest } from '../../shared/service/request.ts';

/** The most bytes of a reply. The replies of interface 2.2 are shorter; a web page or a stream is cut off. */
const defaultMaxReplyBytes = 64 * 1024;

export interface SendLimits {
  /** The time for TCP and TLS. */
  connectTimeoutMs: number;
  /** The time from the connection until the whole reply is read. */
  answerTimeoutMs: number;
  /** A longer reply cuts the connection. */
  maxReplyBytes?: number;
  /** Asked once there is a connection: false where the request is not to be sent any more. */
  mayStillSend?: (() => boolean) | undefined;
}

export type Sent =
  | { kind: 'answered'; reply: HttpReply; headers: Readonly<Record<string, unknown>> }
  /** Proven: no byte of the request left. */
  | { kind: 'notSent'; code: CallErrorCode; message: string }
  | { kind: 'notAnswered'; code: CallErrorCode; message: string };

/** Sockets that got the first byte of a request; each dial looks up only the socket it made. */
const written = new WeakSet<object>();
subscribe('undici:client:sendHeaders', (message) => {
  written.add((message as { socket: object }).socket);
});

/** An `HttpRequest` that may also use `PUT`, which a CRM needs. */
type SendRequest = Omit<HttpRequest, 'method'> & { method: HttpRequest['method'] | 'PUT' };

export async function sendOnce(request: SendRequest, limits: SendLimits): Promise<Sent> {
  const url = new URL(request.url);
  const sockets: Socket[] = [];
  const connect = buildConnector({
    timeout: limits.connectTimeoutMs,
    lookup: sharedLookup,
    allowH2: false,
    maxCachedSessions: 0,
  });
  const client = new Client(url.origin, {
    connect: (options, callback) => {
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error) return callback(...result);
        if (limits.mayStillSend?.() === false) {
          socket.destroy();
          return callback(new errors.ConnectTimeoutError('connected too late'), null);
        }
        sockets.push(socket);
        callback(...result);
      });
    },
    pipelining: 1,
    headersTimeout: limits.answerTimeoutMs,
    bodyTimeout: limits.answerTimeoutMs,
    maxResponseSize: limits.maxReplyBytes ?? defaultMaxReplyBytes,
  });
  const wasSent = () => sockets.some((socket) => written.has(socket));
  const deadline = deadlineSignal(limits.connectTimeoutMs + limits.answerTimeoutMs);
  try {
    const response = await client.request({
      path: url.pathname + url.search,
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      reset: true,
      idempotent: false,
      signal: deadline.signal,
    });
    // Redirects are not followed: where they lead is not what the operator configured.
    if (response.statusCode >= 300 && response.statusCode < 400)
      return {
        kind: 'notAnswered',
        code: 'redirected',
        message: `the service's address answers with a redirect (HTTP ${response.statusCode})`,
      };
    const reply = { status: response.statusCode, body: await response.body.text() };
    return { kind: 'answered', reply, headers: response.headers };
  } catch (error) {
    return wasSent() ? lost(error, deadline.signal) : unsent(error);
  } finally {
    deadline.end();
    await client.destroy().catch(() => {});
  }
}

function undiciCodeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name ?? 'unknown');
}

function lost(error: unknown, deadline: AbortSignal): Sent {
  const code = undiciCodeOf(error);
  if (deadline.aborted || /TIMEOUT/i.test(code))
    return { kind: 'notAnswered', code: 'noAnswerInTime', message: 'the service did not answer in time' };
  if ((error as Error).name === 'HTTPParserError' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE')
    return {
      kind: 'notAnswered',
      code: 'unreadableReply',
      message: 'the answer of the service cannot be read',
    };
  return {
    kind: 'notAnswered',
    code: 'connectionLost',
    message: 'the connection to the service broke before its answer',
  };
}

/** Node's and OpenSSL's codes for a certificate that does not prove the server's identity. */
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|HOSTNAME_MISMATCH/;

function unsent(error: unknown): Sent {
  const code = undiciCodeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { kind: 'notSent', code: 'notFound', message: 'the name of the service is not known (DNS)' };
  if (certificate.test(code))
    return {
      kind: 'notSent',
      code: 'insecure',
      message: `the service could not prove who it is (${code})`,
    };
  return { kind: 'notSent', code: 'unreachable', message: `the service cannot be reached (${code})` };
}
