/**
 * `backup` and `restore`: a copy of a SQLite store with its secret, in one private file. Redis has backups of its own
 * (docs/operators.md).
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { isUndamaged } from '../../shared/server/damaged-store.ts';
import { printNote } from '../../shared/server/print.ts';
import { sqliteErrorText } from '../../shared/server/sqlite-error-text.ts';
import { hasStore, lockStore, privateFile } from '../../shared/server/store-lock.ts';
import { type RelaySettings, settingsPrefix } from '../settings.ts';
import { sqlitePath } from '../store/open-store.ts';
import { schemaVersion } from '../store/sqlite/schema.ts';

type SqliteFile = InstanceType<typeof DatabaseSync>;

/**
 * The name of the secret in the copy. A restored relay needs it, so that earlier return addresses and tickets stay
 * valid.
 */
const secretName = 'backup-secret';

/**
 * Copies the store as it is at one moment, beside a running relay or without one.
 * @throws Error where the file exists.
 */
export function backup(settings: RelaySettings, file: string): void {
  const store = storeFile(settings);
  if (!hasStore(store)) throw new Error(`${store}: there is no store yet`);
  const secret = settings.secret === undefined ? readSecretFile(`${store}.secret`) : undefined;
  writeWhole(file, (unfinished) => {
    // A symlink to a missing file counts, too: it would be replaced, and the copy be on another disk than meant.
    if (lstatSync(file, { throwIfNoEntry: false })) throw new Error('exists already');
    using(openToRead(store), (source) => source.prepare('VACUUM INTO ?').run(unfinished));
    if (secret)
      using(new DatabaseSync(unfinished), (copy) =>
        copy.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(secretName, secret),
      );
  });
  process.stdout.write(`${file}\n`);
  if (settings.secret !== undefined)
    printNote(`It holds calls and keys, and not ${settingsPrefix}SECRET: keep that apart`);
  // A store that a command has made gets its secret only when a relay serves it.
  else
    printNote(
      `It holds calls${secret ? ', keys and the secret of the store' : ' and keys'}: keep it as you keep the store`,
    );
}

/**
 * @throws Error if a relay runs on the store, if the store has data already, or if the file is no backup of this
 * version.
 */
export function restore(settings: RelaySettings, file: string): void {
  checkCopy(file);
  const unlock = lockStore(storeFile(settings), `${settingsPrefix}STORE`);
  try {
    // If a symlink leads to a missing file, the lock makes an empty file there.
    const store = storeFile(settings);
    if (hasStore(store))
      throw new Error(
        `${store}: has calls or keys. Move it, its -wal, -shm and .secret away first; nothing was changed`,
      );
    writeWhole(store, (unfinished) => {
      copyFileSync(file, unfinished);
      chmodSync(unfinished, 0o600);
      const secret = using(new DatabaseSync(unfinished), (copy) => {
        const found = copy.prepare('SELECT value FROM meta WHERE name = ?').get(secretName);
        copy.prepare('DELETE FROM meta WHERE name = ?').run(secretName);
        // What came after the backup is lost: every reader starts again, and no number of an event is given twice.
        copy.prepare("UPDATE meta SET value = ? WHERE name = 'epoch'").run(randomBytes(6).toString('hex'));
        return found as { value: string } | undefined;
      });
      if (secret) writeFileSync(privateFile(`${store}.secret`), secret.value);
      for (const suffix of ['-wal', '-shm']) rmSync(store + suffix, { force: true });
    });
    process.stdout.write(`${store} restored from ${file}\n`);
  } finally {
    unlock();
  }
}

/**
 * Moves the file to its place once it is complete.
 * @throws Error naming the file; the unfinished file is then removed.
 */
function writeWhole(file: string, write: (unfinished: string) => void): void {
  const unfinished = `${file}.unfinished`;
  const remove = () => {
    for (const written of [unfinished, `${unfinished}-journal`]) if (existsSync(written)) rmSync(written);
  };
  if (existsSync(unfinished) && statSync(unfinished).isDirectory())
    throw new Error(
      `${unfinished}: expected no folder, since the copy is first written there: move it away; nothing was written`,
    );
  remove();
  try {
    // SQLite keeps the rights of an existing file, and writes into it if it is empty.
    privateFile(unfinished);
    write(unfinished);
    renameSync(unfinished, file);
  } catch (error) {
    remove();
    throw new Error(`${file}: ${sqliteErrorText(error)}; nothing was written`);
  }
}

/** @throws Error that names the store where it cannot be read: the copy alone would be searched in vain. */
function openToRead(store: string): SqliteFile {
  let source: SqliteFile | undefined;
  try {
    source = new DatabaseSync(store, { readOnly: true });
    source.exec('SELECT 1 FROM meta LIMIT 1');
    return source;
  } catch (error) {
    source?.close();
    throw new Error(`${store}: ${sqliteErrorText(error)}`);
  }
}

function using<T>(file: SqliteFile, use: (file: SqliteFile) => T): T {
  try {
    return use(file);
  } finally {
    file.close();
  }
}

function storeFile({ store }: RelaySettings): string {
  const path = sqlitePath(store);
  if (path === undefined)
    throw new Error(
      `${settingsPrefix}STORE: expected sqlite:FILE; Redis has backups of its own (docs/operators.md)`,
    );
  return path;
}

function readSecretFile(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function checkCopy(file: string): void {
  if (!existsSync(file)) throw new Error(`${file}: there is no such file`);
  if (statSync(file).isDirectory())
    throw new Error(`${file}: expected a file that backup wrote, got a folder`);
  let copy: SqliteFile | undefined;
  try {
    copy = new DatabaseSync(file, { readOnly: true });
    const { user_version } = copy.prepare('PRAGMA user_version').get() as { user_version: number };
    if (!isUndamaged(copy)) throw new Error('it is damaged');
    if (user_version !== schemaVersion) throw new Error('another version made it, or another program');
  } catch (error) {
    throw new Error(
      `${file}: expected a whole backup by this version of the relay: ${sqliteErrorText(error)}`,
    );
  } finally {
    copy?.close();
  }
}
