import type { DatabaseSync } from '@photostructure/sqlite';

/** @returns whether all pages of a SQLite file fit together. It reads the whole file. */
export function isUndamaged(file: InstanceType<typeof DatabaseSync>): boolean {
  const { quick_check } = file.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  return quick_check === 'ok';
}
