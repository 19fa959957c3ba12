import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { announce, hangup, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';

let relay: TestRelay;
let provider: FakeProvider;
let agent: string;
let siteKey: string;
let capability: string;

beforeAll(async () => {
  provider = await startFakeProvider();
  relay = await startTestRelay({
    PROVIDER_URL: provider.url,
    PROVIDER_TOKEN: 'service-token',
    MAX_FAILED_REQUESTS_PER_MINUTE: '1000000',
    MAX_CALLS_PER_MINUTE: '1000000',
  });
  agent = await relay.agent('1105');
  siteKey = (await relay.site('https://crm.example', '1105')).key;
  capability = (await announce(relay.url, agent, '1')).path;
});
afterAll(async () => {
  await relay.stop();
  await provider.close();
});

/**
 * One request as raw bytes, so that nothing on our side repairs it. @returns the status, 0 where the relay just closed.
 * @param timeoutMs for the reply to what may be half a request; 0 waits for it.
 */
function send(bytes: Buffer, timeoutMs = 0): Promise<number> {
  const { hostname, port } = new URL(relay.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0));
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      // A stream has no end; its head says enough.
      if (text.includes('\r\n\r\n')) done();
    });
    socket.on('close', done).on('error', done);
    // Half a request is answered by the relay's own time limits; here it just ends.
    socket.setTimeout(timeoutMs, () => socket.end());
  });
}

const printable = fc
  .string({ unit: 'grapheme-ascii', maxLength: 60 })
  .map((text) => text.replace(/[\r\n]/g, ''));
const headerBytes = fc
  .uint8Array({ maxLength: 80 })
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13)).toString('latin1'));
const values = fc.oneof(
  printable,
  headerBytes,
  fc.constantFrom(
    '',
    '0',
    '-1',
    '99999999999999999999',
    'a'.repeat(9000),
    '\u0000',
    '%00',
    '__proto__',
    'null',
    '💥',
  ),
);
const routes = fc.constantFrom(
  '/v1/calls',
  '/v1/calls/aaaaaaaaaaaaaaaaaaaaaa',
  '/v1/calls/aaaaaaaaaaaaaaaaaaaaaa/reply',
  '/v1/events',
  '/v1/tickets',
  '/h/v1/',
  '/widget.js',
  '/widget.tgz',
  '/healthz',
  '/readyz',
  '/metrics',
  '/status',
  '/status.json',
  '/',
);
const headerNames = fc.constantFrom(
  'Last-Event-ID',
  'Idempotency-Key',
  'Authorization',
  'Accept',
  'Content-Type',
  'Origin',
  'If-None-Match',
  'X-Forwarded-For',
  'Content-Length',
  'Transfer-Encoding',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
  'Expect',
  'Range',
);
const json = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.constantFrom(
    '{"__proto__":{"x":1}}',
    '{"to":"1","constructor":{"prototype":{}}}',
    '[[[[[[[[[[[[[[[[[[[[[[[[[[[[',
    '{"to":1e999}',
    '\ufeff{}',
    '"\\ud800"',
  ),
  fc
    .record(
      {
        to: fc.oneof(fc.string(), fc.integer(), fc.constant('4833224455')),
        from: fc.oneof(fc.string(), fc.constant('1105')),
        timeout: fc.anything(),
        placedBy: fc.oneof(fc.string(), fc.constant('client')),
        rights: fc.array(fc.string()),
        ttl: fc.anything(),
        reply: fc.dictionary(fc.string(), fc.anything({ withNullPrototype: false })),
        error: fc.anything(),
      },
      { requiredKeys: [] },
    )
    .map(
      (value) =>
        JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? String(member) : member)) ?? '',
    ),
);

const allowed = (status: number, path: string) =>
  status < 500 || (status === 503 && path.startsWith('/widget.'));

describe('a random request', () => {
  it('never gets a 5xx reply, whatever its route, method, query, header, body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'QUERY', 'get'),
        routes,
        fc.option(values),
        fc.array(fc.tuple(headerNames, values), { maxLength: 4 }),
        fc.constantFrom('agent', 'site', 'none'),
        json,
        async (method, route, query, headers, who, body) => {
          const path = route + (query === null ? '' : `?since=${query.replace(/[\s\u0000]/g, '')}`);
          const head = [
            `${method} ${path} HTTP/1.1`,
            'Host: relay',
            'Connection: close',
            ...(who === 'none' ? [] : [`Authorization: Bearer ${who === 'agent' ? agent : siteKey}`]),
            'Content-Type: application/json',
            `Content-Length: ${Buffer.byteLength(body)}`,
            ...headers.map(([name, value]) => `${name}: ${value}`),
          ].join('\r\n');
          const status = await send(
            Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)]),
            150,
          );
          expect([path, allowed(status, path)]).toEqual([path, true]);
        },
      ),
      { numRuns: 700 },
    );
  });

  it('is accepted or rejected as a notification on a valid capability', async () => {
    const field = fc.constantFrom(
      'event',
      'callid',
      'calldate',
      'hangupdate',
      'billsec',
      'duration',
      'callflow',
      'audio_url',
      'audio_file',
      'request',
      'customer',
      'status',
      'error',
      '__proto__',
      'toString',
    );
    const body = fc.dictionary(
      field,
      fc.oneof(fc.jsonValue(), fc.constantFrom('hangup', 'lost-call', '00:01:02', '1e9')),
    );
    await fc.assert(
      fc.asyncProperty(body, async (fields) => {
        const { status } = await relay.ask(capability, { body: fields });
        expect([200, 400, 422]).toContain(status);
      }),
      { numRuns: 400 },
    );
  });

  it('starts a stream or a page, whatever its cursor', async () => {
    await fc.assert(
      fc.asyncProperty(values, values, async (header, since) => {
        const text = header.replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, '').slice(0, 500);
        const status = await send(
          Buffer.from(
            `GET /v1/events?since=${encodeURIComponent(since)} HTTP/1.1\r\nHost: r\r\nConnection: close\r\nAccept: application/json\r\nAuthorization: Bearer ${agent}\r\nLast-Event-ID: ${text}\r\n\r\n`,
            'latin1',
          ),
        );
        // 414 and 431 are the server's own limits on length.
        expect([200, 414, 431]).toContain(status);
      }),
      { numRuns: 400 },
    );
  });

  it('leaves the relay working', async () => {
    expect((await relay.ask('/readyz')).status).toBe(200);
    const { call, returnUrl } = await announce(relay.url, agent);
    expect((await relay.ask(returnUrl, { body: hangup() })).status).toBe(200);
    expect((await relay.ask(`/v1/calls/${call.id}`, { as: agent })).body.state).toBe('disconnected');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});
