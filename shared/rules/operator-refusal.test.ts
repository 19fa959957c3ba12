import { expect, test } from 'vitest';
import { parseDialInput } from '../numbers/reading/dial-input.ts';
import { type OperatorLimits, refusalByOperator } from './operator-refusal.ts';

const brazil = { country: 'BR', areaCode: '48', extensions: ['_1XXX'], dialRules: [] } as const;

function refusalOf(text: string, limits: Partial<OperatorLimits>, to = text.replace(/\D/g, '')) {
  const judged = parseDialInput(text, { ...brazil, extensions: [...brazil.extensions], dialRules: [] });
  if ('why' in judged) throw new Error(judged.why);
  return refusalByOperator(judged.number, to, { blockedPrefixes: [], shortNumbers: true, ...limits });
}

test.each([
  ['a country that is not listed', '+351 21 123 4567', { countries: ['BR'] }, 'abroad', 'PT'],
  ['the own country where it is not listed', '(48) 3222-1000', { countries: ['PT'] }, 'abroad', 'BR'],
  ['a number of no country', '+800 1234 5678', { countries: ['BR'] }, 'abroad', '800'],
  ['a prefix of the digits', '(48) 3222-1000', { blockedPrefixes: ['4832'] }, 'blockedPrefix', '4832'],
  ['a country code', '+351 21 123 4567', { blockedPrefixes: ['+351'] }, 'blockedPrefix', '+351'],
  ['a short number', '144', { shortNumbers: false }, 'short', undefined],
])('refuses %s', (_what, text, limits, reason, detail) => {
  expect(refusalOf(text, limits)).toEqual({ verdict: 'refuse', reason, ...(detail && { detail }) });
});

test.each([
  ['a country that is listed', '+351 21 123 4567', { countries: ['BR', 'PT'] }],
  ['a toll-free number of a listed calling code', '+1 800 555 0123', { countries: ['US'] }],
  ['a short number where it is allowed', '144', { countries: ['BR'] }],
  ['an extension', '1105', { countries: ['PT'], shortNumbers: false }],
  ['any country where countries are not listed', '+351 21 123 4567', {}],
])('lets %s pass', (_what, text, limits) => {
  expect(refusalOf(text, limits)).toBeUndefined();
});
