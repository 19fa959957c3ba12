/** Law 8 against CRMs that mislead, clocks that disagree and relays that share a store. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Call } from '../../shared/call/call.ts';
import { serveHttp } from '../../shared/server/serve-http.ts';
import { startFakeRedmine } from '../../testing/crm/fake-redmine.ts';
import { readBody } from '../../testing/crm/fresh-request.ts';
import { type LoggingWorld, marked, startLoggingWorld } from '../../testing/crm/logging-world.ts';
import { temporaryFolder } from '../../testing/relay/test-relay.ts';
import { makeCertificate } from '../../testing/servers/make-certificate.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { until } from '../../testing/until.ts';
import { openRedisStore } from '../store/redis/redis-store.ts';
import { wrapUpWindowMs } from './call-log.ts';
import { connectCrms } from './connectors/connections.ts';
import { readCrmSystems } from './crm-settings.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
const minuteMs = 60_000;

const reasonOf = (here: LoggingWorld, call: Call, reason: string) =>
  until(async () => (await here.entryOf(call))?.reason === reason, `the reason ${reason}`);

async function world(...options: Parameters<typeof startLoggingWorld>) {
  const started = await startLoggingWorld(...options);
  stops.push(() => started.stop());
  return started;
}

it('takes neither token nor entry to the host of a redirect', async () => {
  const asked: unknown[] = [];
  const elsewhere = await serveHttp((request, response) => {
    asked.push(request.headers);
    response.writeHead(204).end();
  });
  stops.push(() => elsewhere.close());
  const here = await world();
  const toElsewhere = (_add: unknown, response: ServerResponse) =>
    void response.writeHead(307, { location: `${elsewhere.url}/issues/4711.json` }).end();
  here.crm.failNext(toElsewhere);
  const call = await here.placeAndEnd();
  here.wake();
  await reasonOf(here, call, 'redirected');
  here.advance(minuteMs);
  await here.drain(call, 'done');
  expect(asked).toEqual([]);
  expect(marked(here.crm, call)).toHaveLength(1);
});

it('sends nothing to a CRM whose certificate is not trusted', async () => {
  const folder = await temporaryFolder();
  stops.push(() => folder.remove());
  const { certificate, key } = await makeCertificate(folder.path, 'localhost');
  const asked: unknown[] = [];
  const server = createServer({ cert: await readFile(certificate), key: await readFile(key) }, (request) =>
    asked.push(request.url),
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  stops.push(() => server.close());
  const here = await world({ url: `https://localhost:${(server.address() as AddressInfo).port}` });
  const call = await here.placeAndEnd();
  here.wake();
  await reasonOf(here, call, 'insecure');
  expect(asked).toEqual([]);
});

it('keeps an entry while the token is revoked, then logs it once with the next one', async () => {
  const here = await world();
  here.crm.failNext('unauthorized', 'unauthorized');
  const call = await here.placeAndEnd();
  here.wake();
  await reasonOf(here, call, 'unauthorized');
  here.advance(minuteMs);
  here.wake();
  await until(() => here.crm.requests.filter((request) => request.startsWith('PUT')).length === 2, 'again');
  await reasonOf(here, call, 'unauthorized');
  here.advance(5 * minuteMs);
  await here.drain(call, 'done');
  expect(marked(here.crm, call)).toHaveLength(1);
});

it('logs a call once where an agent chose another record while its entry was sent', async () => {
  const here = await world();
  const sent = new Promise<() => void>((resolve) => here.crm.failNext((add) => resolve(add)));
  const call = await here.placeAndEnd();
  here.wake();
  const add = await sent;
  await here.choose(call, here.recordOf('4712'));
  add();
  here.advance(5 * minuteMs);
  await here.drain(call, 'done');
  await until(() => here.crm.notes('4711').length === 2, 'the amendment');
  expect(marked(here.crm, call, '4712')).toHaveLength(1);
  expect(here.crm.notes('4711')[1]).toContain('This call belongs to another record');
});

/** Replies of a CRM that says yes, and names no entry that it created. */
const withoutId: Readonly<Record<'odoo' | 'tryton' | 'rt', (asked: string) => unknown>> = {
  odoo: (asked) => (asked.includes('message_post') ? {} : { result: 2 }),
  tryton: (asked) => {
    if (asked.includes('login')) return { result: [1, 'key'] };
    return asked.includes('search_read') ? { result: [{ id: 4711 }] } : {};
  },
  rt: () => ({ id: 4711, Status: 'new' }),
};

it.each(['odoo', 'tryton', 'rt'] as const)(
  'is not sure of an entry that %s has answered with success but without its id',
  async (kind) => {
    const server = await serveHttp(async (request, response) => {
      const reply = withoutId[kind](String(await readBody(request)));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    });
    stops.push(() => server.close());
    const settings = { KIND: kind, URL: server.url, TOKEN: 'k', DATABASE: 'd', USER: 'u' };
    const named = Object.entries(settings).map(([name, value]) => [`DIALMARK_CRM_CRM_${name}`, value]);
    const { connector, client } = connectCrms(readCrmSystems(Object.fromEntries(named))).get('crm')!;
    const here = await world();
    const call = await here.place();
    const marker = `dialmark:${call.id}`;
    const entry = { ...{ marker, call, text: marker }, talkSeconds: 1, placedAt: call.createdAt };
    const creation = connector.create({ ...entry, record: here.recordOf('4711') }, client);
    await expect(creation).rejects.toMatchObject({ kind: 'unsure' });
  },
);

it.each([-10, 0, 10])(
  'logs each call once where a second relay on one Redis is %i minutes off',
  async (minutesOff) => {
    const redis = await startRedis();
    stops.push(() => redis.stop());
    const crm = await startFakeRedmine('4711', '4712');
    stops.push(() => crm.stop());
    const start = Date.now() - wrapUpWindowMs;
    const off = minutesOff * minuteMs;
    const storeOf = async (now: () => number) => {
      const store = await openRedisStore({ url: redis.url, now });
      stops.push(() => store.close());
      return store;
    };
    const first = await world({ crm, start, store: await storeOf(Date.now) });
    const second = await world({ crm, start: start + off, store: await storeOf(() => Date.now() + off) });
    const sent = new Promise<() => void>((resolve) => crm.failNext((add) => resolve(add)));
    const call = await first.placeAndEnd();
    first.wake();
    const add = await sent;
    // The first relay still waits for the CRM's answer; the second one must not take its claim for an old one.
    const other = await second.placeAndEnd('4712');
    await second.drain(other, 'done');
    add();
    await until(async () => (await first.entryOf(call))?.state === 'done', 'the entry');
    expect(marked(crm, call)).toHaveLength(1);
    expect(marked(crm, other, '4712')).toHaveLength(1);
  },
);
