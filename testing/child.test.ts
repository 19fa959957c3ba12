import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { startChild } from './child.ts';
import { until } from './until.ts';

/** A zombie, which its parent has not reaped yet (a container's first process may never do so), is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z\s]/.test(stdout);
}

it('ends the whole group with a grandchild that ignores SIGTERM', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid)`;
  const child = startChild([
    process.execPath,
    '-e',
    `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'inherit' }); setInterval(() => {}, 1000); console.log(process.pid)`,
  ]);
  const bothPids = () => /^(\d+)\n(\d+)\n$/.exec(child.stdout());
  const [, ...printed] = await until(bothPids, 'both processes');
  const pids = printed.map(Number);
  expect(pids.every(isAlive)).toBe(true);
  await child.stop('SIGTERM', 100);
  await child.exited;
  await expect.poll(() => pids.some(isAlive)).toBe(false);
});

it('returns the output of both streams with the exit code', async () => {
  const child = startChild([process.execPath, '-e', 'console.log("a"); console.error("b"); process.exit(3)']);
  expect(await child.exited).toBe(3);
  expect(child.output().split('\n').filter(Boolean).sort()).toEqual(['a', 'b']);
  expect([child.stdout(), child.stderr()]).toEqual(['a\n', 'b\n']);
  await child.stop();
});
