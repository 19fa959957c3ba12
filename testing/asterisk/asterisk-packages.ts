/**
 * Gets Asterisk and SIPp without installing them. Debian's packages are downloaded and unpacked into a cache folder.
 * The older suite has Asterisk 16, which runs on Debian 12's own libraries. Some mirrors have dropped that suite. Then
 * sid has a newer Asterisk, which needs the libraries of sid.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { type DebianSuite, unpackFromSuite } from '../debian-packages.ts';

type Command = readonly [string, ...string[]];

export interface AsteriskPackages {
  /** Commands, to which arguments are appended. */
  asterisk: Command;
  sipp: Command;
  moduleFolder: string;
  dataFolder: string;
  /** The environment of both programs. */
  environment: NodeJS.ProcessEnv;
}

interface Suite {
  name: DebianSuite;
  get(cache: string, prefix: string): Promise<void>;
  packagesIn(prefix: string): AsteriskPackages;
}

const bullseyePackages = [
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
const libraryFolders = ['usr/lib', 'usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'];

const bullseye: Suite = {
  name: 'bullseye',
  async get(cache, prefix) {
    const unpack = (names: readonly string[]) =>
      unpackFromSuite('bullseye', cache, prefix, ['download', ...names]);
    await unpack(bullseyePackages);
    for (let missing = missingLibraries(prefix); missing.length > 0; ) {
      await unpack([...new Set(missing.map((library) => libraryPackages[library] ?? library))]);
      const still = missingLibraries(prefix);
      if (still.length === missing.length) throw new Error(`no package has ${still.join(', ')}`);
      missing = still;
    }
  },
  packagesIn: (prefix) => ({
    asterisk: [path.join(prefix, 'usr/sbin/asterisk')],
    sipp: [path.join(prefix, 'usr/bin/sipp')],
    moduleFolder: path.join(prefix, 'usr/lib/asterisk/modules'),
    dataFolder: path.join(prefix, 'usr/share/asterisk'),
    environment: { ...process.env, TERM: 'dumb', LD_LIBRARY_PATH: libraryPath(prefix) },
  }),
};

/** Its programs need a newer C library than the machine's. So the loader of that library runs them. */
const sid: Suite = {
  name: 'sid',
  get: (cache, prefix) =>
    unpackFromSuite('sid', cache, prefix, [
      ...['install', '--download-only', '-y', '--no-install-recommends'],
      ...['asterisk', 'sip-tester'],
    ]),
  packagesIn(prefix) {
    const loader = path.join(prefix, 'usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2');
    const command = (program: string): Command => [
      ...([loader, '--library-path', libraryPath(prefix)] as const),
      path.join(prefix, program),
    ];
    return {
      asterisk: command('usr/sbin/asterisk'),
      sipp: command('usr/bin/sipp'),
      moduleFolder: path.join(prefix, 'usr/lib/x86_64-linux-gnu/asterisk/modules'),
      dataFolder: path.join(prefix, 'usr/share/asterisk'),
      environment: { ...process.env, TERM: 'dumb' },
    };
  },
};

/**
 * From the older suite, else from sid; from the one that `DIALMARK_PHONES_SUITE` names where it is set.
 * @throws Error saying what is missing and how to get it.
 */
export async function ensureAsteriskPackages(): Promise<AsteriskPackages> {
  const cache = process.env.DIALMARK_PHONES_CACHE ?? (await cacheFolder('phones'));
  const wanted = process.env.DIALMARK_PHONES_SUITE;
  const suites = [bullseye, sid].filter(({ name }) => !wanted || name === wanted);
  if (suites.length === 0)
    throw new Error(`DIALMARK_PHONES_SUITE: expected bullseye or sid, got ${JSON.stringify(wanted)}`);
  const prefixOf = ({ name }: Suite) => path.join(cache, name);
  const complete = (suite: Suite) => path.join(prefixOf(suite), 'complete');
  const had = suites.find((suite) => existsSync(complete(suite)));
  if (had) return had.packagesIn(prefixOf(had));
  if (process.platform !== 'linux' || spawnSync('apt-get', ['--version']).status !== 0)
    throw new Error('Asterisk and SIPp: expected a Debian or Ubuntu with apt-get, which can download them');
  const problems: string[] = [];
  for (const suite of suites) {
    const prefix = prefixOf(suite);
    try {
      // What an interrupted run left.
      await rm(prefix, { recursive: true, force: true });
      await suite.get(cache, prefix);
      await writeFile(complete(suite), '');
      return suite.packagesIn(prefix);
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      problems.push(`${suite.name}: ${(stderr || message).trim().split('\n').at(-1)}`);
    }
  }
  throw new Error(
    `Asterisk and SIPp: expected Debian's packages asterisk and sip-tester; ${problems.join('; ')}`,
  );
}

const libraryPath = (prefix: string) => libraryFolders.map((folder) => path.join(prefix, folder)).join(':');

function missingLibraries(prefix: string): string[] {
  const { asterisk, sipp, environment } = bullseye.packagesIn(prefix);
  const { stdout } = spawnSync('ldd', [asterisk[0], sipp[0]], { env: environment, encoding: 'utf8' });
  return [...new Set([...stdout.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name!))];
}
