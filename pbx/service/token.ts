/** Service tokens: 256 random bits, of which the store keeps a hash. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { hostInUrl } from '../../shared/address.ts';
import { hashToken } from '../../shared/server/bearer-token.ts';
import { printRow, reportUnknown } from '../../shared/server/print.ts';
import { hasStore } from '../../shared/server/store-lock.ts';
import type { PbxSettings } from './settings.ts';
import { PbxStore } from './store/pbx-store.ts';
import type { StoredToken } from './store/schema.ts';

/**
 * How long to wait for a reply. A busy machine needs seconds. A command that gave up would write a store that the
 * service does not use.
 */
const answerTimeoutMs = 15_000;

/** @returns the token to print once, and what the store keeps. */
export function makeToken(name: string, now: number): { token: string; stored: StoredToken } {
  const token = `dmp_${randomBytes(32).toString('base64url')}`;
  return {
    token,
    stored: { id: `token-${randomBytes(5).toString('hex')}`, name, hash: hashToken(token), createdAt: now },
  };
}

/**
 * Prints a new token. Makes the store if there is no store and no service runs at the configured address.
 * @throws Error if the service that runs there uses another store.
 */
export async function addToken(settings: PbxSettings, name: string): Promise<void> {
  const path = resolve(settings.store);
  const { token, stored } = makeToken(name, Date.now());
  const refuseOtherStore = (): never => {
    throw new Error(
      `${path}: the running service uses another store; nothing was changed. ` +
        "Give this command the service's settings: DIALMARK_PBX_STORE, or --settings FILE",
    );
  };
  // To open the store would make it. A service that runs on this store has made it already.
  if (!hasStore(settings.store)) {
    const answer = await askService(token, settings);
    if (answer === 'refused') refuseOtherStore();
    if (answer === 'hanging')
      throw new Error(
        `${path}: there is no store yet, and the program at DIALMARK_PBX_LISTEN does not answer; ` +
          'nothing was changed. Wait, or stop it first',
      );
  }
  const store = new PbxStore(settings.store);
  try {
    store.addToken(stored);
    if ((await askService(token, settings)) === 'refused') {
      store.removeToken(stored.id);
      refuseOtherStore();
    }
  } finally {
    store.close();
  }
  process.stdout.write(`${token}\n`);
  process.stderr.write(`${stored.id} is in ${path}. Keep the token now, it is shown this once\n`);
}

/** Asks the running service for the end of a call that does not exist. @returns `other` also where nothing runs. */
async function askService(
  token: string,
  { listen: { host, port } }: PbxSettings,
): Promise<'refused' | 'hanging' | 'other'> {
  if (port === 0) return 'other';
  try {
    const response = await fetch(`http://${hostInUrl(host)}:${port}/call/none`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const { code } = (await response.json()) as { code?: unknown };
    return response.status === 401 && code === 'wrong-token' ? 'refused' : 'other';
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 'hanging' : 'other';
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
