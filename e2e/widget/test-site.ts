/**
 * A site that embeds the widget, and a fake relay for what a real one never does, faulty replies included: both on free
 * ports of loopback.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Call, newCallId } from '../../shared/call/call.ts';
import { serveAsync } from '../../testing/servers/serve-async.ts';
import type { HttpService } from '../../testing/servers/serve-http.ts';
import { test as base } from '../fixtures.ts';

const widgetFile = fileURLToPath(new URL('../../dist/widget/widget.js', import.meta.url));

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

interface FakeRelay {
  readonly url: string;
  /** Open event streams. */
  readonly streams: ReadonlySet<ServerResponse>;
  /** Every request with its method, path, ticket and cursor. */
  readonly requests: {
    method: string;
    path: string;
    ticket: string;
    cursor: string | undefined;
    key: string | undefined;
  }[];
  readonly dials: { key: string; to: string }[];
  history: Call[];
  /** Sends calls on every open stream, and keeps them for readers with a cursor. */
  push(...calls: Call[]): void;
  /** Replaces the reply of a path; without a handler, restores it. */
  override(path: '/v1/events' | '/v1/calls' | `/v1/calls/${string}`, handler?: Handler): void;
  /** Tickets that get a 401 from now on. */
  readonly refused: Set<string>;
  /** Breaks every stream as a restart does. */
  cut(): void;
  /** `start` listens on the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface TestSite {
  readonly relay: FakeRelay;
  readonly url: string;
  /** Adds a page of the site. @returns its address. */
  page(path: string, html: string, headers?: Record<string, string>): string;
  /** Adds another file of the site. */
  file(path: string, body: string | Buffer, type: string): void;
  /** Makes the tickets by a real relay. */
  mint?: () => Promise<string>;
  /** How many tickets the site has given, and what they are for. */
  tickets: { given: number; from: string; rights: string[]; lifeMs: number; status: number };
  close(): Promise<void>;
}

export function aCall(fields: Partial<Call> = {}): Call {
  return {
    id: newCallId(),
    from: '1105',
    to: '4833224455',
    state: 'callingCaller',
    createdAt: new Date().toISOString(),
    revision: 1,
    ...fields,
  };
}

export function ended(call: Call, fields: Partial<Call> = {}): Call {
  return {
    ...call,
    state: 'disconnected',
    reason: 'hangUp',
    endedAt: new Date().toISOString(),
    talkSeconds: 65,
    totalSeconds: 80,
    revision: call.revision + 1,
    ...fields,
  };
}

export const widgetScript = '<script type="module" async src="/widget.js"></script>';

export const widgetTag = (site: Pick<TestSite, 'relay'>, attributes = ''): string =>
  `<dialmark-widget relay="${site.relay.url}" ticket-url="/ticket" ${attributes}></dialmark-widget>`;

/** Playwright's `test` with a site of its own. */
export const test = base.extend<{ site: TestSite }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the wanted fixtures from this parameter.
  site: async ({}, use) => {
    const site = await startTestSite();
    await use(site);
    await site.close();
  },
});

async function startTestSite(): Promise<TestSite> {
  const relay = await startFakeRelay();
  const files = new Map<string, { body: string | Buffer; headers: Record<string, string> }>();
  const tickets = { given: 0, from: '1105', rights: ['watch', 'dial'], lifeMs: 600_000, status: 200 };
  const { url, close } = await serveAsync(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/ticket') {
      if (tickets.status !== 200) return void response.writeHead(tickets.status).end();
      tickets.given++;
      let ticket: string;
      try {
        ticket = (await site.mint?.()) ?? makeTicket(tickets);
      } catch {
        // Without its relay a site cannot make tickets.
        return void response.writeHead(502).end();
      }
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ticket }));
    }
    if (pathname === '/widget.js')
      return void response
        .writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
        .end(await readFile(widgetFile));
    const file = files.get(pathname);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, file.headers).end(file.body);
  });
  const site: TestSite = {
    relay,
    url,
    tickets,
    page(path, html, headers = {}) {
      files.set(path, {
        body: `<!doctype html><html lang="en"><title>page</title>${html}`,
        headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
      });
      return url + path;
    },
    file: (path, body, type) => void files.set(path, { body, headers: { 'content-type': type } }),
    async close() {
      await relay.stop();
      await close();
    },
  };
  return site;
}

function makeTicket({ from, rights, lifeMs }: { from: string; rights: string[]; lifeMs: number }): string {
  const claims = {
    site: 'site',
    from,
    rights,
    expires: Date.now() + lifeMs,
    nonce: randomBytes(9).toString('base64url'),
  };
  return `dmt_key.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.mac`;
}

/** Keeps every pushed call, and replies by the relay's protocol unless a path is overridden. */
async function startFakeRelay(): Promise<FakeRelay> {
  const streams = new Set<ServerResponse>();
  const overrides = new Map<string, Handler>();
  const kept: string[] = [];
  const frame = (at: number) => `id: e-${at}\nevent: call\ndata: ${kept[at]}\n\n`;
  let server: HttpService | undefined;

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://relay');
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS')
      return void response
        .writeHead(204, {
          'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id',
          'access-control-allow-methods': 'GET, POST, DELETE',
        })
        .end();
    const ticket = (request.headers.authorization ?? '').replace('Bearer ', '');
    const cursor = request.headers['last-event-id'] as string | undefined;
    const key = request.headers['idempotency-key'] as string | undefined;
    relay.requests.push({ method: request.method ?? '', path: pathname, ticket, cursor, key });
    const other = overrides.get(pathname);
    if (other) return other(request, response);
    const json = (status: number, body: unknown) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (relay.refused.has(ticket) || expired(ticket)) return json(401, { code: 'unauthorized' });
    if (pathname === '/v1/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      const after = cursor === undefined ? kept.length : Number(cursor.slice(2)) + 1;
      for (let at = after; at < kept.length; at++) response.write(frame(at));
      streams.add(response);
      response.on('close', () => streams.delete(response));
      return;
    }
    if (request.method === 'POST') {
      const { to } = (await readJson(request)) as { to: string };
      const known = relay.dials.find((dial) => dial.key === key);
      if (!known) relay.dials.push({ key: key ?? '', to });
      const call = aCall({ to });
      json(201, call);
      relay.push(call);
      return;
    }
    return json(200, { calls: relay.history });
  };

  const relay: FakeRelay = {
    url: '',
    streams,
    requests: [],
    dials: [],
    history: [],
    refused: new Set(),
    push(...calls) {
      for (const call of calls) {
        kept.push(JSON.stringify(call));
        relay.history = [call, ...relay.history.filter(({ id }) => id !== call.id)].slice(0, 20);
      }
      let text = '';
      for (let at = kept.length - calls.length; at < kept.length; at++) text += frame(at);
      for (const stream of streams) stream.write(text);
    },
    override: (path, handler) => void (handler ? overrides.set(path, handler) : overrides.delete(path)),
    cut() {
      for (const stream of streams) stream.destroy();
    },
    stop: async () => server?.close(),
    async start() {
      server = await serveAsync(handle, server?.port);
    },
  };
  await relay.start();
  return Object.assign(relay, { url: server!.url });
}

function expired(ticket: string): boolean {
  const claims = JSON.parse(Buffer.from(ticket.split('.')[1] ?? '', 'base64url').toString() || '{}') as {
    expires?: number;
  };
  return (claims.expires ?? 0) <= Date.now();
}
