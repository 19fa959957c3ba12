import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../testing/until.ts';
import { makeLog, maskNumber } from './log.ts';

it('masks all but the last two digits of a number; shows an extension', () => {
  expect(maskNumber('48999998888')).toBe('*********88');
  expect(maskNumber('1105')).toBe('1105');
});

it('drops lines that a full disk does not take', () => {
  const full = openSync('/dev/full', 'w');
  const log = makeLog('info', full);
  expect(() => log.info('a line')).not.toThrow();
  closeSync(full);
});

/** A pipe such as a program has for stdout, whose reader begins to read after three seconds. */
function lateReader() {
  const folder = mkdtempSync(join(tmpdir(), 'dialmark-log-'));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  // Into a file: this process may stand still, and would then not read.
  const reader = spawn('sh', ['-c', 'sleep 3; exec cat "$0" > "$0.read"', path], { stdio: 'ignore' });
  onTestFinished(() => {
    reader.kill();
    closeSync(pipe);
    rmSync(folder, { recursive: true });
  });
  return { pipe, read: () => (existsSync(`${path}.read`) ? readFileSync(`${path}.read`, 'utf8') : '') };
}

it.each([
  ['keeps', 2000, 'line 99'],
  ['counts, above a megabyte,', 20_000, 'log lines are lost'],
])('%s lines that a full pipe does not take, without waiting for its reader', async (_, length, last) => {
  const { pipe, read } = lateReader();
  const log = makeLog('info', pipe);
  const start = performance.now();
  for (let line = 0; line < 100; line++) log.info({ fill: 'x'.repeat(length) }, `line ${line}`);
  expect(performance.now() - start).toBeLessThan(2000);
  await until(() => read().includes(`"${last}`), 'the last line', 10_000);
});
