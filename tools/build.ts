/**
 * Builds parts of Dialmark into `dist/`: `build.ts [--if-stale] [chrome|firefox|widget|relay|crm|all …]`.
 * Each part is built aside and then moved into place, so that whoever runs the old one never sees half a new one.
 * All output goes to stderr: a command whose stdout is an answer (`relay -- key add`) may build first.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What each part is made of: newer than its stamp means stale. */
const sources = {
  chrome: ['extension', 'shared'],
  firefox: ['extension', 'shared'],
  widget: ['widget', 'shared'],
  relay: ['relay', 'shared'],
  crm: ['demo/crm'],
} as const;
export type Part = keyof typeof sources;
export const parts = Object.keys(sources) as Part[];

const everywhere = ['package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.json'];
const stampOf = (part: Part) => path.join(root, 'dist', `.${part}.stamp`);

async function newestUnder(file: string): Promise<number> {
  const info = await stat(file).catch(() => undefined);
  if (!info) return 0;
  if (!info.isDirectory()) return /\.(test|spec)\.tsx?$/.test(file) ? 0 : info.mtimeMs;
  const inside = await readdir(file);
  const times = await Promise.all(inside.map((name) => newestUnder(path.join(file, name))));
  // A folder's own time moves when a file in it is removed.
  return Math.max(info.mtimeMs, ...times);
}

export async function isStale(part: Part): Promise<boolean> {
  const built = await stat(stampOf(part)).catch(() => undefined);
  if (!built || !existsSync(path.join(root, 'dist', part))) return true;
  const times = await Promise.all(
    [...everywhere, ...sources[part]].map((name) => newestUnder(path.join(root, name))),
  );
  return Math.max(...times) > built.mtimeMs;
}

/** @throws Error with what vite printed, when the build fails; `dist/` is then as it was. */
export async function build(part: Part): Promise<void> {
  const startedAt = new Date();
  const dist = path.join(root, 'dist');
  await mkdir(dist, { recursive: true });
  const aside = path.join(dist, `.${part}.${process.pid}`);
  await runVite([
    'build',
    '--mode',
    part,
    '--outDir',
    path.relative(part === 'crm' ? path.join(root, 'demo/crm') : root, aside),
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ]);
  const old = `${aside}.old`;
  const target = path.join(dist, part);
  if (existsSync(target)) await rename(target, old);
  await rename(aside, target);
  await rm(old, { recursive: true, force: true });
  await writeFile(stampOf(part), '');
  // What changed while the build ran is newer than the build.
  await utimes(stampOf(part), startedAt, startedAt);
}

function runVite(args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const vite = spawn(process.execPath, [path.join(root, 'node_modules/vite/bin/vite.js'), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    let output = '';
    vite.stdout.on('data', (chunk) => (output += chunk));
    vite.stderr.on('data', (chunk) => (output += chunk));
    vite.on('error', reject);
    vite.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`vite ${args.join(' ')} failed:\n${output}`)),
    );
  });
}

async function main(args: string[]): Promise<void> {
  const onlyStale = args.includes('--if-stale');
  const names = args.filter((arg) => !arg.startsWith('--'));
  const wanted = names.length === 0 || names.includes('all') ? parts : (names as Part[]);
  const unknown = wanted.filter((name) => !parts.includes(name));
  if (unknown.length > 0)
    throw new Error(`expected parts of ${parts.join(', ')} or all, got ${unknown.join(', ')}`);
  for (const part of wanted) {
    if (onlyStale && !(await isStale(part))) continue;
    const started = performance.now();
    await build(part);
    console.error(`built dist/${part} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
