/** Law 8 against CRMs that mislead, clocks that disagree and relays that share a store. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import type { Call } from '../../shared/call/call.ts';
import { startFakeRedmine } from '../../testing/crm/fake-redmine.ts';
import {
  connectTo,
  hungUp,
  type LoggingWorld,
  marked,
  startLoggingWorld,
} from '../../testing/crm/logging-world.ts';
import { makeCertificate } from '../../testing/servers/make-certificate.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { serveAsync } from '../../testing/servers/serve-async.ts';
import { serveHttp } from '../../testing/servers/serve-http.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { openMemoryStore } from '../store/memory-store.ts';
import { openRedisStore } from '../store/redis/redis-store.ts';
import { wrapUpWindowMs } from './call-log.ts';

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
const minuteMs = 60_000;
const all = { system: 'crm', now: 0, limit: 0 };

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
  const here = await world({
    settings: { URL: `https://localhost:${(server.address() as AddressInfo).port}` },
  });
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

type Kind = 'odoo' | 'tryton' | 'rt' | 'redmine';

/** Settings of a CRM that logs everybody in, and else answers as it is said. A string is the body itself. */
async function crmThatAnswers(kind: Kind, replyTo: (asked: string, url: string) => unknown) {
  const login = { odoo: { result: 2 }, tryton: { result: [1, 'key'] } };
  const server = await serveAsync(async (request, response) => {
    const asked = await readText(request);
    const isLogin = asked.includes('"method":"login"') || asked.includes('common.db.login');
    const reply = isLogin && kind in login ? login[kind as 'odoo'] : await replyTo(asked, request.url ?? '');
    // RT says so of a comment that it has taken.
    const status = kind === 'rt' && (reply as { created?: true }).created ? 201 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  });
  stops.push(() => server.close());
  return {
    KIND: kind,
    URL: server.url,
    TOKEN: 'k',
    ...(kind === 'redmine' ? {} : { DATABASE: 'd', USER: 'u' }),
  };
}

/** Creates an entry there without a logger. */
async function createdAt(settings: Record<string, string>) {
  const { connector, client } = connectTo(settings).get('crm')!;
  const here = await world();
  const call = await here.place();
  const marker = `dialmark:${call.id}`;
  const text = {
    ...{ marker, call, text: marker },
    part: 1,
    kind: 'call',
    record: here.recordOf('4711'),
  } as const;
  return connector.create({ ...text, talkSeconds: 1, secondsBefore: 0, placedAt: call.createdAt }, client);
}

/** Replies of a CRM that says yes, and names no entry that it created. */
const withoutId = {
  odoo: () => ({}),
  tryton: (asked: string) => (asked.includes('search_read') ? { result: [{ id: 4711 }] } : {}),
  rt: () => ({ id: 4711, Status: 'new' }),
};

it.each(['odoo', 'tryton', 'rt'] as const)(
  'is not sure of an entry that %s has answered with success but without its id',
  async (kind) => {
    const settings = await crmThatAnswers(kind, withoutId[kind]);
    await expect(createdAt(settings)).rejects.toMatchObject({ kind: 'unsure' });
  },
);

it.each([
  ['odoo', 'psycopg2.pool.PoolError', 'unsure'],
  ['odoo', 'psycopg2.errors.DeadlockDetected', 'unsure'],
  ['odoo', 'odoo.exceptions.ValidationError', 'needsAgent'],
  ['tryton', 'database is locked', 'unsure'],
  ['tryton', 'UserError', 'needsAgent'],
] as const)('takes from %s the exception %s for %s', async (kind, name, failure) => {
  const error = kind === 'odoo' ? { data: { name } } : [name, 'trace'];
  const settings = await crmThatAnswers(kind, () => ({ error }));
  await expect(createdAt(settings)).rejects.toMatchObject({ kind: failure });
});

it.each(
  (['odoo', 'tryton', 'rt', 'redmine'] as const).flatMap((kind) =>
    ['', '{}', '[]'].map((reply) => [kind, reply] as const),
  ),
)('tries again to create an entry, then to find it, where %s answers with "%s"', async (kind, reply) => {
  const here = await world({ settings: await crmThatAnswers(kind, () => reply) });
  const call = await here.placeAndEnd();
  for (const attempt of [1, 2]) {
    here.wake();
    await until(async () => {
      const [unlogged] = await here.store.calls.listUnlogged(1);
      const { attempts, state } = unlogged!.entries[0]!;
      return attempts === attempt && state !== 'sending';
    }, `attempt ${attempt}`);
    expect(['waiting', 'unsure']).toContain((await here.entryOf(call))!.state);
    here.advance(minuteMs);
  }
});

it.each([
  ['beside changes without a note', { id: 4711 }, 'done', undefined],
  ['not where another issue is shown', { id: 4712 }, 'unsure', 'unreadable'],
])('takes a note for logged only where the issue shows it, %s', async (...row) => {
  const [, issue, state, reason] = row;
  const isOwn = issue.id === 4711;
  const journals: { id: number; notes: string | null }[] = isOwn ? [{ id: 1, notes: null }] : [];
  const added: string[] = [];
  const settings = await crmThatAnswers('redmine', (asked) => {
    if (asked === '') return { issue: { ...issue, journals } };
    added.push(JSON.parse(asked).issue.notes);
    if (isOwn) journals.push({ id: 2, notes: added[0]! });
    return '';
  });
  const here = await world({ settings });
  const call = await here.placeAndEnd();
  await here.drain(call, state);
  expect((await here.entryOf(call))!.reason).toBe(reason);
  expect(added).toHaveLength(1);
});

it('creates an entry once whose author is looked up for longer than its claim lasts', async () => {
  const posted: string[] = [];
  const lookups: (() => void)[] = [];
  const settings = await crmThatAnswers('odoo', async (asked) => {
    if (asked.includes('mail.message')) return { result: posted.map((body) => ({ body })) };
    if (asked.includes('message_post')) return { result: posted.push(JSON.parse(asked).params.args[6].body) };
    if (lookups.length === 0) await new Promise<void>((resolve) => lookups.push(resolve));
    return { result: [{ partner_id: [7, 'Rui'] }] };
  });
  const here = await world({ settings: { ...settings, USERS: '1105=rui' } });
  const call = await here.placeAndEnd();
  here.wake();
  await until(() => lookups.length === 1, 'the first look-up');
  here.advance(minuteMs + 1);
  await here.drain(call, 'done');
  lookups[0]!();
  await here.restart();
  expect(posted).toHaveLength(1);
});

it('creates an entry once where the relay stands still after its claim, before the connection', async () => {
  const store = openMemoryStore();
  stops.push(() => store.close());
  const here = await world({ store });
  const { amend } = store.calls;
  store.calls.amend = async (...request) => {
    const amended = await amend.apply(store.calls, request);
    if (request[0].amendment.kind === 'confirmEntry') {
      store.calls.amend = amend;
      // Before the event loop reads of the connection.
      process.nextTick(() => here.advance(minuteMs + 1));
    }
    return amended;
  };
  const call = await here.placeAndEnd();
  here.wake();
  await reasonOf(here, call, 'unreachable');
  here.advance(minuteMs);
  await here.drain(call, 'done');
  // Another attempt has the claim by now: it looks for the entry first.
  expect(here.crm.requests[0]).toMatch(/^GET/);
  expect(marked(here.crm, call)).toHaveLength(1);
});

it('stops within seconds while a CRM hangs, then finds the entry there', { timeout: 30_000 }, async () => {
  const here = await world();
  const held: (() => void)[] = [];
  here.crm.failNext((add) => void held.push(add));
  const call = await here.placeAndEnd();
  here.wake();
  await until(() => held.length === 1, 'the request');
  const startedAt = performance.now();
  await here.restart();
  expect(performance.now() - startedAt).toBeLessThan(8000);
  expect(await here.entryOf(call)).toMatchObject({ state: 'unsure', reason: 'stopped' });
  held[0]!();
  here.advance(minuteMs);
  await here.drain(call, 'done');
  expect(marked(here.crm, call)).toHaveLength(1);
});

it('ends a search for an entry that would outlast its claim', async () => {
  let slow: LoggingWorld | undefined;
  const comments = Array.from({ length: 100 }, (_, id) => ({ id: String(id) }));
  const settings = await crmThatAnswers('rt', (asked, url) => {
    if (asked !== '') return {};
    slow?.advance(minuteMs / 4);
    if (url.includes('/ticket/')) return { id: 4711, Status: 'new' };
    return { items: url.includes('/transactions?') ? comments : [] };
  });
  const here = await world({ settings });
  const call = await here.placeAndEnd();
  await here.drain(call, 'unsure');
  slow = here;
  here.advance(minuteMs);
  here.wake();
  await reasonOf(here, call, 'noAnswerInTime');
});

it('counts the talk once as time worked at RT, though the end comes late or the call is moved', async () => {
  const worked: [string, string][] = [];
  const settings = await crmThatAnswers('rt', (asked, url) => {
    const [, , , , issue = ''] = url.split('/');
    if (asked === '') return { id: Number(issue), Status: 'new', items: [] };
    worked.push([issue, JSON.parse(asked).TimeTaken]);
    return { created: true };
  });
  const here = await world({ settings });
  const call = await here.place();
  const done = async (entries: number) => {
    here.advance(2 * minuteMs);
    here.wake();
    await until(() => worked.length === entries, `${entries} entries`);
    await until(async () => (await here.store.calls.listDueEntries(all)).pending === 0, 'their end');
  };
  await here.apply(call, { kind: 'noNotification', at: hungUp.at });
  await done(1);
  await here.apply(call, hungUp);
  await done(2);
  await here.choose(call, here.recordOf('4712'));
  await done(4);
  expect(worked.slice(0, 2)).toEqual([
    ['4711', '0'],
    ['4711', '1'],
  ]);
  expect(worked.slice(2).sort()).toEqual([
    ['4711', '-1'],
    ['4712', '1'],
  ]);
});

it('takes each 2xx of a webhook for done, whatever the text of its reply', async () => {
  let received = 0;
  const server = await serveAsync(async (request, response) => {
    await readText(request);
    received++;
    response.writeHead(200, { 'content-type': 'text/plain' }).end('Accepted');
  });
  stops.push(() => server.close());
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const here = await world({ settings: { KIND: 'webhook', URL: server.url, SECRET: secret } });
  await here.drain(await here.placeAndEnd(), 'done');
  expect(received).toBe(1);
});

it('gives each record its own entries of a moved call at a webhook that drops repetitions', async () => {
  const taken = new Map<string, [string, string]>();
  const server = await serveAsync(async (request, response) => {
    const { data } = JSON.parse(await readText(request));
    const id = String(request.headers['webhook-id']);
    if (!taken.has(id)) taken.set(id, [data.record.id, data.kind]);
    response.writeHead(204).end();
  });
  stops.push(() => server.close());
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const here = await world({ settings: { KIND: 'webhook', URL: server.url, SECRET: secret } });
  const call = await here.placeAndEnd();
  await here.drain(call, 'done');
  await here.choose(call, here.recordOf('4712'));
  here.advance(2 * minuteMs);
  here.wake();
  await until(() => taken.size === 3, 'the entries');
  expect([...taken.values()].sort()).toEqual([
    ['4711', 'call'],
    ['4711', 'moved'],
    ['4712', 'call'],
  ]);
});

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
