/**
 * The agent key and the service token: written from the options page, read only here, by the code that sends them.
 * Nothing returns a secret to a page. Encrypting them with a key kept beside them would add nothing; see docs/security.md.
 */
import { database, type SecretName } from '../database.ts';
import { managedSecret } from './managed-settings.ts';

/** The organisation's secret before the agent's own. Absent is a normal state: the browser may have cleared it. */
export async function readSecret(name: SecretName): Promise<string | undefined> {
  return (await managedSecret(name)) ?? (await database()).get('secrets', name);
}

/** @param value null removes it. */
export async function writeSecret(name: SecretName, value: string | null): Promise<void> {
  const db = await database();
  if (value === null) await db.delete('secrets', name);
  else await db.put('secrets', value.trim(), name);
}

/** Where a secret comes from; all that a page may know of it. */
export async function secretState(name: SecretName): Promise<'none' | 'saved' | 'managed'> {
  if ((await managedSecret(name)) !== undefined) return 'managed';
  return (await (await database()).getKey('secrets', name)) === undefined ? 'none' : 'saved';
}
