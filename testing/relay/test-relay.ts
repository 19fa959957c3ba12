/** A relay for one test: its own store, its own port, and a client that speaks plain HTTP to it. */
import { createParser } from 'eventsource-parser';
import { type Logger, pino } from 'pino';
import { makeApiKey } from '../../relay/access/api-key.ts';
import { readRelaySettings } from '../../relay/settings.ts';
import { startRelay } from '../../relay/start-relay.ts';
import type { Store } from '../../relay/store/store.ts';
import type { KeyRight } from '../../relay/store/stored-key.ts';
import type { Call } from '../../shared/call/call.ts';
import type { NamesEvent } from '../../shared/protocol/number-status.ts';
import { withPrefix } from '../with-prefix.ts';

export interface TestRelay {
  url: string;
  store: Store;
  /** An agent key for these callers, which may announce calls. */
  agent(...callers: string[]): Promise<string>;
  /** An agent key of a team, or with rights. */
  member(caller: string, more: { name?: string; team?: string; rights?: KeyRight[] }): Promise<string>;
  site(origin: string, ...callers: string[]): Promise<{ key: string; id: string }>;
  /** A request with a bearer credential; a body is sent as JSON. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface AskOptions {
  as?: string | undefined;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on it at once
  body: any;
}

const silent = () => pino({ level: 'silent' });

/** @param environment DIALMARK_ variables without the prefix; the store is `memory:` by default. */
export async function startTestRelay(
  environment: Record<string, string> = {},
  log: Logger = silent(),
): Promise<TestRelay> {
  const settings = readRelaySettings({
    DIALMARK_LISTEN: '127.0.0.1:0',
    DIALMARK_STORE: 'memory:',
    DIALMARK_PROVIDER_EVENTS: 'hangup',
    DIALMARK_MAX_CALLS_PER_MINUTE: '1000000',
    DIALMARK_MAX_CALLS_PER_DESTINATION_PER_MINUTE: '1000000',
    ...withPrefix('DIALMARK_', environment),
  });
  const relay = await startRelay(settings, log);
  const add = async (kind: 'agent' | 'site', origins: string[], callers: string[], more: object = {}) => {
    const { key, stored } = makeApiKey(
      { kind, name: '', origins, callers, clientCalls: kind === 'agent', ...more },
      new Date(),
    );
    await relay.store.keys.add(stored);
    return { key, id: stored.id };
  };
  return {
    url: relay.url,
    store: relay.store,
    agent: async (...callers) => (await add('agent', [], callers)).key,
    member: async (caller, more) => (await add('agent', [], [caller], more)).key,
    site: (origin, ...callers) => add('site', [origin], callers),
    ask: (path, options) => ask(relay.url, path, options),
    stop: () => relay.stop(),
  };
}

export async function ask(base: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const response = await fetch(path.startsWith('http') ? path : base + path, {
    method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(options.as === undefined ? {} : { authorization: `Bearer ${options.as}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, text, body };
}

export interface Announced {
  call: Call;
  returnUrl: string;
  /** The path of its notification, at whichever address the relay is reached. */
  path: string;
}

/** Announces a call that its client places itself. @param click repeated, the same call is meant. */
export async function announce(
  base: string,
  as: string,
  to = '4833224455',
  { click = newClick(), record }: { click?: Record<string, string>; record?: object } = {},
): Promise<Announced> {
  const body = { to, placedBy: 'client', ...(record ? { record } : {}) };
  const answer = await ask(base, '/v1/calls', { as, body, headers: click });
  if (answer.status !== 201) throw new Error(`expected 201, got ${answer.status}: ${answer.text}`);
  const { call, returnUrl } = answer.body as { call: Call; returnUrl: string };
  return { call, returnUrl, path: new URL(returnUrl).pathname };
}

let clicks = 0;
/** A header for a click that was never made before. */
export const newClick = () => ({ 'idempotency-key': `click-${process.pid}-${clicks++}` });

export interface ReceivedFrame {
  id: string | undefined;
  event: string | undefined;
  call: Call;
}

/** A reader of the event stream that keeps what came and lets a test wait for more. */
interface Reader {
  /** All but `names`. */
  frames: ReceivedFrame[];
  names: NamesEvent[];
  comments: string[];
  /** Resolves when so many frames came; rejects when the stream ends before. */
  until(count: number): Promise<ReceivedFrame[]>;
  ended: Promise<void>;
  close(): void;
}

export async function readEvents(
  base: string,
  credential: string,
  options: { cursor?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Reader> {
  const controller = new AbortController();
  const response = await fetch(`${base}/v1/events`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${credential}`,
      ...(options.cursor === undefined ? {} : { 'last-event-id': options.cursor }),
      ...options.headers,
    },
    signal: controller.signal,
  });
  if (response.status !== 200)
    throw new Error(`expected a stream, got ${response.status}: ${await response.text()}`);
  const frames: ReceivedFrame[] = [];
  const names: NamesEvent[] = [];
  const comments: string[] = [];
  let wake: () => void = () => {};
  let over = false;
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (event === 'names') names.push(JSON.parse(data) as NamesEvent);
      else frames.push({ id, event, call: JSON.parse(data) as Call });
    },
    onComment: (comment) => comments.push(comment),
  });
  const ended = (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body!) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        wake();
      }
    } catch {
      // Closed by the test, or cut by the relay.
    }
    over = true;
    wake();
  })();
  return {
    frames,
    names,
    comments,
    ended,
    close: () => controller.abort(),
    until: async (count) => {
      while (frames.length < count) {
        if (over) throw new Error(`expected ${count} frames, the stream ended after ${frames.length}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return frames;
    },
  };
}

/** The notification of interface 2.3, version 1. */
export const hangup = (more: Record<string, unknown> = {}) => ({
  event: 'hangup',
  action: 'click-to-call',
  calldate: '2026-11-21T10:00:02.000Z',
  hangupdate: '2026-11-21T10:01:04.000Z',
  callid: 'provider-1',
  billsec: '48',
  duration: '62',
  ...more,
});
