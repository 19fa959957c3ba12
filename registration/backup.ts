/** The way back from a change: SQL that restores the values of before, in a file that only its owner can read. */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import mysql from 'mysql2/promise';
import { deleteConsumerSql, updateRowSql } from './database-record.ts';
import type { Mapping } from './mapping.ts';
import { RegisterError } from './outcome.ts';
import type { RecordChange } from './record.ts';

/** Writes and syncs the file before the change is made. @returns its path. @throws RegisterError writeFailed. */
export async function writeBackup(
  folder: string,
  { before, addedConsumer }: RecordChange,
  mapping: Mapping,
  now: Date,
): Promise<string> {
  const { uuid, clientKey, apiKey, registered } = before;
  const added = addedConsumer && [addedConsumer.idDistro, addedConsumer.idService, addedConsumer.nameService];
  const statements = [
    // The escapes below hold in this mode and character set alone.
    'SET NAMES utf8mb4',
    "SET SESSION sql_mode = 'STRICT_ALL_TABLES'",
    'START TRANSACTION',
    mysql.format(updateRowSql(mapping), [clientKey, apiKey, registered, uuid]),
    ...(added === undefined ? [] : [mysql.format(deleteConsumerSql(mapping), added)]),
    'COMMIT',
  ];
  const text = `-- Restores the registration record as it was at ${now.toISOString()}.\n${statements.join(';\n')};\n`;
  const stamp = now.toISOString().replace(/[-:.]/g, '');
  const file = path.join(folder, `registration-${stamp}-${randomBytes(3).toString('hex')}.sql`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    throw new RegisterError(
      'writeFailed',
      `the backup could not be written to ${folder}, so nothing was changed: ${(error as Error).message}`,
    );
  }
  return file;
}
