import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { until } from '../../testing/until.ts';
import { type Attempted, DeliveryQueue, type DeliveryStore } from './delivery.ts';

interface Item {
  id: number;
  attempt: number;
}
interface StoredItem extends Item {
  dueAt: number;
  note: string;
  isDead: boolean;
}

let items: StoredItem[];
let attempts: number[];
const queues: DeliveryQueue<Item>[] = [];
afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop();
});

/** Claims are durable, as those of two processes on one store. */
const store: DeliveryStore<Item> = {
  claim({ now, until, limit }) {
    const alive = items.filter(({ isDead }) => !isDead);
    const due = alive.filter(({ dueAt }) => dueAt <= now).slice(0, limit);
    for (const item of due) Object.assign(item, { dueAt: until, attempt: item.attempt + 1 });
    const claimed = due.map(({ id, attempt }) => ({ id, attempt }));
    return { items: claimed, pending: alive.length, next: Math.min(...alive.map(({ dueAt }) => dueAt)) };
  },
  settle({ id }, outcome) {
    const item = items.find((each) => each.id === id)!;
    if (outcome.kind === 'delivered') items.splice(items.indexOf(item), 1);
    else Object.assign(item, { dueAt: outcome.at, note: outcome.note, isDead: outcome.kind === 'dead' });
  },
};
const fill = (count: number) => {
  items = Array.from({ length: count }, (_, id) => ({ id, attempt: 0, dueAt: 0, note: '', isDead: false }));
  attempts = [];
};
const failed: Attempted = { kind: 'failed', note: 'HTTP 500', isFinal: false };
const never = (signal: AbortSignal) =>
  new Promise<Attempted>((resolve) => signal.addEventListener('abort', () => resolve(failed)));
const start = (
  attempt: (item: Item, signal: AbortSignal) => Promise<Attempted>,
  from = store,
  more: { maxAtOnce?: number; delaysMs?: number[]; onError?: () => void } = {},
) => {
  const log = pino({ level: 'silent' });
  if (more.onError) log.error = more.onError;
  const queue = new DeliveryQueue<Item>({
    store: from,
    delaysMs: more.delaysMs ?? [1, 1],
    maxAtOnce: more.maxAtOnce ?? 4,
    stopGraceMs: 1,
    onAttempted: ({ id }) => attempts.push(id),
    log,
    attempt,
  });
  queues.push(queue);
  void queue.wake();
  return queue;
};

describe('DeliveryQueue', () => {
  it('retries one item while the attempt at another is still in progress', async () => {
    fill(2);
    start(({ id }, signal) => (id === 0 ? never(signal) : Promise.resolve(failed)));
    await until(() => items[1]!.isDead, 'the end of the second item');
    expect(items).toMatchObject([{ attempt: 1 }, { attempt: 3, note: 'HTTP 500' }]);
  });

  it('makes no further attempt after a final refusal', async () => {
    fill(1);
    start(() => Promise.resolve({ kind: 'failed', note: 'HTTP 410', isFinal: true }));
    await until(() => items[0]!.isDead, 'the end of the item');
    expect(items[0]).toMatchObject({ attempt: 1, note: 'HTTP 410' });
  });

  it('keeps the number of attempts at once within its limit', async () => {
    fill(30);
    let [open, mostOpen] = [0, 0];
    start(async () => {
      mostOpen = Math.max(mostOpen, ++open);
      await new Promise(setImmediate);
      open -= 1;
      return { kind: 'delivered' };
    });
    await until(() => items.length === 0, 'the delivery of all items');
    expect(mostOpen).toBe(4);
    expect(attempts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, id) => id));
  });

  it('attempts each item once when two queues share a store', async () => {
    fill(40);
    const deliver = () => Promise.resolve<Attempted>({ kind: 'delivered' });
    start(deliver);
    start(deliver);
    await until(() => items.length === 0, 'the delivery of all items');
    expect(attempts).toHaveLength(40);
  });

  it('stores an attempt that was cut by stop as one that may be made at once', async () => {
    fill(1);
    const queue = start((_item, signal) => never(signal), store, { delaysMs: [] });
    await until(() => items[0]!.attempt === 1, 'the first attempt');
    await queue.stop();
    expect(items[0]).toMatchObject({ isDead: false, note: 'stopped' });
    expect(items[0]!.dueAt).toBeLessThanOrEqual(Date.now());
    expect(attempts).toEqual([]);
  });

  it('keeps the pause of an attempt that ends unproven while the queue stops', async () => {
    fill(1);
    const unproven = { ...failed, notBeforeMs: 45_000 } as const;
    const queue = start((_item, signal) => never(signal).then(() => unproven));
    await eventually(() => expect(items[0]!.attempt).toBe(1));
    await queue.stop();
    expect(items[0]!.dueAt).toBeGreaterThan(Date.now() + 40_000);
  });

  it('starts nothing that is claimed while it stops', async () => {
    fill(1);
    let claimed = () => {};
    const isClaiming = new Promise<void>((resolve) => (claimed = resolve));
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow: DeliveryStore<Item> = {
      ...store,
      async claim(claim) {
        claimed();
        await held;
        return store.claim(claim);
      },
    };
    const queue = start(() => Promise.resolve({ kind: 'delivered' }), slow);
    await isClaiming;
    const stopped = queue.stop();
    release();
    await stopped;
    expect([items.length, attempts]).toEqual([1, []]);
  });

  it.each(['throws', 'rejects'] as const)('survives a store whose settling %s', async (how) => {
    fill(2);
    const errors: string[] = [];
    const broken: DeliveryStore<Item> = {
      ...store,
      settle(item, outcome) {
        if (item.id === 1) return store.settle(item, outcome);
        if (how === 'throws') throw new Error('disk full');
        return Promise.reject(new Error('disk full'));
      },
    };
    start(() => Promise.resolve({ kind: 'delivered' }), broken, { onError: () => errors.push('error') });
    await until(() => items.length === 1 && errors.length === 1, 'the error');
    // Claimed: the attempt is not repeated before the claim expires.
    expect(items[0]!.dueAt).toBeGreaterThan(Date.now() + 30_000);
  });

  it.each(['throws', 'rejects'] as const)('continues after a store whose claim %s', async (how) => {
    fill(1);
    let isBroken = true;
    const broken: DeliveryStore<Item> = {
      ...store,
      claim(claim) {
        if (!isBroken) return store.claim(claim);
        if (how === 'throws') throw new Error('locked');
        return Promise.reject(new Error('locked'));
      },
    };
    let failure = () => {};
    const hasFailed = new Promise<void>((resolve) => (failure = resolve));
    const queue = start(() => Promise.resolve({ kind: 'delivered' }), broken, { onError: failure });
    await hasFailed;
    isBroken = false;
    void queue.wake();
    await until(() => items.length === 0, 'the delivery of all items');
  });

  it('reports the items that are neither delivered nor dead', async () => {
    fill(3);
    const queue = start((_item, signal) => never(signal));
    await until(() => items.every(({ attempt }) => attempt === 1), 'the first attempts');
    expect(queue.pending).toBe(3);
  });
});
