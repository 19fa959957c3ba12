/** Finds a damaged store of SQLite, and says what to do about it. */
import { DatabaseSync } from '@photostructure/sqlite';

/** @returns whether all pages of a SQLite file fit together. It reads the whole file. */
export function isUndamaged(file: InstanceType<typeof DatabaseSync>): boolean {
  const { quick_check } = file.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  return quick_check === 'ok';
}

/** @throws Error for a damaged page. A server meets it only when a call or a number needs that page. */
export function checkPages(path: string): void {
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    if (isUndamaged(file)) return;
  } finally {
    file.close();
  }
  throw new Error('it is damaged');
}

/**
 * Adds the remedy to the message of a damaged store. SQLite's own messages are of the first pages: a damaged first page
 * looks as a file that is not a store.
 */
export function withRemedy(message: string, remedy: string): string {
  if (/file is not a database$/.test(message)) return `${message}; if it is your store, ${remedy}`;
  return /(it is damaged|disk image is malformed)$/.test(message) ? `${message}; ${remedy}` : message;
}
