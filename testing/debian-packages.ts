/** Debian's packages without installing them: downloaded by an apt root of its own, and unpacked. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface DebianDownload {
  /** What gets the packages: `download NAME…`, or an `install --download-only` for those that they depend on, too. */
  command: readonly string[];
  /** Of apt's settings, beside where its root is. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * @param cache for apt's files, which are removed at the end.
 * @param prefix where the packages' files go, beside those of earlier ones.
 */
export async function unpackDebianPackages(
  cache: string,
  prefix: string,
  { command, settings }: DebianDownload,
): Promise<void> {
  const root = path.join(cache, 'apt');
  const archives = path.join(root, 'archives');
  for (const folder of [prefix, path.join(root, 'lists/partial'), path.join(archives, 'partial')])
    await mkdir(folder, { recursive: true });
  const options = Object.entries({
    'Debug::NoLocking': '1',
    'Dir::State::lists': path.join(root, 'lists'),
    'Dir::Cache': root,
    'APT::Sandbox::User': process.env.USER ?? 'root',
    ...settings,
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  // `download` writes into the current folder.
  for (const args of [['update'], command])
    await run('apt-get', ['-q', ...options, ...args], { cwd: archives, maxBuffer: 64 * 1024 * 1024 });
  for (const name of await readdir(archives))
    if (name.endsWith('.deb')) await run('dpkg-deb', ['-x', path.join(archives, name), prefix]);
  await rm(root, { recursive: true });
}
