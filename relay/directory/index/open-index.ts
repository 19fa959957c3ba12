/** Opens the index beside the store that DIALMARK_STORE names. */
import { existsSync } from 'node:fs';
import { sqlitePath } from '../../store/open-store.ts';
import type { DirectoryIndex } from './directory-index.ts';
import { openSqliteIndex } from './sqlite-index.ts';

export async function openIndex(store: string): Promise<DirectoryIndex> {
  if (store === 'memory:') return openSqliteIndex(':memory:');
  const path = sqlitePath(store);
  if (path !== undefined) return openSqliteIndex(fileBeside(path));
  // The Redis client takes as long to load as everything else together. So it is loaded only here.
  const { openRedisIndex } = await import('./redis-index.ts');
  return openRedisIndex(store);
}

/** @returns undefined where no index was made yet. */
export async function openExistingIndex(store: string): Promise<DirectoryIndex | undefined> {
  const path = sqlitePath(store);
  return path === undefined || existsSync(fileBeside(path)) ? openIndex(store) : undefined;
}

const fileBeside = (path: string): string => `${path}.directory`;
