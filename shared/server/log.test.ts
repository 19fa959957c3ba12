import { closeSync, openSync } from 'node:fs';
import pino from 'pino';
import { expect, it } from 'vitest';
import { makeLog, maskNumber } from './log.ts';

it('masks all but the last two digits of a number; shows an extension', () => {
  expect(maskNumber('48999998888')).toBe('*********88');
  expect(maskNumber('1105')).toBe('1105');
});

it('drops lines that a full disk does not take', () => {
  const full = openSync('/dev/full', 'w');
  const log = makeLog('info', pino.destination({ fd: full, sync: true }));
  expect(() => log.info('a line')).not.toThrow();
  closeSync(full);
});
