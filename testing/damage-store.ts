import { open, rm } from 'node:fs/promises';

/**
 * Overwrites a part of a SQLite file that no program serves. Its log goes first: a connection leaves it behind while
 * one of its statements lives, and the pages in it hide those of the file.
 */
export async function damageStore(path: string, { at, size }: { at: number; size: number }): Promise<void> {
  for (const log of [`${path}-wal`, `${path}-shm`]) await rm(log, { force: true });
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(size, 0xff), 0, size, at);
  await file.close();
}
