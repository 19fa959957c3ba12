/** The service's HTTP: `/call` of the interface, hang-up, recordings, and what operators need. */
import { send } from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { carriesToken, hashToken, readBearerToken } from '../../shared/server/bearer-token.ts';
import { createHttpServer, type MakeError } from '../../shared/server/http-server.ts';
import { watchLateRequests } from '../../shared/server/late-request.ts';
import { maskNumber } from '../../shared/server/log.ts';
import { ServiceError, serviceError } from '../../shared/server/service-error.ts';
import { isStoreFailure } from '../../shared/server/sqlite-connection.ts';
import { fieldRefusal, type ReceivedCall, readCall } from '../../shared/service/read-call.ts';
import { ourFeatures } from '../../shared/service/request.ts';
import type { CallOriginator, Originated, RefusalCode } from './calls/call-originator.ts';
import type { OpenCalls } from './calls/open-calls.ts';
import type { PbxMetrics } from './metrics.ts';
import {
  codeOrMessage,
  encodedPath,
  type RecordingSigner,
  recordingPath,
} from './recordings/recording-address.ts';
import { isReturnAllowed, type PbxSettings } from './settings.ts';
import type { PbxStore } from './store/pbx-store.ts';

const maxKeyLength = 200;
const maxFailedRequestsPerMinute = 100;

interface PbxParts {
  settings: PbxSettings;
  store: PbxStore;
  originator: CallOriginator;
  openCalls: OpenCalls;
  ami: { readonly isReady: boolean; readonly isLoginRefused?: boolean };
  signer: RecordingSigner;
  metrics: PbxMetrics;
  log: Logger;
}

const statusOfRefusal: Record<RefusalCode, number> = {
  // A gateway also sends 503, so 503 is not used. These codes prove that no call was placed.
  'pbx-unreachable': 424,
  'store-failed': 507,
  'number-unknown': 404,
  'pbx-refused': 422,
  'key-reused': 422,
};

const makeError: MakeError = (code, { detail = 'The request is not understood.' }, request) => {
  if (code === 'notFound')
    return serviceError(
      404,
      'wrong-path',
      `path: nothing at ${request.method} ${request.url.split('?')[0]}; calls are placed at /call`,
    );
  if (code === 'tooManyRequests')
    return serviceError(
      429,
      'too-many-requests',
      'Too many wrong tokens came from this address; wait a minute.',
    );
  // Readers of 504 know its meaning: the phone may ring.
  if (code === 'internal')
    return serviceError(504, 'internal', 'The service failed; whether a call was placed is not known.');
  return serviceError(code === 'bodyTooLarge' ? 413 : 400, 'invalid-request', detail);
};

export function buildPbxApp(parts: PbxParts): FastifyInstance {
  const { settings, store, originator, ami, metrics, log } = parts;
  const app = createHttpServer({
    log,
    makeError,
    bodies: 'text',
    maxFailedRequestsPerMinute,
    // The store is read before Asterisk is asked. A write that fails later is kept and repeated.
    toProblem: (error) => {
      if (!isStoreFailure(error)) return undefined;
      log.error({ error: error.message }, 'the store cannot be read');
      return serviceError(507, 'store-failed', 'The service cannot use its store; nothing was done.');
    },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  const isGivenUp = watchLateRequests(app);
  app.route({
    method: ['GET', 'POST'],
    url: '/call',
    // A HEAD must not place a call.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      let tokenId: string | undefined;
      const isToken = (value: string) => {
        tokenId = store.tokenId(hashToken(value));
        return tokenId !== undefined;
      };
      const read = readCall(received(request), isToken, ownRules(settings));
      if (!read.ok) throw new ServiceError(read.refusal);
      const key = idempotencyKeyOf(request);
      const call = read.request;
      if (await isGivenUp(request)) {
        log.warn('a call was not placed: its client gave up while this service was stopped');
        throw serviceError(400, 'invalid-request', 'The connection ended before the call was placed.');
      }
      const placed = await originator.place(call, tokenId!, key);
      log.info(
        { from: maskNumber(call.from), to: maskNumber(call.to), outcome: placed.kind },
        'a call was asked for',
      );
      return answerPlaced(reply, placed);
    },
  });
  addHangUp(app, parts);
  addRecordings(app, parts);

  app.get('/healthz', async () => ({ status: 'ok', ...ourFeatures }));
  app.get('/readyz', async () => {
    if (store.isReplaced() || parts.openCalls.isStoreBehind)
      throw serviceError(503, 'store-failed', 'The store cannot be used; the log says why.');
    if (ami.isLoginRefused)
      throw serviceError(503, 'pbx-unreachable', 'Asterisk refuses the login: its user or secret is wrong.');
    if (!ami.isReady) throw serviceError(503, 'pbx-unreachable', 'Asterisk is not reachable.');
    return { status: 'ready' };
  });
  app.get('/metrics', async (request, reply) => {
    const { metricsToken } = settings;
    if (metricsToken !== undefined && !carriesToken(request.headers.authorization, metricsToken))
      throw serviceError(401, 'missing-token', 'Metrics need the token in DIALMARK_PBX_METRICS_TOKEN.');
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
  return app;
}

function addHangUp(app: FastifyInstance, { store, openCalls, log }: PbxParts): void {
  app.delete<{ Params: { callid: string } }>('/call/:callid', async (request, reply) => {
    const { callid } = request.params;
    const result = await openCalls.hangUp(callid, tokenIdOf(request, store));
    log.info({ callid, outcome: typeof result === 'string' ? result : 'refused' }, 'a hang-up was asked for');
    if (typeof result !== 'string')
      throw serviceError(422, 'pbx-refused', `Asterisk refused to hang up: ${result.refused}`);
    switch (result) {
      case 'asked':
        return reply
          .code(202)
          .send({ status: 'OK', callstatus: 'HangingUp', message: 'Hang-up asked for', callid });
      case 'finished':
        throw serviceError(409, 'finished', 'callid: this call is over already');
      case 'unknownCall':
        throw serviceError(404, 'unknown-call', 'callid: expected the id of a call that this token placed');
      case 'unreachable':
        throw serviceError(503, 'pbx-unreachable', 'Asterisk is not reachable; the call may go on.');
      case 'silent':
        throw serviceError(504, 'pbx-silent', 'Asterisk did not answer in time; the call may go on.');
    }
  });
}

function addRecordings(app: FastifyInstance, { settings, signer, log }: PbxParts): void {
  const isThere = async (folder: string, file: string) => {
    try {
      return (await recordingPath(folder, file)) !== undefined;
    } catch (error) {
      log.error({ error: codeOrMessage(error) }, 'a recording could not be read');
      return false;
    }
  };
  app.get<{ Params: { '*': string }; Querystring: Record<string, unknown> }>(
    '/recordings/*',
    async (request, reply) => {
      const file = request.params['*'];
      const { expires, signature } = request.query;
      const { recordingsFolder } = settings;
      const isSigned =
        typeof expires === 'string' &&
        typeof signature === 'string' &&
        signer.check(file, expires, signature, Date.now());
      // One answer for all failures: it says nothing about which recordings exist.
      if (!isSigned || recordingsFolder === undefined || !(await isThere(recordingsFolder, file)))
        throw serviceError(404, 'no-recording', 'There is no such recording, or its address has expired.');
      const sent = await send(request.raw, encodedPath(file), {
        root: recordingsFolder,
        dotfiles: 'deny',
        index: false,
        cacheControl: false,
      });
      // Pages of other sites play the recording.
      reply.header('cross-origin-resource-policy', 'cross-origin');
      reply.code(sent.statusCode).headers(sent.headers as Record<string, string>);
      return reply.send(sent.stream);
    },
  );
}

function received(request: FastifyRequest): ReceivedCall {
  return {
    method: request.method,
    headers: request.headers,
    query: new URLSearchParams(request.url.split('?').slice(1).join('?')),
    body: typeof request.body === 'string' ? request.body : undefined,
  };
}

/** @throws ServiceError where it is not a key. */
function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) && key.length <= maxKeyLength) return key;
  const expected = `1 to ${maxKeyLength} visible characters`;
  throw new ServiceError(fieldRefusal([{ field: 'Idempotency-Key', expected, got: 'something else' }]));
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

/** @throws ServiceError 401 where the request has none of our tokens. */
function tokenIdOf(request: FastifyRequest, store: PbxStore): string {
  const { token = readBearerToken(request.headers.authorization) } = request.query as { token?: unknown };
  if (token === undefined)
    throw serviceError(401, 'missing-token', 'token: expected "Authorization: Bearer <token>", got nothing');
  const id = typeof token === 'string' ? store.tokenId(hashToken(token)) : undefined;
  if (id === undefined)
    throw serviceError(401, 'wrong-token', "token: expected one of this service's, got another");
  return id;
}

/** The reply of the interface (2.2), or why there is no call. */
function answerPlaced(reply: FastifyReply, placed: Originated): FastifyReply {
  const { kind } = placed;
  if (kind === 'refused') throw serviceError(statusOfRefusal[placed.code], placed.code, placed.message);
  const { callid } = placed;
  return kind === 'trying'
    ? reply.send({ status: 'OK', callstatus: 'Trying', message: 'Call in Progress', callid })
    : reply.code(504).send({
        status: 'ERROR',
        code: 'pbx-silent',
        message: 'Asterisk did not answer in time; the phone may ring. Check it before calling again.',
        callid,
      });
}
