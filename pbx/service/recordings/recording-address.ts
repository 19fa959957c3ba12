/**
 * Signed, expiring addresses of recordings. Anyone with an address may hear its recording until the address expires,
 * and no other recording. The signature covers the file's path and the time. It does not cover the query, since a v1
 * reader adds `id=` (interface 9).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

export interface RecordingSigner {
  /**
   * @param file path within the recordings folder.
   * @returns path and query, to be joined to the service's own address.
   */
  sign(file: string, now: number): string;
  /** @returns whether the signature is ours for this file and has not expired. */
  check(file: string, expires: string, signature: string, now: number): boolean;
}

export function recordingSigner(secret: string, lifetimeMs: number): RecordingSigner {
  const signatureOf = (file: string, expires: string) =>
    createHmac('sha256', secret).update(`recording\n${file}\n${expires}`).digest();
  return {
    sign(file, now) {
      const expires = String(Math.ceil((now + lifetimeMs) / 1000));
      const signature = signatureOf(file, expires).toString('base64url');
      return `/recordings/${encodedPath(file)}?expires=${expires}&signature=${signature}`;
    },
    check(file, expires, signature, now) {
      const given = Buffer.from(signature, 'base64url');
      const right = signatureOf(file, expires);
      const isOurs = given.length === right.length && timingSafeEqual(given, right);
      return isOurs && /^\d{1,12}$/.test(expires) && Number(expires) * 1000 >= now;
    },
  };
}

/** Each part of a path encoded for a URL. */
export const encodedPath = (file: string): string => file.split('/').map(encodeURIComponent).join('/');

/**
 * @returns the path within the folder of a file that Asterisk named; only its name if the folder is mounted elsewhere
 * here.
 */
export function pathInFolder(folder: string, recorded: string): string {
  const relative = path.relative(folder, recorded);
  return isPathInside(relative) ? relative : path.basename(recorded);
}

/** The path leads neither upwards nor to hidden files, and is not absolute. */
const isPathInside = (file: string) =>
  !file.includes('\0') && file.split('/').every((part) => part !== '' && !part.startsWith('.'));

/** What a file system's error says without its path: the code, such as EACCES. */
export function codeOrMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/**
 * @returns the real path of a recording; undefined if the folder exists but does not have the file.
 * @throws Error if the folder or the file cannot be read, or this is not a file in the folder.
 */
export async function recordingPath(folder: string, file: string): Promise<string | undefined> {
  if (!isPathInside(file)) throw new Error('not a path in the recordings folder');
  // Throws ENOENT if the folder is not mounted: its recordings are not deleted.
  const root = await realpath(folder);
  try {
    const real = await realpath(path.join(root, file));
    if (real.startsWith(root + path.sep) && (await stat(real)).isFile()) return real;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  throw new Error('not a file in the recordings folder');
}
