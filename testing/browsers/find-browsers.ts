/**
 * Finds the browsers and servers that the demo and the tests use. As root on Debian and Ubuntu, it installs what is
 * missing by apt. Where that gives no Chromium, it gets one by Playwright. An error names what is missing, and how to
 * get it.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright';
import { oldestChromium, oldestFirefox } from '../../extension/manifest.ts';
import { startChild } from '../child.ts';

/** Called with each step of an installation. */
type OnProgress = (text: string) => void;

const chromiumCommands = [
  'chromium',
  'chromium-browser',
  'google-chrome-for-testing',
  'chrome-for-testing',
  'chrome',
];
const firefoxCommands = ['firefox-esr', 'firefox'];
const chromiumPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  '/snap/bin/chromium',
];
const firefoxPlaces = ['/Applications/Firefox.app/Contents/MacOS/firefox'];

/**
 * Finds a Chromium or Chrome for Testing that is new enough: CHROMIUM_PATH, then the system's, then Playwright's.
 * It skips branded Google Chrome, which ignores --load-extension since 137.
 */
export function findChromium(): string | undefined {
  return findBrowser(
    'CHROMIUM_PATH',
    [...chromiumCommands.map((name) => onPath(name)), ...chromiumPlaces, playwrightChromium()],
    loadsExtensions,
    `Chromium or Chrome for Testing ${oldestChromium} or newer (Google Chrome loads no extension from a folder)`,
  );
}

/**
 * Finds a Firefox that is new enough: FIREFOX_PATH, then the system's. Playwright's own Firefox is not used, because it
 * is patched and does not load extensions.
 */
export function findFirefox(): string | undefined {
  return findBrowser(
    'FIREFOX_PATH',
    [...firefoxCommands.map((name) => onPath(name)), ...firefoxPlaces],
    (file) => majorOf(file, /Mozilla Firefox (\d+)\./) >= oldestFirefox,
    `Firefox ${oldestFirefox} or newer`,
  );
}

/**
 * Finds a Chromium that loads extensions, or installs one.
 * @returns its path.
 * @throws Error that says how to install it.
 */
export async function ensureChromium(onProgress: OnProgress = () => {}): Promise<string> {
  const found = findChromium() ?? (await findAfterApt('chromium', findChromium, onProgress));
  if (found !== undefined) return found;
  onProgress("getting Playwright's Chromium");
  const cli = createRequire(import.meta.url)
    .resolve('playwright/package.json')
    .replace(/package\.json$/, 'cli.js');
  const dependencies = isRoot() ? ['--with-deps'] : [];
  const install = startChild([process.execPath, cli, 'install', ...dependencies, 'chromium']);
  const fetched = (await install.exited) === 0 ? findChromium() : undefined;
  if (fetched !== undefined) return fetched;
  throw new Error(
    `No Chromium ${oldestChromium} or newer here and none could be downloaded: ` +
      'install Chromium or Chrome for Testing (Debian: apt update && apt install chromium), ' +
      'or set CHROMIUM_PATH to one.',
  );
}

/** Finds a Firefox, or installs one. @returns its path. @throws Error that says how to install it. */
export async function ensureFirefox(): Promise<string> {
  // Debian has firefox-esr alone; Ubuntu's `firefox` package is a snap, which cannot be driven here.
  const found = findFirefox() ?? (await findAfterApt('firefox-esr', findFirefox));
  if (found !== undefined) return found;
  throw new Error(
    `No Firefox ${oldestFirefox} or newer here and none could be installed: ` +
      'install one (Debian: apt update && apt install firefox-esr), or set FIREFOX_PATH to one.',
  );
}

async function findAfterApt(
  name: string,
  find: () => string | undefined,
  onProgress?: OnProgress,
): Promise<string | undefined> {
  const isInstalled = mayApt() && (await apt([name], onProgress).catch(() => false));
  return isInstalled ? find() : undefined;
}

/**
 * Makes sure of Debian packages that tests start servers from. Their own services are not left running.
 * @throws Error naming what is missing and how to get it.
 */
export async function ensureDebianPackages(names: readonly string[]): Promise<void> {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const how = `install them: apt-get install ${missing.join(' ')}`;
  if (!mayApt())
    throw new Error(
      `The tests need ${missing.join(', ')}, which they install by themselves as root on Debian or Ubuntu only; ${how}`,
    );
  await apt(missing).catch((error: Error) => {
    throw new Error(`The tests need ${missing.join(', ')}; ${how} (${error.message})`);
  });
}

/** A package is not needed if its program is here. For example, a `redis-server` may be built by hand. */
const programOf: Record<string, string> = {
  'redis-server': 'redis-server',
  'mariadb-server': 'mariadbd',
  'nginx-light': 'nginx',
  nginx: 'nginx',
  caddy: 'caddy',
  strace: 'strace',
  systemd: 'systemd-analyze',
  prometheus: 'promtool',
};

function isInstalled(name: string): boolean {
  const program = programOf[name];
  if (program !== undefined && (onPath(program) ?? onPath(program, ['/usr/sbin', '/usr/local/sbin'])))
    return true;
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholder.
  const asked = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], { encoding: 'utf8' });
  return asked.status === 0 && asked.stdout === 'installed';
}

function findBrowser(
  variable: string,
  places: readonly (string | undefined)[],
  fits: (file: string) => boolean,
  expected: string,
): string | undefined {
  const named = process.env[variable];
  if (named !== undefined && named !== '') {
    if (!isProgram(named)) throw new Error(`${variable}: expected a program, got "${named}"`);
    if (!fits(named)) throw new Error(`${variable}: expected ${expected}, got "${named}"`);
    return named;
  }
  return places.find((file) => file !== undefined && isProgram(file) && fits(file));
}

function onPath(
  command: string,
  folders = (process.env.PATH ?? '').split(path.delimiter),
): string | undefined {
  return folders.map((folder) => path.join(folder, command)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function playwrightChromium(): string | undefined {
  try {
    return chromium.executablePath();
  } catch {
    return undefined; // No build for this platform.
  }
}

/**
 * Whether a browser loads extensions, by its version line: "Chromium 156.0…", "Google Chrome for Testing 156.0…". File
 * names do not show that. `chrome` may be the branded browser, and Ubuntu's `chromium-browser` only asks for a snap.
 */
function loadsExtensions(file: string): boolean {
  return (
    file === playwrightChromium() ||
    majorOf(file, /(?:Chromium|Chrome for Testing)\D* (\d+)\./) >= oldestChromium
  );
}

/** The major version of a program, NaN if its version line does not match. */
function majorOf(file: string, versionLine: RegExp): number {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 60_000 });
  return Number(versionLine.exec(stdout ?? '')?.[1]);
}

const isRoot = () => process.getuid?.() === 0;

function mayApt(): boolean {
  if (process.platform !== 'linux' || !isRoot() || onPath('apt-get') === undefined) return false;
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(release);
}

/** @throws Error with apt's last words. */
async function apt(names: readonly string[], onProgress: OnProgress = () => {}): Promise<true> {
  onProgress(`installing ${names.join(', ')} by apt`);
  const allowServices = withoutStartingServices();
  try {
    const environment = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const aptGet = (...args: string[]) =>
      startChild(['apt-get', '-q', '-o', 'DPkg::Lock::Timeout=300', ...args], { environment });
    // The package lists of a fresh machine are empty, or name browsers that are too old.
    await aptGet('update').exited;
    const install = aptGet('install', '-y', '--no-install-recommends', ...names);
    if ((await install.exited) === 0) return true;
    throw new Error(install.output().trim().split('\n').slice(-3).join(' '));
  } finally {
    allowServices();
  }
}

/**
 * Keeps packages from starting their services, by a policy-rc.d. A policy-rc.d that exists already stays.
 * @returns a function that removes it. It is also removed if this process ends before.
 */
function withoutStartingServices(): () => void {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return () => {};
  writeFileSync(policy, '#!/bin/sh\nexit 101\n');
  chmodSync(policy, 0o755);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    remove();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const remove = () => {
    rmSync(policy, { force: true });
    process.off('exit', remove);
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.once('exit', remove);
  for (const signal of signals) process.once(signal, onSignal);
  return remove;
}
