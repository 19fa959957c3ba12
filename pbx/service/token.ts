/** Service tokens: 256 random bits, of which the store keeps a hash. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { hostInUrl } from '../../shared/address.ts';
import { hashToken } from '../../shared/server/bearer-token.ts';
import { printRow, reportUnknown } from '../../shared/server/print.ts';
import type { PbxSettings } from './settings.ts';
import type { PbxStore } from './store/pbx-store.ts';
import type { StoredToken } from './store/schema.ts';

/** A busy machine needs seconds; a command that gave up would write a store that the service does not use. */
const answerTimeoutMs = 15_000;

/** @returns the token to print once, and what the store keeps. */
export function makeToken(name: string, now: number): { token: string; stored: StoredToken } {
  const token = `dmp_${randomBytes(32).toString('base64url')}`;
  return {
    token,
    stored: { id: `token-${randomBytes(5).toString('hex')}`, name, hash: hashToken(token), createdAt: now },
  };
}

/** Prints a new token. @throws Error where the service that runs at the configured address uses another store. */
export async function addToken(store: PbxStore, settings: PbxSettings, name: string): Promise<void> {
  const { token, stored } = makeToken(name, Date.now());
  store.addToken(stored);
  if (await isRefused(token, settings)) {
    store.removeToken(stored.id);
    throw new Error(
      `${resolve(settings.store)}: the running service uses another store; nothing was changed. ` +
        "Give this command the service's settings: DIALMARK_PBX_STORE, or --settings FILE",
    );
  }
  process.stdout.write(`${token}\n`);
  process.stderr.write(
    `${stored.id} is in ${resolve(settings.store)}. Keep the token now, it is shown this once\n`,
  );
}

/** Asks the running service, if there is one, for the end of a call that does not exist. */
async function isRefused(token: string, { listen: { host, port } }: PbxSettings): Promise<boolean> {
  if (port === 0) return false;
  try {
    const response = await fetch(`http://${hostInUrl(host)}:${port}/call/none`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const { code } = (await response.json()) as { code?: unknown };
    return response.status === 401 && code === 'wrong-token';
  } catch {
    return false;
  }
}

export function listTokens(store: PbxStore): void {
  for (const { id, createdAt, name } of store.tokens())
    printRow([id, new Date(createdAt).toISOString(), name]);
}

export function revokeToken(store: PbxStore, id: string): void {
  if (store.removeToken(id)) {
    process.stdout.write(`${id} revoked\n`);
    return;
  }
  reportUnknown(id, 'expected the id of a token; `token list` shows them');
}
