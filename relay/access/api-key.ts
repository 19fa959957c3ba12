/** Agent and site keys: 256 random bits, kept as a hash. */
import { randomBytes } from 'node:crypto';
import { hashToken } from '../../shared/server/bearer-token.ts';
import type { StoredKey } from '../store/stored-key.ts';

const prefixes: Record<StoredKey['kind'], string> = { agent: 'dma_', site: 'dms_' };

export type NewKey = Pick<
  StoredKey,
  'kind' | 'name' | 'origins' | 'callers' | 'clientCalls' | 'team' | 'rights' | 'expiresAt'
>;

/** @returns the key to print once, and what the store keeps. */
export function makeApiKey(fields: NewKey, now: Date): { key: string; stored: StoredKey } {
  const key = prefixes[fields.kind] + randomBytes(32).toString('base64url');
  const id = `${fields.kind}-${randomBytes(5).toString('hex')}`;
  return { key, stored: { ...fields, id, hash: hashToken(key), createdAt: now.toISOString() } };
}

export function isApiKey(credential: string): boolean {
  return /^dm[as]_[A-Za-z0-9_-]{43}$/.test(credential);
}
