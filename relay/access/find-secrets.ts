/** The secrets that sign: given, or made once beside the store. */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '../settings.ts';
import { secretBeside } from './keyring.ts';

/** A store that is not a file has no beside; then the secret lies where the default store would. */
const withoutFile = 'data/relay.secret';

export function findSecrets(settings: Pick<Settings, 'secrets' | 'store'>): readonly string[] {
  if (settings.secrets) return settings.secrets;
  if (settings.store === 'memory:') return [randomBytes(32).toString('base64url')];
  const path = settings.store.startsWith('sqlite:')
    ? `${settings.store.slice('sqlite:'.length)}.secret`
    : withoutFile;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return [secretBeside(path)];
}
