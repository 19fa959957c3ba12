import { afterAll, describe, expect, it } from 'vitest';
import { startRedis } from '../../../testing/servers/redis-server.ts';
import { makeApiKey } from '../../access/api-key.ts';
import { describeStore } from '../contract.ts';
import { newIntent } from '../new-intent.ts';
import type { StoredEvent } from '../store.ts';
import { openRedisStore } from './redis-store.ts';

const redis = await startRedis();
afterAll(() => redis.stop());

describeStore('Redis', () => openRedisStore({ url: redis.url }));

const command = async (...words: string[]) => {
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  await admin.sendCommand(words);
  admin.destroy();
};
const empty = () => command('FLUSHALL');

describe('two relays on one Redis', () => {
  it('hear of each other’s events, all of them and in the same order', async () => {
    const [a, b] = [await openRedisStore({ url: redis.url }), await openRedisStore({ url: redis.url })];
    const [heardByA, heardByB]: StoredEvent[][] = [[], []];
    a.onEvents((events) => heardByA!.push(...events));
    b.onEvents((events) => heardByB!.push(...events));
    await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 2 ? a : b).place(newIntent('both'))));
    const mine = (events: StoredEvent[]) => events.filter(({ channel }) => channel === 'both');
    while (mine(heardByA!).length < 100 || mine(heardByB!).length < 100)
      await new Promise((resolve) => setImmediate(resolve));
    expect(heardByA).toEqual(heardByB);
    const sequence = heardByA!.map(({ seq }) => seq);
    expect(sequence).toEqual([...sequence].sort((x, y) => x - y));
    await a.close();
    await b.close();
  });

  it('do not take an event that is heard while they look for a past that was lost', async () => {
    const [a, b] = [await openRedisStore({ url: redis.url }), await openRedisStore({ url: redis.url })];
    const before = a.epoch;
    const inner = a as unknown as { head(): Promise<number>; look(): Promise<void> };
    const head = inner.head.bind(a);
    inner.head = async () => {
      inner.head = head;
      const answer = await head();
      const heard = new Promise<void>((resolve) => a.onEvents(() => resolve()));
      await b.place(newIntent('meanwhile'));
      await heard;
      return answer;
    };
    await inner.look();
    expect(a.epoch).toBe(before);
    await a.close();
    await b.close();
  });

  it('tell of a lost past to whoever reads the keys that went with it, before they answer', async () => {
    const [a, b] = [await openRedisStore({ url: redis.url }), await openRedisStore({ url: redis.url })];
    await a.addKey(makeApiKey({ kind: 'agent', name: '', origins: [], callers: ['1'] }, new Date()).stored);
    for (const store of [a, b]) {
      let told = false;
      store.onEpoch(() => {
        told = true;
      });
      await empty();
      // Also where the other one made the next epoch already.
      expect([await store.keys(), told]).toEqual([[], true]);
    }
    await a.close();
    await b.close();
  });

  it('agree at once on one new epoch when both find the same loss at the same moment', async () => {
    const [a, b] = [await openRedisStore({ url: redis.url }), await openRedisStore({ url: redis.url })];
    const epochs: string[][] = [[], []];
    for (const [nth, store] of [a, b].entries()) store.onEpoch(() => void epochs[nth]!.push(store.epoch));
    const look = () =>
      Promise.all([a, b].map((store) => (store as unknown as { look(): Promise<void> }).look()));
    await a.place(newIntent('kept'));
    await look();
    // As after a restart with less than there was: the epoch is known, the events are not there.
    const shrink = "redis.call('FLUSHALL') redis.call('SET', '{dialmark}:epoch', ARGV[1])";
    await command('EVAL', shrink, '0', a.epoch);
    for (let looks = 0; looks < 3; looks++) await look();
    expect(epochs).toEqual([[b.epoch], [a.epoch]]);
    await a.close();
    await b.close();
  });

  it('refuse the change and start a new epoch when Redis was emptied', async () => {
    const [a, b] = [await openRedisStore({ url: redis.url }), await openRedisStore({ url: redis.url })];
    const before = a.epoch;
    const renewed = Promise.all(
      [a, b].map((store) => new Promise<void>((resolve) => store.onEpoch(resolve))),
    );
    await a.place(newIntent('gone'));
    await empty();
    await renewed;
    expect(a.epoch).not.toBe(before);
    expect(b.epoch).toBe(a.epoch);
    expect(await b.place(newIntent('again'))).toEqual({ kind: 'placed' });
    await a.close();
    await b.close();
  });
});
