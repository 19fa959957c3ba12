/** The relay's secrets, current first: its settings' or, for a store of its own, one made beside it. */
import { storedSecret } from '../../shared/server/stored-secret.ts';
import type { RelaySettings } from '../settings.ts';
import { sqlitePath } from '../store/open-store.ts';

export function secretsOf({ secret, store }: Pick<RelaySettings, 'secret' | 'store'>): readonly string[] {
  const file = sqlitePath(store);
  return secret ?? [storedSecret(file && `${file}.secret`)];
}
