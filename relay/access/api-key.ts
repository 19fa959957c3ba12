/** Agent and site keys: 256 random bits, kept as a hash. */
import { hash, randomBytes } from 'node:crypto';
import type { StoredKey } from '../store/store.ts';

const marks: Record<StoredKey['kind'], string> = { agent: 'dma_', site: 'dms_' };

/** @returns the key to print once, and what the store keeps. */
export function makeApiKey(
  fields: Pick<StoredKey, 'kind' | 'name' | 'origins' | 'callers'>,
  now: Date,
): { key: string; stored: StoredKey } {
  const key = marks[fields.kind] + randomBytes(32).toString('base64url');
  return {
    key,
    stored: {
      ...fields,
      id: `${fields.kind}-${randomBytes(5).toString('hex')}`,
      hash: hashKey(key),
      createdAt: now.toISOString(),
    },
  };
}

/** A plain hash is enough: what it hides is random, not chosen by a person. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

export function isApiKey(credential: string): boolean {
  return /^dm[as]_[A-Za-z0-9_-]{43}$/.test(credential);
}
