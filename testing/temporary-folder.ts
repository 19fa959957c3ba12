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

/** Makes a folder for one test, which removes it at its end. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'dialmark-test-'));
  const file = (name: string) => join(path, name);
  return {
    path,
    file,
    read: (name) => readFile(file(name), 'utf8'),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
