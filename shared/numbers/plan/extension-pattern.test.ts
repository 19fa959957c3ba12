import { expect, test } from 'vitest';
import { matchesExtensionPattern } from './extension-pattern.ts';

test.each([
  ['1105', '1105', true],
  ['1105', '11050', false],
  ['_1XXX', '1105', true],
  ['_1XXX', '2105', false],
  ['_1XXX', '110', false],
  ['_1XXX', '11055', false],
  ['_[2-4]XX', '399', true],
  ['_[2-4]XX', '599', false],
  ['_[2-47]X', '70', true],
  ['_[2-47]X', '60', false],
  ['_ZXX', '000', false],
  ['_NXX', '199', false],
  ['_NXX', '299', true],
  ['_nxx', '299', true],
  ['_', '', false],
  ['_[2-4', '3', false],
])('%s with %s: %s', (pattern, digits, expected) =>
  expect(matchesExtensionPattern(pattern, digits)).toBe(expected),
);
