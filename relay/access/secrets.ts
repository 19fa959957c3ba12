/** The secrets that sign: configured, or made once beside the store. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Settings } from '../settings.ts';

/** @returns the current secret first. @throws Error where the file beside the store holds no secret. */
export function findSecrets(settings: Pick<Settings, 'secret' | 'store'>): readonly string[] {
  if (settings.secret) return settings.secret;
  if (settings.store === 'memory:') return [newSecret()];
  const path = `${settings.store.slice('sqlite:'.length)}.secret`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, newSecret(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < 32)
    throw new Error(`${path}: expected a secret of at least 32 characters; delete it to have a new one made`);
  return [secret];
}

const newSecret = () => randomBytes(32).toString('base64url');
