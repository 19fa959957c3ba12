import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the folder for this user alone, with those above it that are missing. Node's `recursive` never ends where the
 * system says of a folder that is there that it is not, as in /proc (Node 20.20, 2026-11).
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory())
      throw new Error(`expected a folder where ${folder} is a file: name another path`);
    return;
  }
  const parent = dirname(folder);
  // Where the working folder was deleted, a relative path leads nowhere.
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was sooner.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(folder)) throw error;
  }
}
