/** What a person reads of an error of SQLite. */
import { getSystemErrorName } from 'node:util';

/** SQLITE_IOERR and SQLITE_CANTOPEN, the two whose cause the operating system knows. */
const causedBySystem: readonly unknown[] = [10, 14];

const roomRemedy = 'make room there, then try again';
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: `the disk is full; ${roomRemedy}`,
  EDQUOT: `this user's share of the disk is used up; ${roomRemedy}`,
};

/**
 * SQLite's message, with the operating system's reason if it has one. A store in WAL mode that opens on a full disk
 * cannot make its shared memory, and SQLite reports only "disk I/O error".
 */
export function sqliteErrorText(error: unknown): string {
  const { message, sqliteExtendedCode, systemErrno } = error as Error & Record<string, number | undefined>;
  if (!systemErrno || !causedBySystem.includes(Number(sqliteExtendedCode) & 0xff)) return message;
  const name = getSystemErrorName(-systemErrno);
  return `${message} (${[name, remedies[name]].filter(Boolean).join(': ')})`;
}
