/** Builds every part whose sources are newer than its build, in a process of its own. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '../testing/child.ts';
import type { Tell } from './progress.ts';
import type { Undo } from './undo.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @returns the parts that were built, in words. @throws Error with the build's own words. */
export async function buildStale(undo: Undo, tell: Tell): Promise<string> {
  const built: string[] = [];
  const child = startChild(
    ['--import', 'tsx', path.join(root, 'tools/build.ts'), '--if-stale', 'all'],
    process.env,
    root,
    (line) => {
      const part = /^built dist\/(\w+)/.exec(line)?.[1];
      if (part === undefined) return;
      built.push(part);
      tell(`built ${built.join(', ')}`);
    },
  );
  undo.add('the build', async () => {
    if (child.process.exitCode !== null) return;
    await child.end(1000);
    await removeHalves(child.process.pid);
  });
  if ((await child.exited) !== 0) throw new Error(`the build failed:\n${child.output().trim()}`);
  return built.length === 0 ? 'nothing was' : built.join(', ');
}

/** A build that was cut off leaves the folder it worked in: `dist/.<part>.<pid>`. */
async function removeHalves(pid: number | undefined): Promise<void> {
  const dist = path.join(root, 'dist');
  const names = await readdir(dist).catch(() => []);
  const halves = names.filter((name) => new RegExp(`^\\.\\w+\\.${pid}$`).test(name));
  await Promise.all(halves.map((name) => rm(path.join(dist, name), { recursive: true, force: true })));
}
