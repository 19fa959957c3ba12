/** A secret that signs, made once beside a store. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { makePrivateFile } from './make-private-file.ts';

/**
 * @param file undefined: for a store in memory, a secret of its own.
 * @throws Error where the file holds no secret.
 */
export function storedSecret(file: string | undefined): string {
  const made = randomBytes(32).toString('base64url');
  if (file === undefined) return made;
  makePrivateFile(file, made);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32)
    throw new Error(`${file}: expected a secret of at least 32 characters; delete it to have a new one made`);
  return secret;
}
