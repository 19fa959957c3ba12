import { mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A folder for what tests download once: `~/.cache/dialmark-NAME`, or a folder in the temporary folder if that cannot
 * be written.
 */
export async function cacheFolder(name: string): Promise<string> {
  const folder = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), `dialmark-${name}`);
  try {
    await mkdir(folder, { recursive: true });
    return folder;
  } catch {
    return path.join(tmpdir(), `dialmark-${name}`);
  }
}
