import { chmod, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.ts';
import { findChromium, findFirefox } from './find-browsers.ts';

let folder: TemporaryFolder;
const before = { ...process.env };
beforeEach(async () => {
  folder = await temporaryFolder();
  delete process.env.CHROMIUM_PATH;
  delete process.env.FIREFOX_PATH;
  process.env.PATH = folder.path;
});
afterEach(async () => {
  process.env.PATH = before.PATH;
  for (const name of ['CHROMIUM_PATH', 'FIREFOX_PATH'])
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  await folder.remove();
});

async function program(name: string, version: string): Promise<string> {
  const file = folder.file(name);
  await writeFile(file, `#!/bin/sh\necho "${version}"\n`);
  await chmod(file, 0o755);
  return file;
}

it('takes the browser that the environment names before any other', async () => {
  await program('chromium', 'Chromium 156.0');
  const named = await program('my-chromium', 'Chromium 156.0');
  process.env.CHROMIUM_PATH = named;
  expect(findChromium()).toBe(named);
});

it('says so where the environment names no program, or one that loads no extensions', async () => {
  process.env.FIREFOX_PATH = folder.file('missing');
  expect(() => findFirefox()).toThrow('FIREFOX_PATH: expected a program');
  process.env.CHROMIUM_PATH = await program('chrome', 'Google Chrome 156.0.8078.79');
  expect(() => findChromium()).toThrow('expected Chromium or Chrome for Testing');
});

it('passes over a Chromium too old for the extension', async () => {
  const old = await program('chromium', 'Chromium 147.0.1 built on Debian');
  expect(findChromium()).not.toBe(old);
  await program('chromium', 'Chromium 148.0.1 built on Debian');
  expect(findChromium()).toBe(old);
});

it('passes over branded Chrome, which ignores --load-extension, for Chrome for Testing', async () => {
  const branded = await program('chrome', 'Google Chrome 156.0.8078.79');
  expect(findChromium()).not.toBe(branded);
  await program('chrome', 'Google Chrome for Testing 156.0.8078.79');
  expect(findChromium()).toBe(branded);
});

it('passes over a Firefox too old for the extension; names one that the environment sets', async () => {
  const old = await program('firefox-esr', 'Mozilla Firefox 140.12.0esr');
  expect(findFirefox()).not.toBe(old);
  process.env.FIREFOX_PATH = old;
  expect(() => findFirefox()).toThrow('FIREFOX_PATH: expected Firefox 153 or newer');
  await program('firefox-esr', 'Mozilla Firefox 153.7.0esr');
  expect(findFirefox()).toBe(old);
});
