import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { makeLog, maskNumber } from './log.ts';

it('masks all but the last two digits of a number; shows an extension', () => {
  expect(maskNumber('48999998888')).toBe('*********88');
  expect(maskNumber('1105')).toBe('1105');
});

it('drops lines that a full disk does not take', () => {
  // It stays open, because the log tries the line again.
  const log = makeLog('info', openSync('/dev/full', 'w'));
  expect(() => log.info('a line')).not.toThrow();
});

/** A pipe such as a program has for stdout, whose reader begins to read after a while. */
async function lateReader(seconds: number) {
  const folder = await temporaryFolder();
  const path = folder.file('pipe');
  const output = folder.file('read');
  writeFileSync(output, '');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  // Into a file: this process may stand still, and would then not read.
  const reader = spawn('sh', ['-c', 'sleep "$2"; exec cat "$0" > "$1"', path, output, String(seconds)], {
    stdio: 'ignore',
  });
  onTestFinished(() => {
    reader.kill();
    closeSync(pipe);
    return folder.remove();
  });
  return { path, pipe, read: () => readFileSync(output, 'utf8') };
}

it.each([
  ['keeps', 2000, 'line 99'],
  ['counts, above a megabyte,', 20_000, 'log lines are lost'],
])('%s lines that a full pipe does not take, without waiting for its reader', async (_, length, last) => {
  const { pipe, read } = await lateReader(5);
  const log = makeLog('info', pipe);
  for (let line = 0; line < 100; line++) log.info({ fill: 'x'.repeat(length) }, `line ${line}`);
  expect(read()).toBe('');
  await until(() => read().includes(`"${last}`), 'the last line', 60_000);
});

it('writes the last lines at the end of the process', async () => {
  const { path, read } = await lateReader(1);
  const program = `
    import { constants, openSync } from 'node:fs';
    import { makeLog } from ${JSON.stringify(join(import.meta.dirname, 'log.ts'))};
    const log = makeLog('info', openSync(${JSON.stringify(path)}, constants.O_RDWR | constants.O_NONBLOCK));
    for (let line = 0; line < 100; line++) log.info({ fill: 'x'.repeat(2000) }, 'line ' + line);
    process.exit(1);`;
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
  expect(status).toBe(1);
  await until(() => read().includes('"line 99'), 'the last line', 60_000);
});
