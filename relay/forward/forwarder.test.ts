import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { delayAfter } from '../../shared/server/delivery.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/servers/webhook-receiver.ts';
import { Metrics } from '../metrics.ts';
import { openMemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { Forwarder, type ForwarderOptions, forwardDelays } from './forwarder.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const cleaning: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

const openReceiver = async () => {
  const receiver = await startWebhookReceiver(secret);
  cleaning.push(receiver.close);
  return receiver;
};
const openStore = () => {
  const store = openMemoryStore();
  cleaning.push(store.close);
  return store;
};
const startForwarder = (store: Store, receiver: WebhookReceiver, more: Partial<ForwarderOptions> = {}) => {
  const metrics = new Metrics();
  const forwarder = new Forwarder({
    url: receiver.url,
    secrets: [Buffer.from(secret.slice('whsec_'.length), 'base64')],
    store,
    metrics,
    log: pino({ level: 'silent' }),
    delays: [1, 1],
    ...more,
  });
  cleaning.push(() => forwarder.stop());
  void forwarder.wake();
  const outcomes = async () =>
    Object.fromEntries(
      (await metrics.forwards.get()).values.map(({ labels, value }) => [labels.outcome, value]),
    );
  return { forwarder, outcomes };
};
let count = 0;
/** Puts one into the queue. @returns its id. */
const queue = async (store: Store, body = '{"event":"hangup"}') => {
  const intent = clientIntent('1105');
  const { call } = intent;
  const at = call.createdAt;
  await store.calls.place(intent);
  const id = `msg_${count++}`;
  const arrival = { event: 'hungUp', digest: 'd', forward: { id, body } };
  await store.calls.apply({
    callId: call.id,
    fact: { kind: 'hungUp', at, details: {} },
    arrival,
    now: Date.now(),
  });
  return id;
};
/** The store's settling, awaited. */
const untilSettled = (store: Store, times: number) =>
  new Promise<void>((resolve) => {
    const settle = store.forwards.settle;
    let left = times;
    store.forwards.settle = async (...input) => {
      await settle(...input);
      if (--left === 0) resolve();
    };
  });

describe('the schedule', () => {
  it('waits longer before each attempt, three days in all, up to ten attempts', () => {
    const middle = Array.from({ length: 10 }, (_, index) => delayAfter(index + 1, forwardDelays, () => 0.5));
    expect(middle).toEqual([...forwardDelays, undefined]);
    expect([...forwardDelays]).toEqual([...forwardDelays].sort((a, b) => a - b));
    const hours = forwardDelays.reduce((sum, delay) => sum + delay, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(72);
    expect(delayAfter(1, [1000], () => 0)).toBe(800);
    expect(delayAfter(1, [1000], () => 1)).toBe(1200);
  });
});

describe('a forwarder', () => {
  it('retries until a 2xx reply, under one id, signing each attempt', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    receiver.answer = (_hook, response) =>
      void response.writeHead(receiver.received.length < 3 ? 503 : 200).end('thanks');
    const settled = untilSettled(store, 3);
    const id = await queue(store, '{"a":"é"}');
    const { outcomes } = startForwarder(store, receiver);
    await settled;
    expect(receiver.received.map((hook) => [hook.id, hook.text, hook.signedWith])).toEqual(
      Array.from({ length: 3 }, () => [id, '{"a":"é"}', [0]]),
    );
    expect(receiver.received[0]).toMatchObject({
      path: '/hook?for=calls',
      headers: { 'content-type': 'application/json' },
    });
    expect(Math.abs(receiver.received[0]!.timestamp - Date.now() / 1000)).toBeLessThan(60);
    expect(await store.forwards.list(10)).toEqual([]);
    expect(await outcomes()).toEqual({ retry: 2, delivered: 1, dead: 0 });
  });

  it('gives up at the end of the schedule, until it is retried by hand', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    receiver.answer = (_hook, response) => void response.writeHead(500).end();
    const dead = untilSettled(store, 3);
    const id = await queue(store);
    const { forwarder, outcomes } = startForwarder(store, receiver);
    await dead;
    expect(await store.forwards.list(10)).toMatchObject([{ id, dead: true, attempts: 3, note: 'HTTP 500' }]);
    expect(await outcomes()).toEqual({ retry: 2, dead: 1 });

    receiver.answer = (_hook, response) => void response.writeHead(204).end();
    const delivered = untilSettled(store, 1);
    await store.forwards.retry(id, Date.now());
    void forwarder.wake();
    await delivered;
    expect(receiver.received).toHaveLength(4);
    expect(await store.forwards.list(10)).toEqual([]);
  });

  it('gives up at once on 410 Gone', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    receiver.answer = (_hook, response) => void response.writeHead(410).end();
    const settled = untilSettled(store, 1);
    const id = await queue(store);
    startForwarder(store, receiver);
    await settled;
    expect(await store.forwards.list(10)).toMatchObject([{ id, dead: true, attempts: 1, note: 'HTTP 410' }]);
    expect(receiver.received).toHaveLength(1);
  });

  it('does not follow a redirect', async () => {
    const [receiver, elsewhere, store] = [await openReceiver(), await openReceiver(), openStore()];
    receiver.answer = (_hook, response) => void response.writeHead(307, { location: elsewhere.url }).end();
    const settled = untilSettled(store, 1);
    await queue(store);
    startForwarder(store, receiver, { delays: [] });
    await settled;
    expect(await store.forwards.list(10)).toMatchObject([{ dead: true, note: 'HTTP 307' }]);
    expect(elsewhere.received).toEqual([]);
  });

  it('retries when the connection breaks or is refused', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    receiver.answer = (_hook, response) => void response.destroy();
    let settled = untilSettled(store, 1);
    await queue(store);
    const { forwarder } = startForwarder(store, receiver, { delays: [1_000_000], random: () => 0.5 });
    await settled;
    expect((await store.forwards.list(10))[0]).toMatchObject({ dead: false, note: 'UND_ERR_SOCKET' });
    await receiver.close();
    cleaning.splice(cleaning.indexOf(receiver.close), 1);
    settled = untilSettled(store, 1);
    await store.forwards.retry((await store.forwards.list(1))[0]!.id, Date.now());
    void forwarder.wake();
    await settled;
    expect((await store.forwards.list(10))[0]).toMatchObject({
      dead: false,
      attempts: 1,
      note: 'ECONNREFUSED',
    });
  });

  it('delivers a hundred with at most 16 attempts at once', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    let [open, mostOpen] = [0, 0];
    receiver.answer = (_hook, response) => {
      mostOpen = Math.max(mostOpen, ++open);
      setImmediate(() => response.writeHead(204).end(() => open--));
    };
    const ids: string[] = [];
    for (let n = 0; n < 100; n++) ids.push(await queue(store));
    const settled = untilSettled(store, 100);
    startForwarder(store, receiver);
    await settled;
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(mostOpen).toBeLessThanOrEqual(16);
    expect(await store.forwards.list(10)).toEqual([]);
  });

  it('sends each once when two forwarders share a store', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    const ids = [];
    for (let n = 0; n < 40; n++) ids.push(await queue(store));
    const settled = untilSettled(store, 40);
    startForwarder(store, receiver);
    startForwarder(store, receiver);
    await settled;
    expect(receiver.received.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('finishes the attempt in progress on stop without starting another', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    let release: () => void = () => {};
    receiver.answer = (_hook, response) => {
      release = () => void response.writeHead(204).end();
    };
    await queue(store);
    const { forwarder } = startForwarder(store, receiver);
    await receiver.until(1);
    const stopped = forwarder.stop();
    await queue(store);
    void forwarder.wake();
    release();
    await stopped;
    expect(receiver.received).toHaveLength(1);
    expect(await store.forwards.list(10)).toMatchObject([{ dead: false, attempts: 0 }]);
  });

  it('leaves the forward of a hanging receiver to the next start on stop', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    receiver.answer = () => {};
    const id = await queue(store);
    const { forwarder } = startForwarder(store, receiver, { stopGraceMs: 1, delays: [] });
    await receiver.until(1);
    await forwarder.stop();
    expect(await store.forwards.list(10)).toMatchObject([{ id, dead: false, note: 'stopped' }]);
    receiver.answer = (_hook, response) => void response.writeHead(204).end();
    startForwarder(store, receiver);
    expect((await receiver.until(2))[1]!.id).toBe(id);
  });

  it('continues after the store was unavailable', async () => {
    const [receiver, store] = [await openReceiver(), openStore()];
    const { claim } = store.forwards;
    await queue(store);
    const asked = new Promise<void>((resolve) => {
      store.forwards.claim = () => {
        resolve();
        return Promise.reject(new Error('away'));
      };
    });
    const { forwarder } = startForwarder(store, receiver);
    await asked;
    store.forwards.claim = claim;
    void forwarder.wake();
    await receiver.until(1);
  });
});
