import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveAsync } from '../../../testing/servers/serve-async.ts';
import type { HttpService } from '../../../testing/servers/serve-http.ts';
import { until } from '../../../testing/until.ts';
import { newProgress } from '../calls/call-progress.ts';
import { PbxStore } from '../store/pbx-store.ts';
import { createNotifier, type Notifier } from './notifier.ts';

const day = 24 * 3600_000;
let clock: number;
let store: PbxStore;
let receiver: HttpService;
let received: string[];
let outcomes: string[];
let answer: (body: string, response: ServerResponse) => void;
let notifier: Notifier;

beforeEach(async () => {
  clock = 1_000_000;
  store = new PbxStore(':memory:');
  received = [];
  outcomes = [];
  answer = (_body, response) => response.writeHead(204).end();
  receiver = await serveAsync(async (request, response) => {
    const body = await text(request);
    received.push(body);
    answer(body, response);
  });
  notifier = notifierOf(store);
});
afterEach(async () => {
  await notifier.stop();
  store.close();
  await receiver.close();
});

const address = () => `${receiver.url}/n?c=1`;
const notifierOf = (from: PbxStore, isAllowed = (_url: string) => true) =>
  createNotifier({
    store: from,
    isAllowed,
    onAttempt: (outcome) => outcomes.push(outcome),
    log: pino({ level: 'silent' }),
    now: () => clock,
    stopGraceMs: 1,
    random: () => 0.5,
  });
/** The last one reports the end. */
const owe = (callid: string, ...bodies: string[]) => oweWith(bodies.length - 1, callid, bodies);
const oweBeforeEnd = (callid: string, ...bodies: string[]) => oweWith(-1, callid, bodies);
const oweWith = (endIndex: number, callid: string, bodies: string[]) => {
  const call = { callid, tokenId: 'token', phase: 'ended' as const, progress: newProgress(callid, 'a') };
  if (!store.call(callid))
    store.addCall(
      { ...call, fingerprint: 'f', request: { from: '1105', to: '1' }, createdAt: clock },
      undefined,
    );
  store.saveCall(
    call,
    bodies.map((body, index) => ({ url: address(), body, isEnd: index === endIndex })),
    clock,
  );
};
const attempts = (count: number) => until(() => outcomes.length >= count, `${count} attempts`);

describe('Notifier', () => {
  it('posts JSON to the whole address until a 2xx', async () => {
    owe('a', '{"n":1}');
    await notifier.wake();
    await attempts(1);
    expect(received).toEqual(['{"n":1}']);
    expect(outcomes).toEqual(['delivered']);
    expect(store.nextDueAt()).toBeUndefined();
  });

  it('delivers the notifications of a call in order, though the first fails at first', async () => {
    answer = (_body, response) => response.writeHead(received.length === 1 ? 500 : 200).end();
    oweBeforeEnd('a', '1', '2', '3');
    await notifier.wake();
    await attempts(1);
    expect(received).toEqual(['1']);
    clock += 1000;
    await notifier.wake();
    await attempts(4);
    expect(received).toEqual(['1', '1', '2', '3']);
  });

  it('delivers the notifications of one call while those of another fail', async () => {
    answer = (body, response) => response.writeHead(body === 'bad' ? 503 : 200).end();
    owe('a', 'bad');
    owe('b', 'good');
    await notifier.wake();
    await attempts(2);
    expect(outcomes.toSorted()).toEqual(['delivered', 'retry']);
  });

  it.each([404, 410, 422])('gives up what comes before the end when the reply is %i', async (status) => {
    answer = (body, response) => response.writeHead(body === 'end' ? 200 : status).end();
    owe('a', 'ringing', 'answer', 'end');
    await notifier.wake();
    await attempts(3);
    expect([received, outcomes]).toEqual([
      ['ringing', 'answer', 'end'],
      ['dead', 'dead', 'delivered'],
    ]);
  });

  const failures: [string, (response: ServerResponse) => unknown][] = [
    ['is refused again', (response) => response.writeHead(500).end()],
    ['gets no reply', (response) => response.destroy()],
  ];
  it.each(failures)('delivers the end soon though what came before it %s', async (_name, fail) => {
    answer = (body, response) => (body === 'end' ? response.writeHead(200).end() : fail(response));
    owe('a', 'ringing', 'end');
    const start = clock;
    while (outcomes.at(-1) !== 'delivered') {
      const before = outcomes.length;
      await notifier.wake();
      await attempts(before + 1);
      clock = store.nextDueAt() ?? clock;
    }
    expect(received).toEqual([...Array(5).fill('ringing'), 'end']);
    expect(clock - start).toBeLessThan(60_000);
    expect(store.nextDueAt()).toBeUndefined();
  });

  it('delivers all of a call in order after the receiver could not be reached', async () => {
    answer = (_body, response) =>
      received.length === 1 ? response.destroy() : response.writeHead(200).end();
    owe('a', 'ringing', 'end');
    await notifier.wake();
    await attempts(1);
    clock += 1000;
    await notifier.wake();
    await attempts(3);
    expect(received).toEqual(['ringing', 'ringing', 'end']);
  });

  it('delivers what waits after the clock was set back by a day', async () => {
    answer = (_body, response) => response.writeHead(received.length === 1 ? 500 : 200).end();
    owe('a', '1');
    await notifier.wake();
    await attempts(1);
    clock -= day;
    await notifier.wake();
    await attempts(2);
    expect(outcomes).toEqual(['retry', 'delivered']);
  });

  it('retries one call while the receiver of another hangs', async () => {
    let isSlowOpen = true;
    answer = (body, response) => {
      if (body === 'slow') response.on('close', () => (isSlowOpen = false));
      else response.writeHead(503).end();
    };
    owe('a', 'slow');
    owe('b', 'bad');
    await notifier.wake();
    await attempts(1);
    clock += 1000;
    await until(() => received.filter((body) => body === 'bad').length === 2, 'the second attempt');
    expect(isSlowOpen).toBe(true);
  });

  it('sends a new notification before those that a hanging receiver has failed to take', async () => {
    answer = (_body, response) => response.writeHead(503).end();
    for (let call = 0; call < 30; call += 1) owe(`bad-${call}`, 'bad');
    await notifier.wake();
    await attempts(30);
    clock += 5000;
    answer = (body, response) => body === 'good' && response.writeHead(204).end();
    owe('b', 'good');
    await notifier.wake();
    await until(() => received.length >= 50, 'all that are sent at once');
    expect(received).toContain('good');
  });

  it('waits longer after each failure until it gives up after a day', async () => {
    answer = (_body, response) => response.writeHead(500).end();
    owe('a', '1');
    const start = clock;
    const pauses: number[] = [];
    while (outcomes.at(-1) !== 'dead') {
      const before = outcomes.length;
      await notifier.wake();
      await attempts(before + 1);
      const due = store.nextDueAt();
      if (due === undefined) continue;
      pauses.push((due - clock) / 1000);
      clock = due;
    }
    expect(pauses.slice(0, 9)).toEqual([1, 2, 5, 10, 30, 60, 300, 900, 900]);
    expect(clock - start).toBeLessThanOrEqual(day);
    expect(clock - start).toBeGreaterThan(day - 900_000);
    expect(store.pendingNotifications()).toEqual({ waiting: 0, dead: 1 });
  });

  it('sends nothing to a host that is no longer allowed', async () => {
    owe('a', '1');
    await notifier.stop();
    notifier = notifierOf(store, () => false);
    await notifier.wake();
    await attempts(1);
    expect([received, outcomes]).toEqual([[], ['retry']]);
  });

  it('does not follow a redirect', async () => {
    answer = (_body, response) => response.writeHead(307, { location: '/elsewhere' }).end();
    owe('a', '1');
    await notifier.wake();
    await attempts(1);
    expect([received.length, outcomes]).toEqual([1, ['retry']]);
  });

  it('tries again at the next start what was cut while under way', async () => {
    answer = () => {};
    owe('a', '1');
    await notifier.wake();
    await until(() => received.length === 1, 'the first attempt');
    await notifier.stop();
    expect(store.pendingNotifications().waiting).toBe(1);
    answer = (_body, response) => response.writeHead(200).end();
    notifier = notifierOf(store);
    await notifier.wake();
    await attempts(1);
    expect([received, outcomes]).toEqual([['1', '1'], ['delivered']]);
  });

  it('sends a notification once, however often it is woken meanwhile', async () => {
    answer = (_body, response) => void setTimeout(() => response.writeHead(200).end(), 30);
    owe('a', '1');
    for (let index = 0; index < 20; index += 1) void notifier.wake();
    await attempts(1);
    expect(received).toEqual(['1']);
  });
});
