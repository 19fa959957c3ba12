import { expect, it } from 'vitest';
import { openMemoryStore } from '../store/memory-store.ts';
import type { StoredKey } from '../store/store.ts';
import { makeApiKey } from './api-key.ts';
import { ApiKeyCache } from './api-key-cache.ts';

it('keeps every key good while it puts them back into a store that lost its past', async () => {
  const made = Array.from({ length: 3 }, () =>
    makeApiKey({ kind: 'agent', name: '', origins: [], callers: ['1105'] }, new Date()),
  );
  const full = openMemoryStore();
  for (const { stored } of made) await full.addKey(stored);
  const store = { ...full };
  const revoked: string[] = [];
  const book = await ApiKeyCache.open(store, (id) => revoked.push(id));

  const emptied: StoredKey[] = [];
  const waiting: (() => void)[] = [];
  store.keys = async () => [...emptied];
  store.keyByHash = async (hash) => emptied.find((key) => key.hash === hash);
  store.addKey = async (key) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    emptied.push(key);
  };
  // Read a moment before it was known that the past is lost, and again after each key that came back.
  const readings = [book.reload()];
  const back = book.putBack();
  for (const _ of made) {
    readings.push(book.reload());
    for (const { key, stored } of made) expect(await book.find(key)).toEqual(stored);
    waiting.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await back;
  await Promise.all(readings);
  for (const { key, stored } of made) expect(await book.find(key)).toEqual(stored);
  expect(revoked).toEqual([]);
  await full.close();
});
