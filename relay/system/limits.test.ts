import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeLog } from '../../shared/server/log.ts';
import {
  announce,
  hangup,
  newClick,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { until } from '../../testing/until.ts';
import { makeApiKey } from '../access/api-key.ts';
import { Signer } from '../access/signer.ts';
import { makeTicket } from '../access/ticket.ts';

let relay: TestRelay;
let provider: FakeProvider;
const start = async (environment: Record<string, string> = {}) => {
  provider = await startFakeProvider();
  relay = await startTestRelay({
    PROVIDER_URL: provider.url,
    PROVIDER_TOKEN: 'service-token',
    ...environment,
  });
};
afterEach(async () => {
  await relay.stop();
  await provider.close();
});
const place = async (as: string, to: string) =>
  relay.ask('/v1/calls', { as, body: { to }, headers: newClick() });

describe('limits', () => {
  it.each([
    ['per key', { MAX_CALLS_PER_MINUTE: '2' }, ['4833220001', '4833220002', '4833220003']],
    [
      'per destination',
      { MAX_CALLS_PER_DESTINATION_PER_MINUTE: '2' },
      ['4833220001', '4833220001', '4833220001'],
    ],
    [
      'per destination, however it is written,',
      { COUNTRY: 'BR', MAX_CALLS_PER_DESTINATION_PER_MINUTE: '2' },
      ['4833220001', '04833220001', '554833220001'],
    ],
    ['per day', { MAX_CALLS_PER_DAY: '2' }, ['4833220001', '4833220002', '4833220003']],
  ])('%s reject the call before it is dialled, with Retry-After', async (_name, environment, numbers) => {
    await start(environment);
    const agent = await relay.agent('1105');
    const answers = [];
    for (const number of numbers) answers.push(await place(agent, number));
    // A minute may turn between two calls; a day may not.
    if (!('MAX_CALLS_PER_DAY' in environment) && answers[2]!.status === 201)
      for (const number of numbers) answers[2] = await place(agent, number);
    expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[2]).toMatchObject({ status: 429, body: { code: 'tooManyCalls' } });
    expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('slow down an address that guesses keys, but not valid keys, nor the provider behind it', async () => {
    await start({ MAX_FAILED_REQUESTS_PER_MINUTE: '5' });
    const agent = await relay.agent('1105');
    const { returnUrl } = await announce(relay.url, agent, '1');
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push((await relay.ask('/v1/calls', { as: `guess-${n}` })).status);
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses).toContain(429);
    expect((await relay.ask('/v1/calls', { as: agent })).status).toBe(200);
    // Made after the limit was hit, so that it is in no cache.
    const another = makeApiKey({ kind: 'agent', name: '', origins: [], callers: ['1106'] }, new Date());
    await relay.store.keys.add(another.stored);
    expect((await relay.ask('/v1/calls', { as: another.key })).status).toBe(200);
    expect((await relay.ask(returnUrl, { body: hangup() })).status).toBe(200);
  });

  it('count the requests of one address where it is set', async () => {
    await start({ MAX_REQUESTS_PER_MINUTE: '3' });
    const agent = await relay.agent('1105');
    const statuses = [];
    for (let n = 0; n < 5; n++) statuses.push((await relay.ask('/v1/calls', { as: agent })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await relay.ask('/healthz')).status).toBe(200);
  });

  it('accept a forwarded address only from a trusted proxy', async () => {
    await start({ MAX_REQUESTS_PER_MINUTE: '1', TRUSTED_PROXIES: '127.0.0.1' });
    const agent = await relay.agent('1105');
    const from = async (address: string) =>
      (await relay.ask('/v1/calls', { as: agent, headers: { 'x-forwarded-for': address } })).status;
    expect([await from('203.0.113.1'), await from('203.0.113.2'), await from('203.0.113.1')]).toEqual([
      200, 200, 429,
    ]);
    await relay.stop();
    await provider.close();
    await start({ MAX_REQUESTS_PER_MINUTE: '1' });
    const again = await relay.agent('1105');
    const untrusted = async (address: string) =>
      (await relay.ask('/v1/calls', { as: again, headers: { 'x-forwarded-for': address } })).status;
    expect([await untrusted('203.0.113.1'), await untrusted('203.0.113.2')]).toEqual([200, 429]);
  });

  it('warn once of a forwarded address where no proxy is trusted', async () => {
    const warningsOf = async (environment: Record<string, string>) => {
      let logged = '';
      const destination = new PassThrough().on('data', (chunk) => {
        logged += chunk;
      });
      const quiet = await startTestRelay(environment, makeLog('info', destination));
      for (const header of ['x-forwarded-for', 'forwarded'])
        await quiet.ask('/healthz', { headers: { [header]: 'for=203.0.113.1' } });
      await quiet.stop();
      return logged.split('DIALMARK_TRUSTED_PROXIES').length - 1;
    };
    await start();
    expect([await warningsOf({}), await warningsOf({ TRUSTED_PROXIES: '127.0.0.1' })]).toEqual([1, 0]);
  });

  it.each(['MAX_STREAMS', 'MAX_STREAMS_PER_KEY'])('count long polls towards %s', async (name) => {
    await start({ [name]: '2' });
    const agent = await relay.agent('1105');
    const headers = { accept: 'application/json' };
    const { cursor } = (await relay.ask('/v1/events', { as: agent, headers })).body;
    const path = `/v1/events?since=${cursor}&wait=20`;
    const polls = [1, 2].map(() => relay.ask(path, { as: agent, headers }));
    const open = async () =>
      / 2$/m.test(/^dialmark_streams .*$/m.exec((await relay.ask('/metrics')).text)![0]);
    await until(open, 'both polls');
    expect(await relay.ask(path, { as: agent, headers })).toMatchObject({
      status: 503,
      body: { code: 'tooManyStreams' },
    });
    expect((await relay.ask('/v1/events', { as: agent })).status).toBe(503);
    // A poll that does not wait takes no place.
    expect((await relay.ask(`/v1/events?since=${cursor}`, { as: agent, headers })).status).toBe(200);
    await place(agent, '4833220001');
    for (const poll of polls) expect((await poll).body.events).toHaveLength(1);
    (await readEvents(relay.url, agent)).close();
  });

  it('do not count a long poll whose reader left before it waited', async () => {
    await start();
    const agent = await relay.agent('1105');
    const headers = { accept: 'application/json' };
    const { cursor } = (await relay.ask('/v1/events', { as: agent, headers })).body;
    const reader = connect(Number(new URL(relay.url).port), '127.0.0.1');
    const { calls } = relay.store;
    const eventsAfter = calls.eventsAfter.bind(calls);
    const looked = vi.spyOn(calls, 'eventsAfter').mockImplementationOnce(async (...asked) => {
      reader.destroy();
      await gone;
      return eventsAfter(...asked);
    });
    let gone: Promise<unknown> = Promise.resolve();
    const onRequest = (message: unknown) => {
      gone = once((message as { socket: Socket }).socket, 'close');
    };
    subscribe('http.server.request.start', onRequest);
    reader.write(
      `GET /v1/events?since=${cursor}&wait=20 HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n` +
        `Authorization: Bearer ${agent}\r\n\r\n`,
    );
    await until(() => looked.mock.calls.length === 2, 'the look after the reader left');
    unsubscribe('http.server.request.start', onRequest);
    expect((await relay.ask('/metrics')).text).toMatch(/^dialmark_streams 0$/m);
  });

  it('reject further streams of one key with 503', async () => {
    await start({ MAX_STREAMS_PER_KEY: '2' });
    const agent = await relay.agent('1105');
    const readers = [await readEvents(relay.url, agent), await readEvents(relay.url, agent)];
    const third = await relay.ask('/v1/events', { as: agent });
    expect(third).toMatchObject({ status: 503, body: { code: 'tooManyStreams' } });
    expect(third.headers.get('retry-after')).toBe('10');
    for (const reader of readers) reader.close();
  });
});

describe('a call that its client places itself', () => {
  const announceAs = (as: string, to: string) =>
    relay.ask('/v1/calls', { as, body: { to, placedBy: 'client' }, headers: newClick() });

  it('needs a key with the right for it, also to report on it', async () => {
    await start();
    const plain = makeApiKey({ kind: 'agent', name: '', origins: [], callers: ['1105'] }, new Date());
    await relay.store.keys.add(plain.stored);
    expect(await announceAs(plain.key, '4833220001')).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    const { call } = await announce(relay.url, await relay.agent('1105'));
    const report = { as: plain.key, body: { reply: { status: 'OK' } } };
    expect((await relay.ask(`/v1/calls/${call.id}/reply`, report)).status).toBe(403);
    expect((await place(plain.key, '4833220001')).status).toBe(201);
  });

  it('is judged by the guard', async () => {
    await start({ COUNTRY: 'BR' });
    const agent = await relay.agent('1105');
    for (const to of ['190', '9001234567', '0021870776123456'])
      expect(await announceAs(agent, to)).toMatchObject({ status: 403, body: { code: 'numberNotAllowed' } });
    expect((await announceAs(agent, '4833224455')).status).toBe(201);
  });

  it('is counted with all others', async () => {
    await start({ MAX_CALLS_PER_DAY: '2' });
    const agent = await relay.agent('1105');
    expect((await announceAs(agent, '4833220001')).status).toBe(201);
    expect((await place(agent, '4833220002')).status).toBe(201);
    expect(await announceAs(agent, '4833220003')).toMatchObject({
      status: 429,
      body: { code: 'tooManyCalls' },
    });
  });
});

describe('streams', () => {
  it('end with the ticket', async () => {
    const secret = 's'.repeat(40);
    await start({ SECRET: secret });
    const { id } = await relay.site('https://crm.example', '1105');
    const expires = Date.now() + 5000;
    const ticket = makeTicket(new Signer([secret]), { site: id, from: '1105', rights: ['watch'], expires });
    const reader = await readEvents(relay.url, ticket);
    await reader.ended;
    expect(Date.now()).toBeGreaterThanOrEqual(expires);
    expect((await relay.ask('/v1/calls', { as: ticket })).body.code).toBe('ticketExpired');
  });

  it('end after their lifetime without an error', async () => {
    await start({ STREAM_SECONDS: '1' });
    const reader = await readEvents(relay.url, await relay.agent('1105'));
    await reader.ended;
    expect(reader.comments.length).toBeGreaterThan(0);
  });

  it('of a reader that stops reading are cut while others continue', async () => {
    await start();
    const agent = await relay.agent('1105');
    const healthy = await readEvents(relay.url, agent);
    const { hostname, port } = new URL(relay.url);
    const lazy = connect(Number(port), hostname);
    lazy.write(
      `GET /v1/events HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer ${agent}\r\n\r\n`,
    );
    await new Promise((resolve) => lazy.once('readable', resolve));
    const cut = new Promise((resolve) => {
      lazy.on('close', resolve).on('error', resolve);
    });
    const callflow = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `${n}.1`,
        { channel: 'x'.repeat(256), exten: 'y'.repeat(256), context: 'z'.repeat(256) },
      ]),
    );
    let sent = 0;
    const metric = async () =>
      Number(/dialmark_streams_cut_total (\d+)/.exec((await relay.ask('/metrics')).text)?.[1]);
    // The kernel takes some megabytes for the lazy one before anything is left unread with us.
    while ((await metric()) === 0 && sent < 1200) {
      const batch = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { returnUrl } = await announce(relay.url, agent, '1');
          return relay.ask(returnUrl, { body: hangup({ callflow }) });
        }),
      );
      sent += batch.length;
    }
    expect(await metric()).toBe(1);
    lazy.resume();
    await cut;
    await healthy.until(sent * 2);
    healthy.close();
    lazy.destroy();
  });
});
