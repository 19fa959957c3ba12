/** An HTTP server for a JSON interface: strict parsing, errors in one form, limits and headers (OWASP ASVS 5.0). */
import type { AddressInfo, Socket } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { hostInUrl } from '../address.ts';
import { minuteMs } from '../durations.ts';
import { connectionsOf, followConnections } from './open-connections.ts';
import {
  commonProblem,
  type commonProblems,
  HttpError,
  type ProblemDetails,
  rawProblemResponse,
} from './problem.ts';

const maxBodyBytes = 64 * 1024;
/** How long the rest of a request may take once the server stops. Not every service sends a notification twice. */
const unfinishedGraceMs = 1000;

/** ASVS 3.4, 4.1: an interface without pages does not need what pages may do. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-site',
} as const;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bytes that are not UTF-8 are replaced, and a byte order mark is skipped. Default: such a body is refused. */
    acceptsMalformedUtf8?: boolean;
  }
}

type CommonCode = keyof typeof commonProblems;

/** Makes the error that the server replies with if the route has no error of its own. */
export type MakeError = (code: CommonCode, details: ProblemDetails, request: FastifyRequest) => HttpError;

/** Fastify's own errors. */
const fromFastify: Record<string, [CommonCode, ProblemDetails]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['bodyTooLarge', { detail: `At most ${maxBodyBytes} bytes.` }],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['notJson', { detail: 'Send content-type: application/json.' }],
  FST_ERR_BAD_URL: ['badRequest', { detail: 'path: expected UTF-8 in percent-encoding.' }],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['badRequest', { detail: 'The body is empty.' }],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['badRequest', { detail: 'The content-length does not fit the body.' }],
};

interface HttpServerOptions {
  log: Logger;
  /** Addresses or networks whose X-Forwarded-For counts. */
  trustedProxies?: readonly string[] | undefined;
  /** Maps an error of the caller's own to an HTTP error. */
  toProblem?: (error: Error) => HttpError | undefined;
  /** Default: problem documents. */
  makeError?: MakeError;
  /** `text`: a route reads its body itself, whatever its type. Default: JSON alone. */
  bodies?: 'json' | 'text';
  /** The most replies of 401 to an address within a minute. For the rest of the minute, 429 is sent in their place. */
  maxFailedRequestsPerMinute: number;
}

export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { log, trustedProxies, toProblem, makeError = commonProblem } = options;
  const isOverLimit = failedRequestLimit(options.maxFailedRequestsPerMinute);
  const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const answer =
      error instanceof HttpError
        ? error
        : (toProblem?.(error) ?? makeError(...commonCodeOf(error, log), request));
    if (answer.status !== 401 || !isOverLimit(request.ip)) return answer.send(reply);
    return makeError('tooManyRequests', { retryAfterSeconds: 60 }, request).send(reply);
  };
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Fastify's own request log has the address, which may be a capability. Our own log is below.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    trustProxy: trustedProxies === undefined ? false : [...trustedProxies],
    requestTimeout: 15_000,
    // Longer than a proxy keeps its end open, so that the proxy never writes into a connection that the server closes.
    keepAliveTimeout: 75_000,
    routerOptions: { maxParamLength: 200 },
    genReqId: requestIds(),
    // Our log lines carry their own context; a child logger per request costs more than most requests.
    childLoggerFactory: (logger) => logger,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024 } as never,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) =>
      void answerError(error, request as FastifyRequest, reply as FastifyReply),
  });
  app.removeAllContentTypeParsers();
  if (options.bodies === 'text')
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  else
    app.addContentTypeParser(
      /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) =>
        // Many clients send the type with every request. A DELETE has nothing to say in a body.
        body.length === 0 && request.method === 'DELETE'
          ? undefined
          : parseJsonBody(body, request.routeOptions.config.acceptsMalformedUtf8 ? tolerantUtf8 : strictUtf8),
    );
  followConnections(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => makeError('notFound', {}, request).send(reply));
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders);
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    if (!log.isLevelEnabled('debug') && reply.statusCode < 400) return;
    const level = reply.statusCode >= 500 ? 'error' : reply.statusCode >= 400 ? 'info' : 'debug';
    log[level](
      {
        request: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  });
  return app;
}

/**
 * Counts a reply of 401 to an address.
 * @returns whether the address has had too many within a minute. A valid credential is always served: others may share
 * the address, behind a NAT or a proxy that is not trusted.
 */
function failedRequestLimit(max: number): (address: string) => boolean {
  let counts = new Map<string, number>();
  let countedMinute = 0;
  return (address) => {
    const thisMinute = Math.floor(Date.now() / minuteMs);
    if (thisMinute !== countedMinute) counts = new Map();
    countedMinute = thisMinute;
    const count = counts.get(address) ?? 0;
    counts.set(address, count + 1);
    return count >= max;
  };
}

/** Warns once if a proxy before the server is not trusted: all requests then seem to come from its address. */
export function warnOfUntrustedProxy(app: FastifyInstance, log: Logger, setting: string): void {
  let isWarned = false;
  app.addHook('onRequest', (request, _reply, done) => {
    done();
    if (isWarned || !(request.headers['x-forwarded-for'] ?? request.headers.forwarded)) return;
    isWarned = true;
    log.warn(
      `a request came with X-Forwarded-For or Forwarded, and ${setting} names no proxy to believe it from`,
    );
  });
}

const addressProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'a free port; another program listens on',
  EADDRNOTAVAIL: 'an address of this machine; it does not have',
  EACCES: 'a port that this user may listen on, not',
};

/**
 * @param setting name of the variable that holds the address.
 * @returns the URL that the server listens on.
 * @throws Error that names the setting if the server cannot use the address.
 */
export async function listenOn(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
  setting: string,
): Promise<string> {
  // For localhost, fastify makes a second server, which accepts calls during a stop and is then cut.
  const address = host === 'localhost' ? '127.0.0.1' : host;
  await app.listen({ host: address, port, backlog: 4096 }).catch((error: NodeJS.ErrnoException) => {
    // A part of the server failed, not its address.
    if (error.syscall === undefined) throw error;
    const problem = addressProblems[error.code ?? ''];
    const expected = problem ? `${problem} ${host}:${port}` : `an address of this machine; ${error.message}`;
    throw new Error(`${setting}: expected ${expected}`);
  });
  const bound = app.server.address() as AddressInfo;
  return `http://${hostInUrl(bound.address)}:${bound.port}`;
}

/**
 * Closes the server when `work` and the replies in progress are done, but after `graceMs` at the latest. A request that
 * stays unfinished is cut earlier.
 */
export async function closeServer(
  app: FastifyInstance,
  work: Promise<unknown>,
  graceMs: number,
): Promise<void> {
  const closing = app.close();
  const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
  const connections = connectionsOf(app);
  connections.isClosing = true;
  setTimeout(() => connections.cutUnfinished(), unfinishedGraceMs).unref();
  await Promise.race([work, grace]);
  app.server.closeIdleConnections();
  await Promise.race([closing, grace]);
  app.server.closeAllConnections();
}

/** Unique across processes, and cheap. */
function requestIds(): () => string {
  const prefix = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

/** UTF-8 only, and JSON only: what two parsers could read differently is refused (ASVS 1.5.3). */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const tolerantUtf8 = new TextDecoder();

function parseJsonBody(body: Buffer, utf8: TextDecoder): unknown {
  if (body.length === 0) throw commonProblem('badRequest', { detail: 'The body is empty.' });
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw commonProblem('badRequest', { detail: 'The body is not JSON in UTF-8.' });
  }
}

function commonCodeOf(error: FastifyError, log: Logger): [CommonCode, ProblemDetails] {
  const known = fromFastify[error.code];
  if (known) return known;
  if (error.statusCode === 414) return ['addressTooLong', {}];
  if (error.statusCode !== undefined && error.statusCode < 500) return ['badRequest', {}];
  log.error({ error: error.message, stack: error.stack }, 'unexpected error');
  return ['internal', {}];
}

/** Replies to a request that is not even HTTP. The request is not logged, because it may hold a credential. */
function answerBrokenRequest(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const connections = connectionsOf(this);
  // The client would take this answer for the reply to the request before, which may have placed a call.
  if (connections.owesReply(socket)) {
    connections.endAfterReply(socket);
    return;
  }
  const [status, title] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ([408, 'The request took too long'] as const)
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? ([431, 'The headers are too large'] as const)
        : ([400, 'The request is not understood'] as const);
  if (socket.writable) socket.write(rawProblemResponse(status, title));
  socket.destroySoon();
}
