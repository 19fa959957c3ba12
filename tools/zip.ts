/** Zip archives whose bytes depend on names and contents alone: sorted, one date, no trace of the machine. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zipSync } from 'fflate';

/**
 * The time of each file. Zip knows local times only. Its earliest time, built from local parts, is the same bytes in
 * every time zone.
 */
const when = new Date(1980, 0, 1);

/** @param files name in the archive, with `/`, -> contents. */
export function zip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime: when, os: 0 });
}

/** Every file under a folder, by its path inside it. */
export async function filesUnder(folder: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files.set(path.relative(folder, file).split(path.sep).join('/'), await readFile(file));
  }
  return files;
}

/** Writes files under a folder. @param files by path inside it, with `/`. */
export async function writeFiles(folder: string, files: Record<string, Uint8Array>): Promise<void> {
  for (const [name, contents] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
}
