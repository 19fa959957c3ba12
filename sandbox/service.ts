/**
 * Imitates the calling service: `/call`, the notification, recordings and the registration login. It also has a demo
 * CRM and a journal. It is strict with requests and exact in replies. The last digits of the dialled number choose what
 * happens to a call (`scenarios.ts`).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { pino } from 'pino';
import { isSameSecret, readBearerToken } from '../shared/server/bearer-token.ts';
import { createHttpServer, listenOn, type MakeError } from '../shared/server/http-server.ts';
import { ServiceError, serviceError } from '../shared/server/service-error.ts';
import { parseJson } from '../shared/service/json.ts';
import {
  fieldRefusal,
  maxCallBytes,
  type RequestRefusal,
  readCall,
  refusal,
} from '../shared/service/read-call.ts';
import { ourFeatures } from '../shared/service/request.ts';
import { crmEntryRoutes } from './crm-entries.ts';
import { type CrmRelay, crmResponse } from './crm-host.ts';
import { type JournalEntry, publicJournal, type SandboxEvent, type SentNotification } from './journal.ts';
import { placeCall } from './placed-call.ts';
import { recording } from './recording.ts';
import { type Account, demoAccount, login } from './registration.ts';
import { sendReply } from './reply.ts';
import { RunningCalls } from './running-calls.ts';
import { numberFor, scenarioFor, scenarios } from './scenarios.ts';

export interface SandboxOptions {
  /** By default 3000, the local mode's port (section 8). 0: any free port. */
  port?: number;
  host?: string;
  token?: string;
  /** Every wait is divided by this; 1 is the demo's speed. The durations that calls report do not change. */
  speed?: number;
  /** Lets the CRM page embed the widget, with tickets that this site key makes for this agent. */
  relay?: CrmRelay;
  /** The account for the registration login. */
  account?: Account;
  /** Folder of the built CRM page; default `dist/crm`. */
  crm?: string;
}

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Every request to /call, oldest first, including refused ones. */
  readonly calls: readonly JournalEntry[];
  /** Every delivery to a `returnurl`, oldest first. */
  readonly notifications: readonly SentNotification[];
  /** Calls the listener at each step. Returns a function that removes it. */
  listen(listener: (event: SandboxEvent) => void): () => void;
  /** Ends a running call now. @returns false if the call is unknown or over. */
  hangUp(callid: string): boolean;
  /** Connects a relay that starts after the sandbox. */
  connectRelay(relay: CrmRelay): void;
  /** Ends every connection. Calls that are still running end without a notification. */
  close(): Promise<void>;
}

export const demoToken = 'sandbox-token';
/**
 * How many bytes of a body are read at most. A body that is too long for a call is read too, so that the client reads
 * the reply.
 */
const maxReadBytes = 1024 * 1024;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 3000, host = '127.0.0.1', token = demoToken, speed = 1, account = demoAccount } = options;
  if (!(speed > 0)) throw new Error(`speed: expected a number above 0, got ${speed}`);
  let relay = options.relay;
  let url = '';
  const calls: JournalEntry[] = [];
  const listeners = new Set<(event: SandboxEvent) => void>();
  const publish = (event: SandboxEvent) => {
    for (const listener of listeners) listener(event);
  };
  const running = new RunningCalls({
    speed,
    base: () => url,
    onNotification: (notification) => publish({ kind: 'notification', notification }),
  });
  const { notifications } = running;

  const app: FastifyInstance = createHttpServer({
    log: pino({ level: 'silent' }),
    bodies: 'text',
    maxFailedRequestsPerMinute: Number.POSITIVE_INFINITY,
    makeError: (...error) => sandboxError(app, ...error),
  });
  addCalls(app, { token, calls, running, publish });
  app.post('/api/v1/auth/login', (request, reply) => {
    const answer = login(parseJson(bodyOf(request) ?? ''), account);
    reply.code(answer.status).send(answer.body);
  });
  app.get<{ Querystring: { id?: string } }>('/recordings', (request, reply) => {
    const { id } = request.query;
    if (!running.hasRecording(id))
      throw serviceError(404, 'no-recording', `id: no recording of "${id ?? ''}"`);
    // The pages of other sites may play it.
    reply.header('cross-origin-resource-policy', 'cross-origin').type('audio/wav').send(recording());
  });
  app.get('/healthz', async () => ({ status: 'ok', ...ourFeatures }));
  crmEntryRoutes(app);
  app.get('/sandbox/calls', async () => publicJournal(calls, notifications));
  app.get('/sandbox/scenarios', async () => scenarios.map(scenarioRow));
  app.route({
    method: ['GET', 'HEAD', 'POST'],
    url: '/*',
    async handler(request, reply) {
      const address = addressOf(request);
      const isCrm = await crmResponse(request.raw, reply.raw, address, { relay, folder: options.crm });
      if (!isCrm) throw sandboxError(app, 'notFound', {}, request);
      return reply.hijack();
    },
  });
  url = await listenOn(app, { host, port }, '--port');

  return {
    url,
    port: Number(new URL(url).port),
    token,
    calls,
    notifications,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hangUp: (callid) => running.hangUp(callid, 'callee') === 'asked',
    connectRelay(next) {
      relay = next;
    },
    async close() {
      running.close();
      const closed = app.close();
      app.server.closeAllConnections();
      await closed;
    },
  };
}

const scenarioRow = ({ name, ending, title, does }: (typeof scenarios)[number]) => {
  const number = numberFor(name);
  return { name, ending, title, does, number };
};

interface CallRoutes {
  token: string;
  calls: JournalEntry[];
  running: RunningCalls;
  publish(event: SandboxEvent): void;
}

function addCalls(app: FastifyInstance, { token, calls, running, publish }: CallRoutes): void {
  const isToken = (value: string) => isSameSecret(value, token);
  const entries = new WeakMap<FastifyRequest, JournalEntry>();

  app.route({
    method: ['GET', 'POST'],
    url: '/call',
    exposeHeadRoute: false,
    bodyLimit: maxReadBytes,
    onRequest(request, _reply, done) {
      const at = new Date().toISOString();
      const entry: JournalEntry = { at, method: request.method, fields: {}, readWhole: false };
      calls.push(entry);
      entries.set(request, entry);
      request.raw.once('close', () => {
        if (!request.raw.complete) publish({ kind: 'call', call: entry });
      });
      done();
    },
    handler(request, reply) {
      const entry = entries.get(request)!;
      const refuse = (refused: RequestRefusal) => {
        entry.status = refused.status;
        publish({ kind: 'call', call: entry });
        throw new ServiceError(refused);
      };
      const body = bodyOf(request);
      if (Buffer.byteLength(body ?? '') > maxCallBytes) return refuse(tooLong);
      entry.readWhole = true;
      const query = addressOf(request).searchParams;
      const read = readCall({ method: request.method, headers: request.headers, query, body }, isToken);
      if (read.tokenPlace) entry.tokenPlace = read.tokenPlace;
      if (!read.ok) {
        entry.fields = read.fields;
        return refuse(read.refusal);
      }
      const scenario = scenarioFor(read.request.to);
      entry.fields = read.request;
      entry.scenario = scenario.name;
      if (scenario.reply === 'refused') return refuse(refusedDestination);
      const call = placeCall(read.request, scenario);
      if (scenario.reply !== 'htmlPage') entry.callid = call.callid;
      publish({ kind: 'call', call: entry });
      const answer = () => {
        entry.status = sendReply(reply, call);
        publish({ kind: 'reply', call: entry });
      };
      running.play(call, answer).catch((error: Error) => reply.sent || reply.send(error));
    },
  });

  app.delete<{ Params: { callid: string } }>('/call/:callid', async (request, reply: FastifyReply) => {
    const { callid } = request.params;
    const sent = readBearerToken(request.headers.authorization);
    if (sent === undefined || !isToken(sent))
      throw serviceError(401, 'wrong-token', "token: expected this service's");
    const outcome = running.hangUp(callid, 'system');
    if (outcome === 'unknownCall')
      throw serviceError(404, 'unknown-call', 'callid: expected the id of a call of this service');
    if (outcome === 'finished') throw serviceError(409, 'finished', 'callid: this call is over already');
    return reply
      .code(202)
      .send({ status: 'OK', callstatus: 'HangingUp', message: 'Hang-up asked for', callid });
  });
}

/** A path of two slashes is not a host. The target `*` is not an address, and becomes a path. */
const addressOf = ({ url }: FastifyRequest) =>
  new URL(url.startsWith('/') ? `http://sandbox${url}` : url, 'http://sandbox');
const bodyOf = ({ body }: FastifyRequest) => (typeof body === 'string' ? body : undefined);

/** For a method that the path does not have: 405 with those that it has. */
class MethodError extends ServiceError {
  constructor(
    private readonly allowed: readonly string[],
    path: string,
  ) {
    super(refusal(405, 'wrong-method', `method: expected ${allowed.join(' or ')} for ${path}`));
  }

  override send(reply: FastifyReply): FastifyReply {
    return super.send(reply.header('allow', this.allowed.join(', ')));
  }
}

function sandboxError(app: FastifyInstance, ...[code, { detail }, request]: Parameters<MakeError>) {
  const path = request.url.split('?')[0]!;
  if (code !== 'notFound')
    return serviceError(code === 'internal' ? 500 : 400, 'sandbox-failed', detail ?? 'The sandbox failed.');
  const methods: HTTPMethods[] = ['POST', 'GET'];
  const allowed = methods.filter((method) => app.hasRoute({ method, url: path }));
  return allowed.length > 0
    ? new MethodError(allowed, path)
    : serviceError(404, 'wrong-path', `path: nothing at ${path}; calls are placed at /call`);
}

const tooLong: RequestRefusal = {
  ...fieldRefusal([{ field: 'body', expected: `at most ${maxCallBytes} bytes`, got: 'more' }]),
  status: 413,
};

const refusedDestination: RequestRefusal = {
  status: 422,
  code: 'destination-not-allowed',
  message: 'to: calls to this destination are not allowed',
  errors: [{ field: 'to', expected: 'a destination that is allowed', got: 'one that is not' }],
};
