import { expect, it } from 'vitest';
import { maskNumber } from './log.ts';

it('masks all but the last two digits of a number, and no extension', () => {
  expect(maskNumber('48999998888')).toBe('*********88');
  expect(maskNumber('1105')).toBe('1105');
});
