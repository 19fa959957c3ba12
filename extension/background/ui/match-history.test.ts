import { expect, test } from 'vitest';
import type { Call } from '../../../shared/call/call.ts';
import { matchesSearch } from './match-history.ts';

const display = '+55 11 3350-2009';
const noted = { call: { to: '01133502009' } as Call, display, note: 'Ana 2nd floor, call back' };

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
  expect(matchesSearch(search, noted)).toBe(isFound);
});

test.each(['joao', 'João', 'acme', 'quote'])('a search for "%s" finds a name or a wrap-up', (search) => {
  const call = { to: '48', name: 'João Prado, Acme', wrapUp: { note: 'Wants a quote', revision: 1 } } as Call;
  expect(matchesSearch(search, { call, display: '48', note: '' })).toBe(true);
  expect(matchesSearch(search, { call: { to: '48' } as Call, display: '48', note: '' })).toBe(false);
});

test.each([
  ['020 7946', true],
  ['(0)20 7946', true],
  ['+44 (0)20 7946', true],
  ['0 9460', false],
])('a search for "%s" as its country writes it finds the number: %s', (search, isFound) => {
  const call = { to: '2079460018' } as Call;
  const record = { call, display: '+44 20 7946 0018', country: 'GB', note: '' };
  expect(matchesSearch(search, record)).toBe(isFound);
});
