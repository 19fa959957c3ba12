/**
 * The agent key and the service token. The options page saves them, and only the code that sends them reads them here.
 * Each is sent only to the addresses that it was saved for. If an imported file names another relay, that relay does
 * not get the old key. A secret is not returned to a page. Encrypting them with a key kept beside them would not help;
 * see docs/security.md.
 */
import { remember } from '../../../shared/async/remember.ts';
import { type SecretName, secretNames } from '../../messages/pages.ts';
import type { SettingsView } from '../../messages/views.ts';
import { secretOrigins } from '../../secret-origins.ts';
import type { Settings } from '../../settings.ts';
import { database, type SavedSecret } from '../database.ts';
import { managedSecret } from './managed-settings.ts';

type SecretState = SettingsView['secrets'][SecretName];

/**
 * Reads the organisation's secret, else the agent's own.
 * @returns undefined if a secret was not saved for the addresses that are set, or the browser cleared it.
 */
export async function readSecret(name: SecretName, settings: Settings): Promise<string | undefined> {
  return (await managedSecret(name)) ?? (await savedFor(name, settings)).value;
}

/** Saves a secret for the addresses that are set. @param value null removes it. */
export async function writeSecret(name: SecretName, value: string | null, settings: Settings): Promise<void> {
  const db = await database();
  if (value === null) await db.delete('secrets', name);
  else await db.put('secrets', { value: value.trim(), origins: secretOrigins(name, settings) }, name);
  remembered.forget();
}

/** Says where a secret comes from, which is all that a page may know of it. */
export async function secretState(name: SecretName, settings: Settings): Promise<SecretState> {
  if ((await managedSecret(name)) !== undefined) return 'managed';
  return (await savedFor(name, settings)).state;
}

/** Why `readSecret` did not find a secret for the addresses that are set. */
export async function whyMissing(
  name: SecretName,
  settings: Settings,
): Promise<'otherAddress' | 'notConfigured'> {
  return (await secretState(name, settings)) === 'otherAddress' ? 'otherAddress' : 'notConfigured';
}

/**
 * If a secret was saved before any address, binds it to the addresses that are set now. Reading does not bind: a
 * connection test of another address must not claim the key.
 * @param settings the settings in force.
 */
export async function bindSecrets(settings: Settings): Promise<void> {
  const transaction = (await database()).transaction('secrets', 'readwrite');
  for (const name of secretNames) {
    const saved = await transaction.store.get(name);
    if (saved === undefined) continue;
    const bound = bind(saved, secretOrigins(name, settings));
    if (bound !== saved) await transaction.store.put(bound, name);
  }
  await transaction.done;
  remembered.forget();
}

/** The saved secrets, kept in memory so that a click need not wait. Only the background writes them. */
const remembered = remember(async () => {
  const { store } = (await database()).transaction('secrets');
  const saved = await Promise.all(secretNames.map((name) => store.get(name)));
  return new Map(secretNames.map((name, index) => [name, saved[index]]));
});

async function savedFor(
  name: SecretName,
  settings: Settings,
): Promise<{ state: SecretState; value?: string }> {
  const saved = (await remembered.read()).get(name);
  if (saved === undefined) return { state: 'none' };
  const origins = secretOrigins(name, settings);
  const bound = bind(saved, origins);
  return origins.every((origin) => bound.origins.includes(origin))
    ? { state: 'saved', value: bound.value }
    : { state: 'otherAddress' };
}

function bind(saved: SavedSecret, origins: string[]): SavedSecret {
  return saved.origins.length === 0 && origins.length > 0 ? { ...saved, origins } : saved;
}
