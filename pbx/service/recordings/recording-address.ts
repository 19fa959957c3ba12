/**
 * Signed, expiring addresses of recordings: whoever has one may hear that recording until it expires, and no other. The signature
 * covers the file's name and the time, not the query, so the `id=` that a v1 reader adds (interface 9) does not break it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';

export interface RecordingSigner {
  /** @returns path and query, to be joined to the service's own address. */
  sign(fileName: string, now: number): string;
  /** @returns whether the signature is ours for this name and has not expired. */
  check(fileName: string, expires: string, signature: string, now: number): boolean;
}

export function recordingSigner(secret: string, lifetimeMs: number): RecordingSigner {
  const signatureOf = (fileName: string, expires: string) =>
    createHmac('sha256', secret).update(`recording\n${fileName}\n${expires}`).digest();
  return {
    sign(fileName, now) {
      const expires = String(Math.ceil((now + lifetimeMs) / 1000));
      const signature = signatureOf(fileName, expires).toString('base64url');
      return `/recordings/${encodeURIComponent(fileName)}?expires=${expires}&signature=${signature}`;
    },
    check(fileName, expires, signature, now) {
      const given = Buffer.from(signature, 'base64url');
      const right = signatureOf(fileName, expires);
      const isOurs = given.length === right.length && timingSafeEqual(given, right);
      return isOurs && /^\d{1,12}$/.test(expires) && Number(expires) * 1000 >= now;
    },
  };
}

/** @returns the real path of a recording; undefined where there is none, or it leads out of the folder. */
export async function recordingPath(folder: string, fileName: string): Promise<string | undefined> {
  if (fileName === '' || fileName !== path.basename(fileName) || fileName.startsWith('.')) return undefined;
  try {
    const root = await realpath(folder);
    const file = await realpath(path.join(root, fileName));
    return file.startsWith(root + path.sep) ? file : undefined;
  } catch {
    return undefined;
  }
}
