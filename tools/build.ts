/**
 * Builds parts of Dialmark into `dist/`: `build.ts [--if-stale] [chrome|firefox|widget|relay|pbx|crm|all …]`. Each part
 * is built aside and then moved into place, so that a process of the old part never sees half a new part. All output
 * goes to stderr: a command whose stdout is an answer (`relay -- key add`) may build first.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, startChild } from '../testing/child.ts';

/** The sources of each part. If they are newer than the part's stamp, the part is stale. */
const sources = {
  chrome: ['extension', 'shared'],
  firefox: ['extension', 'shared'],
  widget: ['widget', 'shared'],
  relay: ['relay', 'shared'],
  pbx: ['pbx/service', 'shared'],
  crm: ['demo/crm'],
} as const;
export type Part = keyof typeof sources;
const parts = Object.keys(sources) as Part[];

const sharedSources = [
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.json',
  'tools/page-frame.ts',
];
const stampOf = (part: Part) => path.join(root, 'dist', `.${part}.stamp`);

/** @throws Error where the file or folder is missing: a moved folder must not count as never changed. */
export async function newestUnder(file: string): Promise<number> {
  const info = await stat(file);
  if (!info.isDirectory()) return /\.(test|spec)\.tsx?$/.test(file) ? 0 : info.mtimeMs;
  const inside = await readdir(file);
  const times = await Promise.all(inside.map((name) => newestUnder(path.join(file, name))));
  // A folder's own time moves when a file in it is removed.
  return Math.max(info.mtimeMs, ...times);
}

async function isStale(part: Part): Promise<boolean> {
  const times = await Promise.all(
    [...sharedSources, ...sources[part]].map((name) => newestUnder(path.join(root, name))),
  );
  const built = await stat(stampOf(part)).catch(() => undefined);
  if (!built || !existsSync(path.join(root, 'dist', part))) return true;
  return Math.max(...times) > built.mtimeMs;
}

/** Builds the parts whose sources are newer than their build. @returns the parts that were built. */
export async function buildStale(
  wanted: readonly Part[] = parts,
  { signal, onBuilt = () => {} }: { signal?: AbortSignal; onBuilt?: (part: Part) => void } = {},
): Promise<Part[]> {
  const built: Part[] = [];
  for (const part of wanted) {
    if (!(await isStale(part))) continue;
    await build(part, signal);
    built.push(part);
    onBuilt(part);
  }
  return built;
}

/** @throws Error with vite's output when the build fails or is aborted; `dist/` is then as it was. */
export async function build(part: Part, signal?: AbortSignal): Promise<void> {
  const startedAt = new Date();
  const dist = path.join(root, 'dist');
  await mkdir(dist, { recursive: true });
  const aside = path.join(dist, `.${part}.${process.pid}`);
  const target = path.join(dist, part);
  const old = `${aside}.old`;
  try {
    await runVite(part, aside, signal);
    if (part === 'widget') await packWidget(aside);
    if (existsSync(target)) await rename(target, old);
    await rename(aside, target);
  } finally {
    for (const folder of [aside, old]) await rm(folder, { recursive: true, force: true });
  }
  await writeFile(stampOf(part), '');
  // What changed while the build ran is newer than the build.
  await utimes(stampOf(part), startedAt, startedAt);
}

async function runVite(part: Part, folder: string, signal?: AbortSignal): Promise<void> {
  const viteRoot = part === 'crm' ? path.join(root, 'demo/crm') : root;
  const args = ['build', '--mode', part, '--outDir', path.relative(viteRoot, folder), '--emptyOutDir'];
  const vite = startChild(
    [process.execPath, path.join(root, 'node_modules/vite/bin/vite.js'), ...args, '--logLevel', 'warn'],
    { environment: { NODE_ENV: 'production' } },
  );
  const stop = () => void vite.stop('SIGTERM', 1000);
  signal?.addEventListener('abort', stop);
  const code = await vite.exited.finally(() => signal?.removeEventListener('abort', stop));
  if (code !== 0) throw new Error(`vite ${args.join(' ')} failed:\n${vite.output()}`);
}

/** The widget as an npm package, `widget.tgz`, which the relay serves. The same files make the same bytes. */
async function packWidget(folder: string): Promise<void> {
  const npm = startChild(['npm', 'pack', '--silent', '--ignore-scripts'], { folder });
  if ((await npm.exited) !== 0) throw new Error(`npm pack of the widget failed:\n${npm.output()}`);
  await rename(path.join(folder, npm.stdout().trim()), path.join(folder, 'widget.tgz'));
}

async function main(args: string[]): Promise<void> {
  const onlyStale = args.includes('--if-stale');
  const names = args.filter((arg) => !arg.startsWith('--'));
  const wanted = names.length === 0 || names.includes('all') ? parts : (names as Part[]);
  const unknown = wanted.filter((name) => !parts.includes(name));
  if (unknown.length > 0)
    throw new Error(`expected parts of ${parts.join(', ')} or all, got ${unknown.join(', ')}`);
  let started = performance.now();
  const report = (part: Part) => {
    console.error(`built dist/${part} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    started = performance.now();
  };
  if (onlyStale) await buildStale(wanted, { onBuilt: report });
  else
    for (const part of wanted) {
      await build(part);
      report(part);
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
