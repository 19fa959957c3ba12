/** The HTTP server: routes, problems, CORS, limits and headers (OWASP ASVS 5.0) around them. */
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ProblemError, problemType } from './problem.ts';
import type { RelayContext } from './relay-context.ts';
import { callRoutes } from './routes/calls.ts';
import { eventRoutes } from './routes/events.ts';
import { notificationRoutes } from './routes/notification.ts';
import { operationRoutes } from './routes/operations.ts';
import { ticketRoutes } from './routes/tickets.ts';
import { StoreError } from './store/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's text, before it was parsed. */
    json?: string;
  }
}

const maxBodyBytes = 64 * 1024;
const minute = 60_000;

/** ASVS 3.4, 4.1: an interface that shows no pages needs none of what pages may do. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-site',
} as const;

const extensionOrigin = /^(chrome|moz)-extension:\/\/[a-z0-9-]{1,64}$/i;

/** Fastify's own refusals, as problems. */
const fromFastify: Record<string, ConstructorParameters<typeof ProblemError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['bodyTooLarge', { detail: `At most ${maxBodyBytes} bytes.` }],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['notJson', { detail: 'Send content-type: application/json.' }],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['badRequest', { detail: 'The body is empty.' }],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['badRequest', { detail: 'The content-length does not fit the body.' }],
};

export async function buildApp(relay: RelayContext): Promise<FastifyInstance> {
  const { settings, log } = relay;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Fastify's own request log names the address, which may be a capability; ours is below.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    trustProxy: settings.trustedProxies === undefined ? false : [...settings.trustedProxies],
    requestTimeout: 15_000,
    // Longer than a proxy keeps its own end, so that it never writes into a connection we are closing.
    keepAliveTimeout: 75_000,
    routerOptions: { maxParamLength: 200 },
    genReqId: requestIds(),
    // Every line of ours says itself what it is about; a child logger per request costs more than most requests.
    childLoggerFactory: (logger) => logger,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024 } as never,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      const problem = toProblem(error, relay);
      const answer = reply as FastifyReply;
      void answer
        .code(problem.status)
        .type(problemType)
        .send(JSON.stringify(problem.toBody(request.id)));
    },
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i,
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer, done) => {
      try {
        const text = decode(body);
        request.json = text;
        done(null, parseJson(text));
      } catch (error) {
        done(error as Error);
      }
    },
  );

  await app.register(cors, {
    hook: 'onRequest',
    origin: (origin, allow) =>
      allow(
        null,
        origin !== undefined && (extensionOrigin.test(origin) || relay.access.keys.allowsOrigin(origin)),
      ),
    methods: ['GET', 'POST', 'OPTIONS'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'Last-Event-ID',
      'Cache-Control',
      'Accept',
    ],
    exposedHeaders: ['Retry-After', 'Location'],
    maxAge: 600,
    strictPreflight: false,
  });

  if (settings.maxRequestsPerMinute !== undefined)
    await app.register(rateLimit, {
      max: settings.maxRequestsPerMinute,
      timeWindow: minute,
      // The provider must never be locked out, nor whoever watches over the relay.
      allowList: (request) => /^\/(h\/|healthz|readyz|metrics)/.test(request.url),
      errorResponseBuilder: (_request, context) =>
        new ProblemError('tooManyRequests', { retryAfter: Math.ceil(context.ttl / 1000) }),
    });

  const failures = countFailures(settings.maxFailedRequestsPerMinute);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(securityHeaders);
    reply.header('x-request-id', request.id);
    done(failures.tooMany(request) ? new ProblemError('tooManyRequests', { retryAfter: 60 }) : undefined);
  });
  app.addHook('onResponse', (request, reply, done) => {
    done();
    if (reply.statusCode === 401) failures.count(request);
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

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error, relay);
    if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter));
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="dialmark"');
    if (problem.status === 413) reply.header('connection', 'close');
    return reply
      .code(problem.status)
      .header('cache-control', 'no-store')
      .type(problemType)
      .send(JSON.stringify(problem.toBody(request.id)));
  });
  app.setNotFoundHandler((request, reply) => {
    const problem = new ProblemError('notFound');
    return reply
      .code(404)
      .type(problemType)
      .send(JSON.stringify(problem.toBody(request.id)));
  });

  for (const routes of [callRoutes, ticketRoutes, eventRoutes, notificationRoutes, operationRoutes])
    routes(app, relay);
  return app;
}

/** Unique across relays, and cheap. */
function requestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return () => `${process}-${(count++).toString(36)}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 only, and JSON only: what two parsers could read differently is refused (ASVS 1.5.3). */
function decode(body: Buffer): string {
  if (body.length === 0) throw new ProblemError('badRequest', { detail: 'The body is empty.' });
  try {
    return utf8.decode(body);
  } catch {
    throw notJson();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

const notJson = () => new ProblemError('badRequest', { detail: 'The body is not JSON in UTF-8.' });

function toProblem(error: FastifyError | ProblemError, relay: RelayContext): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof StoreError) {
    relay.metrics.storeErrors.inc({ code: error.code.slice(0, 40) });
    relay.log.error({ code: error.code, error: error.message }, 'the store refused');
    return new ProblemError('storeUnavailable', { detail: 'Nothing was kept; try again.', retryAfter: 2 });
  }
  const known = fromFastify[error.code];
  if (known) return new ProblemError(...known);
  if (error.statusCode === 414) return new ProblemError('addressTooLong');
  if (error.statusCode !== undefined && error.statusCode < 500) return new ProblemError('badRequest');
  relay.log.error({ error: error.message, stack: error.stack }, 'an error nobody expected');
  return new ProblemError('internal');
}

/** Guessing keys gets slow: an address with too many 401 within a minute is refused for the rest of it. */
function countFailures(max: number) {
  let counts = new Map<string, number>();
  let window = 0;
  const now = () => {
    const current = Math.floor(Date.now() / minute);
    if (current !== window) {
      window = current;
      counts = new Map();
    }
    return counts;
  };
  return {
    tooMany: (request: FastifyRequest) =>
      (now().get(request.ip) ?? 0) >= max && !/^\/(h\/|healthz|readyz)/.test(request.url),
    count: (request: FastifyRequest) => now().set(request.ip, (now().get(request.ip) ?? 0) + 1),
  };
}

/** What is not even HTTP. Nothing of it is logged: it may hold a credential. */
function answerBrokenRequest(error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, title] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'The request took too long']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'The headers are too large']
        : [400, 'The request is not understood'];
  const body = JSON.stringify({ type: 'urn:dialmark:problem:badRequest', title, status, code: 'badRequest' });
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} Bad Request\r\ncontent-type: ${problemType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  socket.destroySoon();
}
