/** Gets Directus from npm, with what it depends on. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { startChild } from '../child.ts';

const version = '12.4.0';
/** What it depends on is taken as it was on that day. */
const asOf = '2026-11-20';

/**
 * Its program, kept in a cache folder. It needs a newer Node than ours.
 * @throws Error saying what is missing.
 */
export async function ensureDirectus(): Promise<string> {
  const folder = path.join(await cacheFolder('directus'), version);
  const program = path.join(folder, 'node_modules', 'directus', 'cli.js');
  const complete = path.join(folder, 'complete');
  if (existsSync(complete)) return program;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const install = ['install', '--prefix', folder, `--before=${asOf}`, '--no-audit', '--no-fund'];
  const npm = startChild(['npm', ...install, '--ignore-scripts', `directus@${version}`]);
  if ((await npm.exited.catch(() => 1)) !== 0)
    throw new Error(`Directus: expected npm's package; ${npm.output().trim().split('\n').at(-1)}`);
  // It would have to be compiled, and only runs scripts that an administrator wrote.
  const scripts = path.join(folder, 'node_modules', 'isolated-vm', 'out');
  await mkdir(scripts);
  await writeFile(path.join(scripts, 'isolated_vm.js'), 'module.exports = { ivm: {} };\n');
  await writeFile(complete, '');
  return program;
}
