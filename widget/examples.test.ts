import { spawnSync } from 'node:child_process';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { TicketRequest } from '../shared/protocol/messages.ts';
import { serveAsync } from '../testing/servers/serve-async.ts';
import { startServer } from '../testing/servers/start-server.ts';

const examples = fileURLToPath(new URL('../docs/examples/', import.meta.url));
const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Answers ticket requests as the relay does, and keeps their bodies. */
async function startFakeRelay(): Promise<{ url: string; requests: unknown[] }> {
  const requests: unknown[] = [];
  const { url, close } = await serveAsync(async (request, response) => {
    const parsed = TicketRequest.safeParse(await json(request));
    requests.push(parsed.data);
    if (parsed.data?.from === '1109')
      return void response
        .writeHead(403, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify({ code: 'callerNotYours', detail: 'Not for that caller.' }));
    const isAuthorized =
      request.method === 'POST' &&
      request.url === '/v1/tickets' &&
      request.headers.authorization === 'Bearer site-key';
    if (!isAuthorized || !parsed.success) return void response.writeHead(401).end('{}');
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ ticket: `dmt_for_${parsed.data.from}`, expiresAt: '2026-01-01T00:00:00Z' }),
    );
  });
  cleanUps.push(() => void close());
  return { url, requests };
}

/** Starts the example. @returns its address, which it prints, and what it logs. */
async function startExample(
  command: string,
  file: string,
  relay: string,
): Promise<{ url: string; log: () => string }> {
  const environment = { DIALMARK_RELAY: relay, DIALMARK_SITE_KEY: 'site-key', PORT: '0' };
  const example = await startServer([command, examples + file], { ready: '\n', environment });
  cleanUps.push(() => void example.stop('SIGKILL'));
  return { url: example.stdout().trim(), log: example.stderr };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
const runnable: [string, string][] = [[process.execPath, 'ticket.node.mjs']];
if (hasPython) runnable.push(['python3', 'ticket.python.py']);

describe.each(runnable)('ticket back-end %s %s', (command, file) => {
  it('returns a ticket to the signed-in agent only', async () => {
    const relay = await startFakeRelay();
    const site = await startExample(command, file, relay.url);
    const ask = (cookie?: string) =>
      fetch(`${site.url}/dialmark-ticket`, cookie ? { headers: { cookie } } : {});

    expect((await ask()).status).toBe(401);
    expect(relay.requests).toEqual([]);
    const answer = await ask('theme=dark; agent=1105');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ ticket: 'dmt_for_1105' });
    expect(relay.requests).toEqual([{ from: '1105', rights: ['watch', 'dial'], ttl: 600 }]);
  });

  it('names what is not set instead of serving a page without a relay', () => {
    const { status, stderr } = spawnSync(command, [examples + file], {
      env: { PATH: process.env.PATH!, DIALMARK_RELAY: 'https://relay.example', PORT: '0' },
      encoding: 'utf8',
      timeout: 10_000,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('DIALMARK_SITE_KEY');
  });

  it('serves a page with the widget of the relay', async () => {
    const relay = await startFakeRelay();
    const site = await startExample(command, file, relay.url);
    const page = await (await fetch(site.url)).text();
    expect(page).toContain(`src="${relay.url}/widget.js"`);
    expect(page).toContain(`<dialmark-widget relay="${relay.url}" ticket-url="/dialmark-ticket"`);
  });

  it('logs why the relay made no ticket, then passes it on', async () => {
    const relay = await startFakeRelay();
    const site = await startExample(command, file, relay.url);
    const answer = await fetch(`${site.url}/dialmark-ticket`, { headers: { cookie: 'agent=1109' } });
    expect([answer.status, await answer.json()]).toEqual([502, { code: 'callerNotYours' }]);
    expect(site.log()).toContain('no ticket for 1109: callerNotYours. Not for that caller.');
  });

  it('replies 502 where the relay is unreachable', async () => {
    const site = await startExample(command, file, 'http://127.0.0.1:9');
    const answer = await fetch(`${site.url}/dialmark-ticket`, { headers: { cookie: 'agent=1105' } });
    expect([answer.status, await answer.json()]).toEqual([502, { code: 'relayUnreachable' }]);
  });
});
