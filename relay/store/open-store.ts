/** Opens the store that DIALMARK_STORE names. */
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RelaySettings } from '../settings.ts';
import { openMemoryStore } from './memory-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

interface StoreObserver {
  onCommit?: (durationMs: number) => void;
  /** A connection to the store broke; the client reconnects by itself. */
  onError?: (error: Error) => void;
  onRestored?: () => void;
}

const sqlite = 'sqlite:';

/** The real path of a SQLite store's file, also behind links; undefined for another kind of store. */
export function sqlitePath(store: string): string | undefined {
  if (!store.startsWith(sqlite)) return undefined;
  const path = resolve(store.slice(sqlite.length));
  return existsSync(path) ? realpathSync(path) : path;
}

/** The store as people read it: a complete path, or an address without user name and password. */
export function storeName(store: string): string {
  const path = sqlitePath(store);
  if (path !== undefined) return sqlite + path;
  return store.replace(/^(rediss?:\/\/)[^/]*@/, '$1');
}

export async function openStore(
  settings: Pick<RelaySettings, 'store' | 'storeMaxMb'>,
  observer: StoreObserver = {},
): Promise<Store> {
  const { store } = settings;
  if (store === 'memory:') return openMemoryStore();
  if (store.startsWith(sqlite))
    return openSqliteStore({
      path: store.slice(sqlite.length),
      maxMegabytes: settings.storeMaxMb,
      ...observer,
    });
  // Loaded only if needed: its client takes as long to load as everything else.
  const { openRedisStore } = await import('./redis/redis-store.ts');
  return openRedisStore({ url: store, ...observer });
}
