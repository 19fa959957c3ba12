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
  fieldRefusal,
  maxCallBytes,
  type ReceivedCall,
  type Refusal,
  readCall,
  refusal,
} from '../../shared/service/read-call.ts';
import type { CallOriginator, Placed, RefusalCode } from './calls/call-originator.ts';
import type { PbxMetrics } from './metrics.ts';
import { encodedPath, type RecordingSigner, recordingPath } from './recordings/recording-address.ts';
import { isReturnAllowed, type PbxSettings } from './settings.ts';
import type { PbxStore } from './store/pbx-store.ts';

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
    bodyLimit: maxCallBytes,
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
    if (status < 500) return refuse(reply, refusal(status, 'invalid-request', error.message));
    log.error({ error: error.message }, 'a request failed');
    // A reader takes 504 as what it is: the phone may ring.
    return refuse(
      reply,
      refusal(504, 'internal', 'The service failed; whether a call was placed is not known.'),
    );
  });
  app.setNotFoundHandler((request, reply) =>
    refuse(
      reply,
      refusal(
        404,
        'wrong-path',
        `path: nothing at ${request.method} ${request.url.split('?')[0]}; calls are placed at /call`,
      ),
    ),
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
      const call = read.request;
      const placed = await originator.place(call, key);
      log.info({ from: call.from, to: maskNumber(call.to), outcome: placed.kind }, 'a call was asked for');
      return answerPlaced(reply, placed);
    },
  });

  app.delete<{ Params: { callid: string } }>('/call/:callid', async (request, reply) => {
    const refused = tokenRefusal(request, isToken);
    if (refused) return refuse(reply, refused);
    const { callid } = request.params;
    switch (await originator.hangUp(callid)) {
      case 'asked':
        return reply
          .code(202)
          .send({ status: 'OK', callstatus: 'HangingUp', message: 'Hang-up asked for', callid });
      case 'finished':
        return refuse(reply, refusal(409, 'finished', 'callid: this call is over already'));
      case 'unknownCall':
        return refuse(
          reply,
          refusal(404, 'unknown-call', 'callid: expected the id of a call of this service'),
        );
      case 'unreachable':
        return refuse(reply, refusal(503, 'pbx-unreachable', 'Asterisk is not reachable; the call goes on.'));
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
          refusal(404, 'no-recording', 'There is no such recording, or its address has expired.'),
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
      : refuse(reply, refusal(503, 'pbx-unreachable', 'Asterisk is not reachable.')),
  );
  app.get('/metrics', async (request, reply) => {
    const { metricsToken } = settings;
    if (metricsToken !== undefined && !carriesToken(request.headers.authorization, metricsToken))
      return refuse(
        reply,
        refusal(401, 'missing-token', 'Metrics need the token in DIALMARK_PBX_METRICS_TOKEN.'),
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

function ownRules(settings: PbxSettings) {
  return {
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
    return refusal(401, 'missing-token', 'token: expected "Authorization: Bearer <token>", got none');
  return typeof token === 'string' && isToken(token)
    ? undefined
    : refusal(401, 'wrong-token', "token: the one sent is not this service's");
}

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
  return refuse(reply, refusal(statusOf[placed.code], placed.code, placed.message));
}
