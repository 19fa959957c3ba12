/**
 * Finds Asterisk and SIPp, or gets them without installing anything: Debian's packages are downloaded by an apt root of its own and
 * unpacked into a cache folder. The older suite has Asterisk 16, which runs on Debian 12's own libraries.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { unpackDebianPackages } from '../debian-packages.ts';

const suite = 'bullseye';
const packages = [
  'asterisk',
  'asterisk-modules',
  'libssl1.1',
  'liburiparser1',
  'sip-tester',
  'libgsl25',
  'libgslcblas0',
  'libpcap0.8',
  'libsctp1',
];
/** Libraries that a slimmer machine may lack, and their packages. */
const libraryPackages: Readonly<Record<string, string>> = {
  'libxml2.so.2': 'libxml2',
  'libicui18n.so.67': 'libicu67',
  'libicuuc.so.67': 'libicu67',
  'libxslt.so.1': 'libxslt1.1',
  'libsqlite3.so.0': 'libsqlite3-0',
  'libjansson.so.4': 'libjansson4',
  'libedit.so.2': 'libedit2',
  'libbsd.so.0': 'libbsd0',
  'libmd.so.0': 'libmd0',
  'libuuid.so.1': 'libuuid1',
  'libcap.so.2': 'libcap2',
  'libsystemd.so.0': 'libsystemd0',
  'libtinfo.so.6': 'libtinfo6',
};

export interface AsteriskPackages {
  /** Where the packages are unpacked. */
  prefix: string;
  asterisk: string;
  sipp: string;
  moduleFolder: string;
  dataFolder: string;
  /** For both programs. */
  environment: NodeJS.ProcessEnv;
}

/** @throws Error saying what is missing and how to get it. */
export async function ensureAsteriskPackages(): Promise<AsteriskPackages> {
  const cache = process.env.DIALMARK_PHONES_CACHE ?? (await cacheFolder('phones'));
  const prefix = path.join(cache, 'prefix');
  const found: AsteriskPackages = {
    prefix,
    asterisk: path.join(prefix, 'usr/sbin/asterisk'),
    sipp: path.join(prefix, 'usr/bin/sipp'),
    moduleFolder: path.join(prefix, 'usr/lib/asterisk/modules'),
    dataFolder: path.join(prefix, 'usr/share/asterisk'),
    environment: {
      ...process.env,
      TERM: 'dumb',
      LD_LIBRARY_PATH: ['usr/lib', 'usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
        .map((folder) => path.join(prefix, folder))
        .join(':'),
    },
  };
  if (existsSync(found.asterisk) && missingLibraries(found).length === 0) return found;
  if (process.platform !== 'linux' || spawnSync('apt-get', ['--version']).status !== 0)
    throw new Error('Asterisk and SIPp: expected a Debian or Ubuntu with apt-get, which can download them');
  try {
    await unpack(cache, prefix, packages);
    for (let missing = missingLibraries(found); missing.length > 0; ) {
      await unpack(cache, prefix, [
        ...new Set(missing.map((library) => libraryPackages[library] ?? library)),
      ]);
      const still = missingLibraries(found);
      if (still.length === missing.length) throw new Error(`no package has ${still.join(', ')}`);
      missing = still;
    }
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(
      `Asterisk and SIPp: expected Debian's ${suite} packages ${packages.join(' ')}; ${(stderr || message).trim().split('\n').at(-1)}`,
    );
  }
  return found;
}

/** From the machine's own sources with another suite's name; the apt root knows of no installed package. */
async function unpack(cache: string, prefix: string, names: readonly string[]): Promise<void> {
  const sources = path.join(cache, 'sources');
  const status = path.join(cache, 'status');
  await mkdir(sources, { recursive: true });
  await writeFile(status, '');
  if ((await readdir(sources)).length === 0) await writeSources(sources);
  await unpackDebianPackages(cache, prefix, {
    command: ['download', ...names],
    settings: {
      'Dir::Etc::sourcelist': '/dev/null',
      'Dir::Etc::sourceparts': sources,
      'Dir::State::status': status,
    },
  });
}

async function writeSources(folder: string): Promise<void> {
  const own = ['/etc/apt/sources.list'];
  for (const name of await readdir('/etc/apt/sources.list.d').catch(() => []))
    if (name.startsWith('debian')) own.push(`/etc/apt/sources.list.d/${name}`);
  for (const file of own) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.trim() === '') continue;
    const older = file.endsWith('.sources')
      ? text.replaceAll(/[a-z]+-updates/g, '').replaceAll(/bookworm|trixie/g, suite)
      : text
          .split('\n')
          .filter((line) => line.startsWith('deb ') && !line.includes('-updates'))
          .map((line) => line.replaceAll(/ (bookworm|trixie)/g, ` ${suite}`))
          .join('\n');
    const name = path.basename(file);
    await writeFile(path.join(folder, /\.(list|sources)$/.test(name) ? name : `${name}.list`), `${older}\n`);
  }
}

function missingLibraries({ asterisk, sipp, environment }: AsteriskPackages): string[] {
  const { stdout } = spawnSync('ldd', [asterisk, sipp], { env: environment, encoding: 'utf8' });
  return [...new Set([...stdout.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name!))];
}
