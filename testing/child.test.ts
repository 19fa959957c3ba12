import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { startChild } from './child.ts';

/** A process that has ended but that nobody asked for yet (a container's first process may not) is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

it('ends the whole group, also a grandchild that does not hear SIGTERM', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid)`;
  let heard = () => {};
  const twoPids = new Promise<void>((resolve) => (heard = resolve));
  const pids: number[] = [];
  const child = startChild(
    [
      '-e',
      `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' }); setInterval(() => {}, 1000); console.log(process.pid)`,
    ],
    process.env,
    process.cwd(),
    (line) => {
      pids.push(Number(line));
      if (pids.length === 2) heard();
    },
  );
  await twoPids;
  expect(pids.every(isAlive)).toBe(true);
  await child.end(100);
  await child.exited;
  await expect.poll(() => pids.some(isAlive), { timeout: 60_000 }).toBe(false);
});

it('gives what it printed and how it ended', async () => {
  const child = startChild(
    ['-e', 'console.log("a"); console.error("b"); process.exit(3)'],
    process.env,
    process.cwd(),
  );
  expect(await child.exited).toBe(3);
  expect(child.output().split('\n').filter(Boolean).sort()).toEqual(['a', 'b']);
  await child.end();
});
