/**
 * `npm run package` makes in `dist/packages/`: the zips for Chrome and Edge, the Firefox xpi, the sources and
 * notes for reviewers, and the widget's npm package. The same commit makes the same bytes. The Firefox build
 * must pass web-ext's lint.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { root, startChild } from '../testing/child.ts';
import { build } from './build.ts';
import { explanationOf, type LintWarning, reviewerNotes } from './reviewer-notes.ts';
import { filesUnder, zip } from './zip.ts';

const packages = path.join(root, 'dist/packages');
const run = promisify(execFile);
const readJsonFile = async (file: string) => JSON.parse(await readFile(path.join(root, file), 'utf8'));

async function main(): Promise<void> {
  const { name, version } = (await readJsonFile('package.json')) as { name: string; version: string };
  await rm(packages, { recursive: true, force: true });
  await mkdir(packages, { recursive: true });
  await build('chrome');
  await build('firefox');
  await build('widget');
  const warnings = await lintFirefox();
  const chrome = await filesUnder(path.join(root, 'dist/chrome'));
  const contents = {
    // Edge runs Chrome's extensions as they are; its store takes a file of its own.
    'chrome.zip': chrome,
    'edge.zip': chrome,
    'firefox.xpi': await filesUnder(path.join(root, 'dist/firefox')),
    'sources.zip': await sourceFiles(),
  };
  const hashes: Record<string, string> = {};
  for (const [ending, files] of Object.entries(contents)) {
    const file = `${name}-${version}-${ending}`;
    const bytes = zip(files);
    await writeFile(path.join(packages, file), bytes);
    hashes[file] = createHash('sha256').update(bytes).digest('hex');
    console.log(`dist/packages/${file}  ${Math.ceil(bytes.length / 1024)} KiB`);
  }
  const widget = `dist/packages/${name}-widget-${version}.tgz`;
  await copyFile(path.join(root, 'dist/widget/widget.tgz'), path.join(root, widget));
  console.log(widget);
  const notes = reviewerNotes({
    version,
    system: await systemName(),
    tools: await toolVersions(),
    packages: hashes,
    warnings,
  });
  await writeFile(path.join(packages, `${name}-${version}-notes.txt`), notes);
  console.log(`dist/packages/${name}-${version}-notes.txt:\n\n${notes}`);
}

/** @returns the warnings. @throws Error where web-ext finds an error, or a warning without an explanation. */
async function lintFirefox(): Promise<LintWarning[]> {
  const webExt = path.join(root, 'node_modules/web-ext/bin/web-ext.js');
  const options = ['--source-dir', 'dist/firefox', '--no-config-discovery', '--output', 'json'];
  const lint = startChild([process.execPath, webExt, 'lint', ...options]);
  await lint.exited;
  const found = JSON.parse(lint.stdout()) as { errors: LintWarning[]; warnings: LintWarning[] };
  const bad = [...found.errors, ...found.warnings.filter((warning) => explanationOf(warning) === undefined)];
  if (bad.length === 0) return found.warnings;
  const list = bad.map(({ code, file, message }) => `${code} in ${file}: ${message}`).join('\n');
  throw new Error(
    `web-ext lint of dist/firefox, errors and warnings that tools/reviewer-notes.ts does not explain:\n${list}`,
  );
}

async function systemName(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const name = /^PRETTY_NAME="?(.+?)"?$/m.exec(release)?.[1] ?? `${os.type()} ${os.release()}`;
  return `${name}, ${process.arch}`;
}

/** Exact versions of the tools that make the bytes. package-lock.json has the versions of every other package. */
async function toolVersions(): Promise<Record<string, string>> {
  const versions: Record<string, string> = {
    node: process.versions.node,
    npm: (await run('npm', ['--version'])).stdout.trim(),
  };
  for (const tool of ['vite', 'rolldown', '@crxjs/vite-plugin', 'typescript', 'web-ext'])
    versions[tool] = (
      (await readJsonFile(`node_modules/${tool}/package.json`)) as { version: string }
    ).version;
  return versions;
}

/** The committed files. A reviewer runs `npm ci && npm run build` in them and compares. */
export async function sourceFiles(): Promise<Map<string, Uint8Array>> {
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  const files = new Map<string, Uint8Array>();
  for (const file of stdout.split('\0').filter(Boolean)) {
    const contents = await readFile(path.join(root, file)).catch(() => undefined);
    if (contents === undefined) throw new Error(`${file} is tracked and missing: package a clean checkout`);
    files.set(file, contents);
  }
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
