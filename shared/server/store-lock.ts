/** Only one process serves a store. Unfinished work in the store belongs to the process that holds the lock. */
import { closeSync, existsSync, fchmodSync, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { makePrivateFile } from './make-private-file.ts';

/** SQLite's SQLITE_BUSY. */
const busy = 5;
/** How long to wait for a process that is just ending. */
const busyTimeoutMs = 1000;

/** The rights of users that are neither the owner nor in the file's group. */
const otherUsers = 0o007;

/**
 * Whether there is a store. A file without a byte is not a store: a lock makes it, and a killed `restore` leaves it.
 */
export const hasStore = (path: string): boolean => existsSync(path) && statSync(path).size > 0;

/**
 * Makes the file and its folder if they are missing, readable by this user alone. If the file exists, takes all rights
 * from other users. SQLite gives the files beside it the same rights.
 * @returns the real path, so that a store has one name however it is reached.
 */
export function privateFile(file: string): string {
  makePrivateFile(file);
  const descriptor = openSync(file, 'a', 0o600);
  try {
    const { mode } = fstatSync(descriptor);
    if (mode & otherUsers) fchmodSync(descriptor, mode & ~otherUsers);
  } finally {
    closeSync(descriptor);
  }
  return realpathSync(file);
}

/**
 * Takes the lock of a SQLite store, a lock of the operating system on an empty file beside it. The lock ends with the
 * process, however the process ends. Of the commands, only `restore` takes it.
 * @param file undefined: a store in memory, or one that several servers share, has no lock.
 * @param setting name of the variable that names the store.
 * @returns a function that releases the lock.
 * @throws Error naming the store if it cannot be written or another process serves it.
 */
export function lockStore(file: string | undefined, setting: string): () => void {
  if (file === undefined) return () => {};
  const store = writableFile(file, setting);
  const lock = new DatabaseSync(`${store}.lock`, { timeout: busyTimeoutMs });
  try {
    // Nothing is ever written, so no journal is needed beside it.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new Error(`${setting}: expected a store that no other process serves; one serves ${store}`);
  }
  return () => lock.close();
}

/** @returns the store's real path. */
function writableFile(file: string, setting: string): string {
  try {
    const store = privateFile(file);
    privateFile(`${store}.lock`);
    return store;
  } catch (error) {
    throw new Error(
      `${setting}: expected a file that can be written; ${resolve(file)}: ${(error as Error).message}`,
    );
  }
}
