/** The relay's secrets, current first: from its settings, or one secret that is made beside its own store. */
import { storedSecret } from '../../shared/server/stored-secret.ts';
import type { RelaySettings } from '../settings.ts';
import { sqlitePath } from '../store/open-store.ts';

export function secretsOf({ secret, store }: Pick<RelaySettings, 'secret' | 'store'>): readonly string[] {
  const file = sqlitePath(store);
  return secret ?? [storedSecret(file && `${file}.secret`)];
}
