import { expect, test } from 'vitest';
import { matchesSearch } from './match-history.ts';

const call = { to: '01133502009', display: '+55 11 3350-2009', note: 'Ana 2nd floor, call back' };

test.each([
  ['Ana 2', true],
  ['ana', true],
  ['3350', true],
  ['(11) 3350-20', true],
  ['+551133502009', true],
  ['Bia 2', false],
  ['2 offers', false],
  ['3351', false],
  ['.', false],
])('a search for "%s" finds a number or a note: %s', (search, isFound) => {
  expect(matchesSearch(search, call)).toBe(isFound);
});
