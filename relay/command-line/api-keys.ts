/** `key` and `site`: makes, lists and revokes keys in the store. */
import { encodeSetupCode } from '../../shared/protocol/setup-code.ts';
import { printNote, printRow, reportUnknown } from '../../shared/server/print.ts';
import { makeApiKey, type NewKey } from '../access/api-key.ts';
import { homeOf, teamRulesOf } from '../rules/rules-file.ts';
import { type RelaySettings, settingsPrefix } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { isActive, isActiveAgentKeyOf, isExpired, type StoredKey } from '../store/stored-key.ts';
import { recordDone } from './operator-audit.ts';
import { localAddress } from './running-relay.ts';
import type { StoreBesideRelay } from './store-beside-relay.ts';

const pageSize = 200;

/** Prints the key alone on stdout, once. */
export async function addKey({ store, name }: StoreBesideRelay, fields: NewKey): Promise<void> {
  const { key, stored } = makeApiKey(fields, new Date());
  await store.keys.add(stored);
  await recordDone(store, 'key.add', stored.id, stored.callers.join(','));
  process.stdout.write(`${key}\n`);
  printNote(`${stored.id} is in ${name}. Keep the key now, it is shown this once`);
}

/**
 * Prints the setup code with the key in it alone on stdout, once.
 * @throws Error where the relay's address is not known.
 */
export async function addKeyAsSetupCode(
  { store, name }: StoreBesideRelay,
  fields: NewKey,
  settings: RelaySettings,
): Promise<void> {
  const relayUrl = settings.publicUrl ?? localAddress(settings);
  if (relayUrl === undefined)
    throw new Error(`${settingsPrefix}PUBLIC_URL: expected the relay’s address, which the setup code holds`);
  const home = homeOf(settings, teamRulesOf(settings.rulesFile, fields.team));
  const { key, stored } = makeApiKey(fields, new Date());
  const code = encodeSetupCode({ relayUrl, callers: fields.callers, key, ...home });
  await store.keys.add(stored);
  await recordDone(store, 'key.add', stored.id, stored.callers.join(','));
  process.stdout.write(`${code}\n`);
  printNote(
    `${stored.id} is in ${name}. The code holds the key and ${relayUrl}; it is shown this once, ` +
      'and pasted into the extension’s settings',
  );
  if (settings.publicUrl === undefined)
    printNote(`${settingsPrefix}PUBLIC_URL: not set, so the code is of use on this machine only`);
}

export async function listKeys(store: Store, kind: StoredKey['kind']): Promise<void> {
  for (const key of await store.keys.list()) {
    if (key.kind !== kind) continue;
    const callers = key.callers.join(',');
    const used = key.lastUsedAt === undefined ? 'never used' : `used ${key.lastUsedAt}`;
    const columns =
      kind === 'site'
        ? [callers, key.origins.join(',')]
        : [callers, key.clientCalls ? 'client calls' : '-', key.team ?? '-', key.rights?.join(',') ?? '-'];
    printRow([key.id, keyStateOf(key), key.createdAt, ...columns, used, key.name]);
  }
}

function keyStateOf(key: StoredKey): string {
  const { revokedAt, expiresAt } = key;
  if (revokedAt !== undefined) return `revoked ${revokedAt}`;
  if (expiresAt === undefined) return 'active';
  return isExpired(key) ? `expired ${expiresAt}` : `active until ${expiresAt}`;
}

export async function revokeKey(store: Store, id: string): Promise<void> {
  if (!(await store.keys.revoke(id, new Date().toISOString())))
    return reportUnknown(id, 'expected the id of an active key; `key list` and `site list` show them');
  await recordDone(store, 'key.revoke', id);
  process.stdout.write(`${id} revoked\n`);
}

/** Ends every agent key of these callers, also a key that has other callers, too. */
export async function revokeKeysOf(store: Store, callers: readonly string[]): Promise<void> {
  const theirs = (await store.keys.list()).filter(
    (key) =>
      key.kind === 'agent' &&
      key.revokedAt === undefined &&
      key.callers.some((caller) => callers.includes(caller)),
  );
  if (theirs.length === 0) return reportUnknown(callers.join(','), 'expected the caller of an active key');
  for (const { id } of theirs) await revokeKey(store, id);
}

/** Gives the callbacks of an agent who leaves to a colleague. Without a key, the agent cannot see them any more. */
export async function handOver({ keys, calls, rules }: Store, callers: readonly string[], to: string) {
  if (callers.includes(to) || !(await keys.list()).some((key) => isActiveAgentKeyOf(key, to)))
    throw new Error(`${to}: expected the extension of a colleague with a key`);
  let moved = 0;
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const { id: callId, wrapUp } of await calls.listCallbacks(callers, pageSize)) {
      const amendment = { kind: 'wrapUp', request: { callBackBy: to }, revision: wrapUp!.revision } as const;
      const { kind } = await calls.amend({ callId, amendment, now: Date.now() });
      if (kind !== 'amended') continue;
      isDone = false;
      moved++;
    }
  }
  await recordDone({ rules }, 'callback.move', callers.join(','), `${moved} to ${to}`);
  process.stdout.write(`${moved} callbacks are ${to}'s now\n`);
}

/**
 * Makes and prints a key with the fields of an old key, which ends at `end`.
 * @param expires the end of the new key, instead of the old key's end.
 */
export async function rotateKey(
  { store, name }: StoreBesideRelay,
  id: string,
  end: Date,
  expires: string | undefined,
): Promise<void> {
  const old = (await store.keys.list()).find((key) => key.id === id);
  if (!old || !isActive(old))
    return reportUnknown(id, 'expected the id of an active key; `key list` shows them');
  const { id: _id, hash: _hash, createdAt: _made, lastUsedAt: _used, ...fields } = old;
  const { key, stored } = makeApiKey({ ...fields, ...(expires ? { expiresAt: expires } : {}) }, new Date());
  await store.keys.add(stored);
  // A key never ends later than it was made to.
  const ends =
    old.expiresAt !== undefined && old.expiresAt < end.toISOString() ? old.expiresAt : end.toISOString();
  await store.keys.expire(id, ends);
  await recordDone(store, 'key.rotate', id, `to ${stored.id}`);
  process.stdout.write(`${key}\n`);
  printNote(`${stored.id} is in ${name}, and ${id} ends ${ends}. Keep the key now, it is shown this once`);
}
