/** Downloads Debian's packages by a separate apt root, and unpacks them without installing them. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface DebianDownload {
  /**
   * The apt-get command that gets the packages: `download NAME…`, or an `install --download-only` that gets their
   * dependencies, too.
   */
  command: readonly string[];
  /** Settings of apt, besides the place of its root. */
  settings?: Readonly<Record<string, string>>;
}

/**
 * @param cache for apt's files, which are removed at the end.
 * @param prefix folder for the packages' files, beside the files of earlier packages.
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

export type DebianSuite = 'bullseye' | 'sid';

/**
 * Unpacks packages of another suite from the machine's own mirrors. The apt root treats every package as not installed.
 * @param hasUpdates false leaves out the security updates, because mirrors delete those of older suites.
 */
export async function unpackFromSuite(
  suite: DebianSuite,
  cache: string,
  prefix: string,
  command: readonly string[],
  hasUpdates = suite !== 'sid',
): Promise<void> {
  const sources = path.join(cache, `sources-${suite}`);
  const status = path.join(cache, 'status');
  await mkdir(sources, { recursive: true });
  await writeFile(status, '');
  if ((await readdir(sources)).length === 0) await writeSources(sources, suite, hasUpdates);
  await unpackDebianPackages(cache, prefix, {
    command,
    settings: {
      'Dir::Etc::sourcelist': '/dev/null',
      'Dir::Etc::sourceparts': sources,
      'Dir::State::status': status,
    },
  });
}

async function writeSources(folder: string, suite: DebianSuite, hasUpdates: boolean): Promise<void> {
  const own = ['/etc/apt/sources.list'];
  for (const name of await readdir('/etc/apt/sources.list.d').catch(() => []))
    if (name.startsWith('debian')) own.push(`/etc/apt/sources.list.d/${name}`);
  for (const file of own) {
    const text = await readFile(file, 'utf8').catch(() => '');
    // An entry is a paragraph in the newer format, and a line in the older format.
    const [separator, entries] = file.endsWith('.sources')
      ? ['\n\n', text.split(/\n\s*\n/)]
      : ['\n', text.split('\n').filter((line) => line.startsWith('deb '))];
    const others = entries
      .filter((entry) => hasUpdates || !entry.includes('-security'))
      .filter((entry) => file.endsWith('.sources') || !entry.includes('-updates'))
      .map((entry) => entry.replaceAll(/[a-z]+-updates/g, '').replaceAll(/bookworm|trixie/g, suite));
    if (others.join('').trim() === '') continue;
    const name = path.basename(file);
    await writeFile(
      path.join(folder, /\.(list|sources)$/.test(name) ? name : `${name}.list`),
      `${others.join(separator)}\n`,
    );
  }
}
