/** Service tokens: 256 random bits, of which the store keeps a hash. */
import { randomBytes } from 'node:crypto';
import { hashToken } from '../../shared/server/bearer-token.ts';
import type { StoredToken } from './store/pbx-store.ts';

/** @returns the token to print once, and what the store keeps. */
export function makeToken(name: string, now: number): { token: string; stored: StoredToken } {
  const token = `dmp_${randomBytes(32).toString('base64url')}`;
  return {
    token,
    stored: { id: `token-${randomBytes(5).toString('hex')}`, name, hash: hashToken(token), createdAt: now },
  };
}
