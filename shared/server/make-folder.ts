import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the folder for this user alone, with the missing folders above it. Node's `recursive` never ends if the system
 * says that an existing folder does not exist, as in /proc (Node 20.20, 2026-11).
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory())
      throw new Error(`expected a folder where ${folder} is a file: name another path`);
    return;
  }
  const parent = dirname(folder);
  // If the working folder was deleted, a relative path has no parent to make.
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was sooner.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(folder)) throw error;
  }
}
