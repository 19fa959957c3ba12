/**
 * `npm run package`: the Chrome zip, the Firefox xpi and the sources that reviewers ask for, in `dist/packages/`. The same
 * commit makes the same bytes; the Firefox build must pass web-ext's lint.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from './build.ts';
import { root, startChild } from './child.ts';
import { filesUnder, zip } from './zip.ts';

const packages = path.join(root, 'dist/packages');
const { name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};

async function main(): Promise<void> {
  await rm(packages, { recursive: true, force: true });
  await mkdir(packages, { recursive: true });
  await build('chrome');
  await build('firefox');
  await lintFirefox();
  await write(`${name}-${version}-chrome.zip`, await filesUnder(path.join(root, 'dist/chrome')));
  await write(`${name}-${version}-firefox.xpi`, await filesUnder(path.join(root, 'dist/firefox')));
  await write(`${name}-${version}-sources.zip`, await trackedFiles());
}

/** @throws Error where web-ext finds one. Its warnings are shown. */
async function lintFirefox(): Promise<void> {
  const webExt = path.join(root, 'node_modules/web-ext/bin/web-ext.js');
  const lint = [process.execPath, webExt, 'lint', '--source-dir', 'dist/firefox', '--no-config-discovery'];
  if ((await startChild(lint, { showOutput: true }).exited) !== 0)
    throw new Error('web-ext lint found errors in dist/firefox; see above');
}

/** What is committed: a reviewer runs `npm ci && npm run build` in it and compares. */
async function trackedFiles(): Promise<Map<string, Uint8Array>> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  const files = new Map<string, Uint8Array>();
  for (const file of stdout.split('\0').filter(Boolean)) {
    const contents = await readFile(path.join(root, file)).catch(() => undefined);
    if (contents === undefined) throw new Error(`${file} is tracked and missing: package a clean checkout`);
    files.set(file, contents);
  }
  return files;
}

async function write(file: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const bytes = zip(files);
  await writeFile(path.join(packages, file), bytes);
  const hash = createHash('sha256').update(bytes).digest('hex');
  console.log(`dist/packages/${file}  ${Math.ceil(bytes.length / 1024)} KiB  sha256 ${hash}`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
