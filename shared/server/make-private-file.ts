import { closeSync, fchownSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Makes the file and its folder unless it exists, readable by its owner alone. A file that root makes gets the owner of
 * its folder: otherwise a service could not open what a command of root's has left beside its store.
 */
export function makePrivateFile(file: string, text = ''): void {
  makeFolder(dirname(file));
  let descriptor: number;
  try {
    // Not behind a symlink, which may lead into another user's folder.
    descriptor = openSync(file, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return;
  }
  try {
    writeFileSync(descriptor, text);
    if (process.getuid?.() !== 0) return;
    const { uid, gid } = statSync(dirname(file));
    fchownSync(descriptor, uid, gid);
  } finally {
    closeSync(descriptor);
  }
}
