import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  path: string;
  /** The path of a file in it. */
  file(name: string): string;
  /** The text of a file in it. */
  read(name: string): Promise<string>;
  remove(): Promise<void>;
}

/** Makes a folder for one test, which removes it at its end. @param name of what writes there, in the folder's name. */
export async function temporaryFolder(name = 'test'): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), `dialmark-${name}-`));
  const file = (name: string) => join(path, name);
  return {
    path,
    file,
    read: (name) => readFile(file(name), 'utf8'),
    remove: () => removeFolder(path),
  };
}

/** Removes a folder of other processes. Their helpers may write a last file after they have exited. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20 });
