/**
 * The calling service imitated (`/call`, the notification, recordings, the registration login), with a demo CRM beside it and
 * a journal of all it saw. Strict with what comes, exact in what goes; what happens to a call is chosen by the dialled number's
 * ending (`scenarios.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSameSecret, readBearerToken } from '../shared/server/bearer-token.ts';
import { serveHttp } from '../shared/server/serve-http.ts';
import { parseJson } from '../shared/service/json.ts';
import { progressNotification } from '../shared/service/outgoing-notification.ts';
import {
  fieldRefusal,
  maxCallBytes,
  type RequestRefusal,
  readCall,
  refusal,
} from '../shared/service/read-call.ts';
import { defaultTimeoutSeconds } from '../shared/service/request.ts';
import { type CrmRelay, crmResponse } from './crm-host.ts';
import { answerJson, notFound, readBody, refuse } from './exchange.ts';
import { type JournalEntry, publicJournal, type SandboxEvent, type SentNotification } from './journal.ts';
import {
  type CutBy,
  type Ending,
  notificationOf,
  type PlacedCall,
  placeCall,
  progressOf,
} from './placed-call.ts';
import { recording } from './recording.ts';
import { type Account, demoAccount, login } from './registration.ts';
import { sendReply } from './reply.ts';
import { numberFor, type Scenario, scenarioFor, scenarios } from './scenarios.ts';

export interface SandboxOptions {
  /** Default 3000, the local mode's port (section 8); 0: any free one. */
  port?: number;
  host?: string;
  token?: string;
  /** Every wait is divided by this; 1 is the demo's pace. What calls report of their length stays the same. */
  speed?: number;
  /** Lets the CRM page embed the widget, with tickets minted by this site key for this agent. */
  relay?: CrmRelay;
  /** Of the registration login. */
  account?: Account;
  /** Folder of the built CRM page; default `dist/crm`. */
  crm?: string;
}

export interface Sandbox {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Every request to /call, oldest first, refused ones too. */
  readonly calls: readonly JournalEntry[];
  /** Every delivery to a `returnurl`, oldest first. */
  readonly notifications: readonly SentNotification[];
  /** Calls the listener at each step. Returns what unsubscribes it. */
  listen(listener: (event: SandboxEvent) => void): () => void;
  /** Ends a running call now. @returns whether there was such a call. */
  hangUp(callid: string): boolean;
  /** For when the relay starts after the sandbox. */
  connectRelay(relay: CrmRelay): void;
  /** Ends every connection; calls still running end without a word. */
  close(): Promise<void>;
}

interface RunningCall {
  call: PlacedCall;
  recorded: boolean;
  cutBy?: CutBy;
  isFinished: boolean;
  /** Ends the wait that it is in. */
  endNow?: () => void;
  /** Resolves when what came before the end is delivered: in order, and the call does not wait for it. */
  delivered?: Promise<void>;
}

export const demoToken = 'sandbox-token';
const deliveryMilliseconds = 10_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 3000, host = '127.0.0.1', token = demoToken, speed = 1, account = demoAccount } = options;
  if (!(speed > 0)) throw new Error(`speed: expected a number above 0, got ${speed}`);
  let relay = options.relay;
  const calls: JournalEntry[] = [];
  const notifications: SentNotification[] = [];
  const listeners = new Set<(event: SandboxEvent) => void>();
  /** Running and past calls by callid; past ones keep their recordings. */
  const placed = new Map<string, RunningCall>();
  const closing = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const publish = (event: SandboxEvent) => {
    for (const listener of listeners) listener(event);
  };

  /** Resolves after so many seconds of the sandbox's own time, or when `hangUp` says so; never after close. */
  const wait = (seconds: number, running?: RunningCall) =>
    new Promise<void>((resolve) => {
      if (running?.cutBy) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        timers.delete(timer);
        resolve();
      };
      const timer = setTimeout(end, (seconds * 1000) / speed);
      timers.add(timer);
      if (running) running.endNow = end;
    });

  async function handleCall(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const entry: JournalEntry = {
      at: new Date().toISOString(),
      method: request.method ?? '',
      fields: {},
      readWhole: false,
    };
    calls.push(entry);
    const body = await readBody(request);
    if (body === 'cut') {
      publish({ kind: 'call', call: entry });
      return;
    }
    entry.readWhole = body !== 'tooLong';
    const read =
      body === 'tooLong'
        ? ({ ok: false, refusal: tooLong, fields: {} } as const)
        : readCall(
            { method: entry.method, headers: request.headers, query: url.searchParams, body },
            (value) => isSameSecret(value, token),
          );
    if ('tokenPlace' in read && read.tokenPlace) entry.tokenPlace = read.tokenPlace;
    if (!read.ok) {
      entry.fields = read.fields;
      entry.status = read.refusal.status;
      publish({ kind: 'call', call: entry });
      refuse(response, read.refusal);
      return;
    }
    const callRequest = read.request;
    const scenario = scenarioFor(callRequest.to);
    entry.fields = callRequest;
    entry.scenario = scenario.name;
    if (scenario.reply === 'refused') {
      entry.status = refusedDestination.status;
      publish({ kind: 'call', call: entry });
      refuse(response, refusedDestination);
      return;
    }
    const call = placeCall(callRequest, scenario);
    if (scenario.reply !== 'htmlPage') entry.callid = call.callid;
    publish({ kind: 'call', call: entry });
    await play(call, scenario, entry, response);
  }

  async function play(call: PlacedCall, scenario: Scenario, entry: JournalEntry, response: ServerResponse) {
    const running: RunningCall = { call, recorded: false, isFinished: false };
    placed.set(call.callid, running);
    const timeout = call.request.timeout ?? defaultTimeoutSeconds;
    const answer = () => {
      entry.status = sendReply(response, scenario, call);
      publish({ kind: 'reply', call: entry });
    };
    if (!scenario.notifiesFirst) {
      await wait(scenario.replyAfter === 'timeout' ? timeout : scenario.replyAfter);
      answer();
    }
    if (scenario.reply !== 'lostCall' && scenario.reply !== 'htmlPage') {
      const lost = scenario.notifications.includes('lost-call');
      const full = lost ? timeout : scenario.ringSeconds + scenario.talkSeconds;
      const from = performance.now();
      const passed = () => ((performance.now() - from) / 1000) * speed;
      for (const { news, after } of call.request.events === 'all' ? progressOf(scenario) : []) {
        await wait(Math.max(0, after - passed()), running);
        if (running.cutBy) break;
        const body = progressNotification(call.request, call.callid, news, new Date());
        running.delivered = Promise.resolve(running.delivered).then(() => deliver(call, body));
      }
      await wait(Math.max(0, full - passed()), running);
      delete running.endNow;
      running.isFinished = true;
      await running.delivered;
      // Whole seconds of the sandbox's own time; a call that ran its course has exactly the scenario's.
      const total = Math.min(full, Math.round(passed()));
      const ending: Omit<Ending, 'event'> = {
        at: new Date(),
        totalSeconds: total,
        cutBy: running.cutBy,
        talkSeconds: lost ? 0 : Math.max(0, Math.min(scenario.talkSeconds, total - scenario.ringSeconds)),
      };
      running.recorded = ending.talkSeconds > 0;
      for (const event of scenario.notifications)
        await deliver(call, notificationOf(call, { ...ending, event }, server.url));
    }
    running.isFinished = true;
    if (scenario.notifiesFirst) answer();
  }

  /** Once per event, no retry: what the service does when the receiver fails is not documented (section 6). */
  async function deliver(call: PlacedCall, body: Record<string, unknown>): Promise<void> {
    const { returnurl } = call.request;
    if (returnurl === undefined) return;
    const sent: SentNotification = {
      at: new Date().toISOString(),
      callid: call.callid,
      returnurl,
      body,
    };
    notifications.push(sent);
    try {
      const response = await fetch(returnurl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent.body),
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(deliveryMilliseconds)]),
      });
      await response.body?.cancel();
      sent.status = response.status;
    } catch (error) {
      sent.error = String((error as Error).cause ?? error);
    }
    publish({ kind: 'notification', notification: sent });
  }

  /** As our service on Asterisk: asked again, it does no harm. */
  function handleHangUp(request: IncomingMessage, response: ServerResponse, callid: string): void {
    const sent = readBearerToken(request.headers.authorization);
    const isAllowed = sent !== undefined && isSameSecret(sent, token);
    const running = placed.get(callid);
    if (!isAllowed) refuse(response, wrongToken);
    else if (!running) refuse(response, unknownCall);
    else if (running.isFinished) refuse(response, finishedCall);
    else {
      cut(running, 'system');
      const accepted = { status: 'OK', callstatus: 'HangingUp', message: 'Hang-up asked for', callid };
      answerJson(response, 202, accepted);
    }
  }

  function cut(running: RunningCall, by: CutBy): void {
    running.cutBy ??= by;
    running.endNow?.();
  }

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => unknown> = {
    'POST /call': handleCall,
    'GET /call': handleCall,
    'POST /api/v1/auth/login': async (request, response) => {
      const body = await readBody(request);
      const answer = login(parseJson(body ?? ''), account);
      answerJson(response, answer.status, answer.body);
    },
    'GET /recordings': (request, response, url) => {
      const id = url.searchParams.get('id');
      const found = [...placed.values()].some(
        ({ call, recorded }) =>
          recorded && (call.callid === id || call.audioFile === id || call.audioFile === `${id}.wav`),
      );
      if (!found) {
        answerJson(response, 404, {
          status: 'ERROR',
          code: 'no-recording',
          message: `id: no recording of "${id ?? ''}"`,
        });
        return;
      }
      const wav = recording();
      response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': wav.length });
      response.end(request.method === 'HEAD' ? undefined : wav);
    },
    'GET /sandbox/calls': (_, response) => answerJson(response, 200, publicJournal(calls, notifications)),
    'GET /sandbox/scenarios': (_, response) =>
      answerJson(
        response,
        200,
        scenarios.map(({ name, ending, title, does }) => ({
          name,
          ending,
          title,
          does,
          number: numberFor(name),
        })),
      ),
  };

  const server = await serveHttp(handle, port, host);

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = routes[`${method} ${url.pathname}`];
    const hungUp = method === 'DELETE' ? /^\/call\/([^/]+)$/.exec(url.pathname)?.[1] : undefined;
    const handled = hungUp
      ? handleHangUp(request, response, decodeURIComponent(hungUp))
      : route
        ? route(request, response, url)
        : crmResponse(request, response, url, { relay, folder: options.crm }).then((found) => {
            if (!found) notFound(response, url, Object.keys(routes));
          });
    Promise.resolve(handled).catch((error: unknown) => {
      if (!response.headersSent)
        answerJson(response, 500, { status: 'ERROR', code: 'sandbox-failed', message: String(error) });
    });
  }

  return {
    url: server.url,
    port: server.port,
    token,
    calls,
    notifications,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hangUp(callid) {
      const running = placed.get(callid);
      if (!running?.endNow) return false;
      cut(running, 'callee');
      return true;
    },
    connectRelay(next) {
      relay = next;
    },
    async close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
      await server.close();
    },
  };
}

const wrongToken = refusal(401, 'wrong-token', "token: expected this service's");
const unknownCall = refusal(404, 'unknown-call', 'callid: expected the id of a call of this service');
const finishedCall = refusal(409, 'finished', 'callid: this call is over already');

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
