/** `key` and `site`: makes, lists and revokes keys in the store. */
import { encodeSetupCode } from '../../shared/protocol/setup-code.ts';
import { makeApiKey, type NewKey } from '../access/api-key.ts';
import { type Settings, settingsPrefix } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { StoredKey } from '../store/stored-key.ts';
import { printNote, printRow, reportUnknown } from './print.ts';
import { localAddress } from './running-relay.ts';
import type { StoreBesideRelay } from './store-beside-relay.ts';

/** Prints the key alone on stdout, once. */
export async function addKey({ store, name }: StoreBesideRelay, fields: NewKey): Promise<void> {
  const { key, stored } = makeApiKey(fields, new Date());
  await store.keys.add(stored);
  process.stdout.write(`${key}\n`);
  printNote(`${stored.id} is in ${name}. Keep the key now, it is shown this once`);
}

/** Prints the setup code with the key in it alone on stdout, once. @throws Error where the relay's address is not known. */
export async function addKeyAsSetupCode(
  { store, name }: StoreBesideRelay,
  fields: NewKey,
  settings: Settings,
): Promise<void> {
  const relayUrl = settings.publicUrl ?? localAddress(settings);
  if (relayUrl === undefined)
    throw new Error(`${settingsPrefix}PUBLIC_URL: expected the relay’s address, which the setup code holds`);
  const { key, stored } = makeApiKey(fields, new Date());
  const code = encodeSetupCode({ relayUrl, callers: fields.callers, key });
  await store.keys.add(stored);
  process.stdout.write(`${code}\n`);
  printNote(
    `${stored.id} is in ${name}. The code holds the key and ${relayUrl}; it is shown this once, and pasted into the extension’s settings`,
  );
  if (settings.publicUrl === undefined)
    printNote(`${settingsPrefix}PUBLIC_URL: not set, so the code is of use on this machine only`);
}

export async function listKeys(store: Store, kind: StoredKey['kind']): Promise<void> {
  for (const key of await store.keys.list()) {
    if (key.kind !== kind) continue;
    const state = key.revokedAt === undefined ? 'active' : `revoked ${key.revokedAt}`;
    const origins = kind === 'site' ? [key.origins.join(',')] : [key.clientCalls ? 'client calls' : '-'];
    printRow([key.id, state, key.createdAt, key.callers.join(','), ...origins, key.name]);
  }
}

export async function revokeKey(store: Store, id: string): Promise<void> {
  if (!(await store.keys.revoke(id, new Date().toISOString())))
    return reportUnknown(id, 'expected the id of an active key; `key list` and `site list` show them');
  process.stdout.write(`${id} revoked\n`);
}
