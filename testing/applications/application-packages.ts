/**
 * Gets real applications without installing them. Debian's packages and their dependencies are unpacked into a cache
 * folder. Templates come from npm. Programs run in a mount namespace, where the unpacked files overlay the machine's.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../cache-folder.ts';
import { unpackDebianPackages } from '../debian-packages.ts';

const run = promisify(execFile);
const debianPackages = [
  'roundcube-core',
  'roundcube-sqlite3',
  'php-cli',
  'dovecot-imapd',
  'request-tracker5',
  'rt5-db-sqlite',
  'rt5-standalone',
];
/** Packages of the CRMs in which calls are logged. */
const crmPackages = [
  'request-tracker5',
  'rt5-db-sqlite',
  'rt5-standalone',
  'redmine',
  'redmine-sqlite',
  'thin',
  'tryton-server',
  'tryton-sao',
  'tryton-modules-party',
  'tryton-modules-sale-opportunity',
  'python3-phonenumbers',
];
/** Packages of servers of address books and directories, from which the relay reads names. */
const directoryPackages = ['radicale', 'xandikos', 'slapd'];
/** npm's packages of the templates, and of the libraries that their pages load from a network. */
export const templatePackages = [
  'admin-lte@4.0.0',
  '@tabler/preview@1.2.0',
  'bootstrap@5.3.7',
  '@popperjs/core@2.11.8',
  'overlayscrollbars@2.11.0',
  'sortablejs@1.15.7',
  'tabulator-tables@6.4.0',
] as const;

/** Programs of Debian's packages. */
export interface UnpackedPackages {
  /** @returns a command that runs a program of the packages with their files in place. */
  command(...command: readonly [string, ...string[]]): [string, ...string[]];
  /** @returns the unpacked path of a file, for processes outside the namespace. */
  file(name: string): string;
}

export interface ApplicationPackages extends UnpackedPackages {
  /** Folder of a template package. */
  template(name: (typeof templatePackages)[number]): string;
}

/** @throws Error saying what is missing and how to get it. */
export async function ensureApplicationPackages(): Promise<ApplicationPackages> {
  const what = 'Roundcube and Request Tracker';
  const unpacked = await ensureUnpacked(what, debianPackages);
  const cache = await applicationsCache();
  try {
    for (const name of templatePackages) await ensureTemplate(cache, name);
  } catch (error) {
    throw missing(what, `npm's packages ${templatePackages.join(' ')}`, error);
  }
  return { ...unpacked, template: (name) => path.join(cache, 'npm', name, 'package') };
}

/** @throws Error saying what is missing and how to get it. */
export const ensureCrmPackages = (): Promise<UnpackedPackages> =>
  ensureUnpacked('Request Tracker, Redmine and Tryton', crmPackages);

/** @throws Error saying what is missing and how to get it. */
export const ensureDirectoryPackages = (): Promise<UnpackedPackages> =>
  ensureUnpacked('Radicale, Xandikos and slapd', directoryPackages);

export const applicationsCache = async () =>
  process.env.DIALMARK_APPLICATIONS_CACHE ?? (await cacheFolder('applications'));

function missing(what: string, expected: string, error: unknown): Error {
  const { stderr, message } = error as Error & { stderr?: string };
  return new Error(`${what}: expected ${expected}; ${(stderr || message).trim().split('\n').at(-1)}`);
}

async function ensureUnpacked(what: string, packages: readonly string[]): Promise<UnpackedPackages> {
  const cache = await applicationsCache();
  const prefix = path.join(cache, 'prefix');
  if (process.platform !== 'linux' || spawnSync('apt-get', ['--version']).status !== 0)
    throw new Error(`${what}: expected a Debian with apt-get, which can download them`);
  // Dovecot starts its processes as other users.
  if (process.getuid?.() !== 0 || spawnSync('unshare', ['-m', 'true']).status !== 0)
    throw new Error(`${what}: expected root, and a mount namespace (unshare -m)`);
  try {
    await ensureDebian(cache, prefix, packages);
  } catch (error) {
    throw missing(what, `Debian's packages ${packages.join(' ')}`, error);
  }
  const mounts = ['/usr', '/etc', '/var/lib']
    .map((folder) => `mount -t overlay overlay -o lowerdir='${prefix}${folder}':${folder} ${folder}`)
    .join(' && ');
  return {
    command: (...command) => ['unshare', '-m', 'sh', '-c', `${mounts} && exec "$@"`, 'sh', ...command],
    file: (name) => path.join(prefix, name),
  };
}

async function ensureDebian(cache: string, prefix: string, packages: readonly string[]): Promise<void> {
  const complete = path.join(cache, `complete ${packages.join(' ')}`);
  if (existsSync(complete)) return;
  await unpackDebianPackages(cache, prefix, {
    command: ['install', '--download-only', '-y', '--no-install-recommends', ...packages],
  });
  await writeFile(complete, '');
}

async function ensureTemplate(cache: string, name: string): Promise<void> {
  const folder = path.join(cache, 'npm', name);
  const complete = path.join(folder, 'complete');
  if (existsSync(complete)) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder, name]);
  const archive = path.join(folder, stdout.trim().split('\n').at(-1)!);
  await run('tar', ['-xzf', archive, '-C', folder]);
  await rm(archive);
  await writeFile(complete, '');
}
