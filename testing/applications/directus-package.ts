/** Gets Directus and its dependencies from npm. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../cache-folder.ts';
import { startChild } from '../child.ts';

const version = '12.4.0';
/** Dependencies have the versions of that day. */
const asOf = '2026-11-20';

/** @returns the path of its program, which needs a newer Node than ours. @throws Error that names what is missing. */
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
  // isolated-vm would have to be compiled. Directus needs it only for scripts of an administrator.
  const scripts = path.join(folder, 'node_modules', 'isolated-vm', 'out');
  await mkdir(scripts);
  await writeFile(path.join(scripts, 'isolated_vm.js'), 'module.exports = { ivm: {} };\n');
  await writeFile(complete, '');
  return program;
}
