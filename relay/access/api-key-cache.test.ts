import { afterEach, expect, it, vi } from 'vitest';
import { openMemoryStore } from '../store/memory-store.ts';
import type { StoredKey } from '../store/stored-key.ts';
import { makeApiKey } from './api-key.ts';
import { ApiKeyCache } from './api-key-cache.ts';

afterEach(() => void vi.useRealTimers());

/** @returns a store with three keys, and a copy of the methods for its keys, which a test replaces. */
async function storeWithKeys() {
  const made = Array.from({ length: 3 }, () =>
    makeApiKey({ kind: 'agent', name: '', origins: [], callers: ['1105'] }, new Date()),
  );
  const full = openMemoryStore();
  for (const { stored } of made) await full.keys.add(stored);
  return { made, full, keys: { ...full.keys } };
}

it('keeps every key valid while it restores them to a store that lost its data', async () => {
  const { made, full, keys } = await storeWithKeys();
  const store = { ...full, keys };
  const revoked: string[] = [];
  const cache = await ApiKeyCache.open(store, {
    onEndChanged: (id) => revoked.push(id),
    onReadError: (error) => {
      throw error;
    },
  });

  const emptied: StoredKey[] = [];
  const waiting: (() => void)[] = [];
  keys.list = async () => [...emptied];
  keys.findByHash = async (hash) => emptied.find((key) => key.hash === hash);
  keys.add = async (key) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    emptied.push(key);
  };
  // Read just before the loss is known, and again after each key that is restored.
  const readings = [cache.reload()];
  const back = cache.restore();
  for (const _ of made) {
    readings.push(cache.reload());
    for (const { key, stored } of made) expect(await cache.find(key)).toEqual(stored);
    waiting.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await back;
  await Promise.all(readings);
  for (const { key, stored } of made) expect(await cache.find(key)).toEqual(stored);
  expect(revoked).toEqual([]);
  await full.close();
});

it('keeps every key valid where its restoring breaks off, until the next one succeeds', async () => {
  const { made, full, keys } = await storeWithKeys();
  const failures: string[] = [];
  const cache = await ApiKeyCache.open(
    { ...full, keys },
    { onEndChanged: (id) => failures.push(id), onReadError: ({ message }) => failures.push(message) },
  );

  const restored = new Map<string, StoredKey>();
  let mayAdd = 1;
  keys.list = async () => [...restored.values()];
  keys.findByHash = async (hash) => [...restored.values()].find((key) => key.hash === hash);
  keys.add = async (key) => {
    if (mayAdd-- <= 0) throw new Error('broken');
    restored.set(key.id, key);
  };
  await expect(cache.restore()).rejects.toThrow('broken');
  await cache.reload();
  for (const { key } of made) expect(await cache.find(key)).toBeDefined();
  expect(failures).toEqual(['broken']);
  mayAdd = made.length;
  await cache.reload();
  expect(restored.size).toBe(made.length);
  expect(failures).toEqual(['broken']);
  await full.close();
});

it('reads the keys again after a failure, so that a revoked key does not stay valid', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { made, full, keys } = await storeWithKeys();
  const ended: string[] = [];
  const failures: string[] = [];
  const cache = await ApiKeyCache.open(
    { ...full, keys },
    { onEndChanged: (id) => ended.push(id), onReadError: ({ message }) => failures.push(message) },
  );
  const [{ key, stored }] = made as [(typeof made)[number]];
  await full.keys.revoke(stored.id, new Date().toISOString());
  keys.list = async () => {
    throw new Error('away');
  };
  await cache.reload();
  await vi.runOnlyPendingTimersAsync();
  expect(failures).toEqual(['away']);
  keys.list = full.keys.list;
  await vi.runOnlyPendingTimersAsync();
  expect(ended).toEqual([stored.id]);
  expect(await cache.find(key)).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
  await full.close();
});

it('restores the keys again by itself where its restoring breaks off', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { made, full, keys } = await storeWithKeys();
  const cache = await ApiKeyCache.open({ ...full, keys }, { onEndChanged: () => {}, onReadError: () => {} });
  const restored = new Map<string, StoredKey>();
  keys.list = async () => [...restored.values()];
  keys.add = async () => {
    throw new Error('broken');
  };
  await expect(cache.restore()).rejects.toThrow('broken');
  keys.add = async (key) => void restored.set(key.id, key);
  await vi.runOnlyPendingTimersAsync();
  expect(restored.size).toBe(made.length);
  await full.close();
});
