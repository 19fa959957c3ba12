/** The service's HTTP: `/call` of the interface, hang-up, recordings, and what operators need. */
import { send } from '@fastify/send';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { carriesToken, hashToken, readBearerToken } from '../../shared/server/bearer-token.ts';
import { maskNumber } from '../../shared/server/log.ts';
import {
  type FieldProblem,
  fieldRefusal,
  type ReceivedCall,
  type Refusal,
  readCall,
} from '../../shared/server/read-call.ts';
import type { CallOriginator, Placed, RefusalCode } from './calls/call-originator.ts';
import type { PbxCallRequest } from './calls/pbx-call-request.ts';
import type { PbxMetrics } from './metrics.ts';
import { encodedPath, type RecordingSigner, recordingPath } from './recordings/recording-address.ts';
import { isReturnAllowed, type PbxSettings } from './settings.ts';
import type { PbxStore } from './store/pbx-store.ts';

/** A request longer than this is no call. */
const maxBodyBytes = 64 * 1024;
const maxKeyLength = 200;

interface PbxParts {
  settings: PbxSettings;
  store: PbxStore;
  originator: CallOriginator;
  ami: { readonly isReady: boolean };
  signer: RecordingSigner;
  metrics: PbxMetrics;
  log: Logger;
}

const statusOf: Record<RefusalCode, number> = {
  // Not 503: what a gateway answers, too, proves nothing to a reader, and here nothing was placed.
  'pbx-unreachable': 424,
  'store-failed': 507,
  'number-unknown': 404,
  'pbx-refused': 422,
  'key-reused': 422,
};

export function buildPbxApp(parts: PbxParts): FastifyInstance {
  const { settings, store, originator, ami, signer, metrics, log } = parts;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: maxBodyBytes,
    requestTimeout: 15_000,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: true,
  });
  // Bodies are read by `readCall`, which names what is wrong with them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return refuse(reply, plain(status, 'invalid-request', error.message));
    log.error({ error: error.message }, 'a request failed');
    // A reader takes 504 as what it is: the phone may ring.
    return refuse(
      reply,
      plain(504, 'internal', 'The service failed; whether a call was placed is not known.'),
    );
  });
  app.setNotFoundHandler((request, reply) =>
    refuse(reply, {
      status: 404,
      code: 'wrong-path',
      message: `path: nothing at ${request.method} ${request.url.split('?')[0]}; calls are placed at /call`,
      errors: [],
    }),
  );

  const isToken = (value: string) => store.hasToken(hashToken(value));

  app.route({
    method: ['GET', 'POST'],
    url: '/call',
    // A HEAD must not place a call.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const read = readCall(received(request), isToken, ownRules(settings));
      if (!read.ok) return refuse(reply, read.refusal);
      const key = request.headers['idempotency-key'];
      if (
        key !== undefined &&
        (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key) || key.length > maxKeyLength)
      )
        return refuse(
          reply,
          fieldRefusal([
            {
              field: 'Idempotency-Key',
              expected: `1 to ${maxKeyLength} visible characters`,
              got: 'something else',
            },
          ]),
        );
      const call = read.request as PbxCallRequest;
      const placed = await originator.place(call, key);
      log.info({ from: call.from, to: maskNumber(call.to), outcome: placed.kind }, 'a call was asked for');
      return answerPlaced(reply, placed);
    },
  });

  app.delete<{ Params: { callid: string } }>('/call/:callid', async (request, reply) => {
    const refusal = tokenRefusal(request, isToken);
    if (refusal) return refuse(reply, refusal);
    const { callid } = request.params;
    switch (await originator.hangUp(callid)) {
      case 'asked':
        return reply
          .code(202)
          .send({ status: 'OK', callstatus: 'HangingUp', message: 'Hang-up asked for', callid });
      case 'finished':
        return refuse(reply, plain(409, 'finished', 'callid: this call is over already'));
      case 'unknownCall':
        return refuse(reply, plain(404, 'unknown-call', 'callid: expected the id of a call of this service'));
      case 'unreachable':
        return refuse(reply, plain(503, 'pbx-unreachable', 'Asterisk is not reachable; the call goes on.'));
    }
  });

  app.get<{ Params: { '*': string }; Querystring: Record<string, string> }>(
    '/recordings/*',
    async (request, reply) => {
      const file = request.params['*'];
      const { expires = '', signature = '' } = request.query;
      // One answer for all failures: it says nothing about which recordings exist.
      const isValid =
        typeof expires === 'string' &&
        typeof signature === 'string' &&
        signer.check(file, expires, signature, Date.now());
      const path =
        isValid && settings.recordingsFolder !== undefined
          ? await recordingPath(settings.recordingsFolder, file)
          : undefined;
      if (path === undefined)
        return refuse(
          reply,
          plain(404, 'no-recording', 'There is no such recording, or its address has expired.'),
        );
      const sent = await send(request.raw, encodedPath(file), {
        root: settings.recordingsFolder!,
        dotfiles: 'deny',
        index: false,
        cacheControl: false,
      });
      reply.code(sent.statusCode).headers(sent.headers as Record<string, string>);
      return reply.send(sent.stream);
    },
  );

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) =>
    ami.isReady
      ? { status: 'ready' }
      : refuse(reply, plain(503, 'pbx-unreachable', 'Asterisk is not reachable.')),
  );
  app.get('/metrics', async (request, reply) => {
    const { metricsToken } = settings;
    if (metricsToken !== undefined && !carriesToken(request.headers.authorization, metricsToken))
      return refuse(
        reply,
        plain(401, 'missing-token', 'Metrics need the token in DIALMARK_PBX_METRICS_TOKEN.'),
      );
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
  return app;
}

function received(request: FastifyRequest): ReceivedCall {
  return {
    method: request.method,
    headers: request.headers,
    query: new URLSearchParams(request.url.split('?').slice(1).join('?')),
    body: typeof request.body === 'string' ? request.body : undefined,
  };
}

/** Fields beyond the interface's, and what this service demands of one of them. */
function ownRules(settings: PbxSettings) {
  return {
    events: {
      expected: '"hangup" or "all"',
      accepts: (value: unknown) => value === 'hangup' || value === 'all',
    },
    returnurl: {
      expected: 'an http(s) address of an allowed host; DIALMARK_PBX_RETURN_HOSTS lists them',
      accepts: (value: unknown) =>
        typeof value === 'string' && /^https?:\/\//i.test(value) && isReturnAllowed(settings, value),
    },
  };
}

function tokenRefusal(request: FastifyRequest, isToken: (value: string) => boolean): Refusal | undefined {
  const bearer = readBearerToken(request.headers.authorization);
  const { token = bearer } = request.query as { token?: string };
  if (token === undefined)
    return plain(401, 'missing-token', 'token: expected "Authorization: Bearer <token>", got none');
  return typeof token === 'string' && isToken(token)
    ? undefined
    : plain(401, 'wrong-token', "token: the one sent is not this service's");
}

const plain = (status: number, code: string, message: string, errors: FieldProblem[] = []): Refusal => ({
  status,
  code,
  message,
  errors,
});

function refuse(reply: FastifyReply, { status, code, message, errors }: Refusal): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).send({ status: 'ERROR', code, message, errors });
}

/** The reply of the interface (2.2), or why there is no call. */
function answerPlaced(reply: FastifyReply, placed: Placed): FastifyReply {
  if (placed.kind === 'trying')
    return reply.send({
      status: 'OK',
      callstatus: 'Trying',
      message: 'Call in Progress',
      callid: placed.callid,
    });
  if (placed.kind === 'unknown')
    return reply.code(504).send({
      status: 'ERROR',
      code: 'pbx-silent',
      message: 'Asterisk did not answer in time; the phone may ring. Check it before calling again.',
      callid: placed.callid,
    });
  return refuse(reply, plain(statusOf[placed.code], placed.code, placed.message));
}
