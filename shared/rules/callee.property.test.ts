/** A listed number is found in every way to dial it: carrier codes, outside lines, forms of mobiles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isListedNumberFound } from '../../testing/numbers/listed-numbers.ts';
import { keyOfNumber, keyOfPrefix, readCallee } from './callee.ts';

const plain = { extensions: [], outsidePrefixes: [] } as const;

it('finds a listed number however it was written, however it is dialled', () => {
  fc.assert(isListedNumberFound, { numRuns: 3000, seed: 26 });
});

it.each([
  ['BR', '(48) 9999-8888', '0154899998888'],
  ['BR', '(48) 9999-8888', '48999998888'],
  ['BR', '+55 48 99999-8888', '4899998888'],
  ['BR', '5548999998888', '00155548999998888'],
  ['BR', '48999998888', '9048999998888'],
  ['MX', '+52 1 55 1234 5678', '5512345678'],
  ['MX', '55 1234 5678', '0052 1 55 1234 5678'.replaceAll(' ', '')],
  ['AR', '+54 9 11 2345-6789', '01123456789'],
  ['AR', '011 15 2345-6789', '00541123456789'],
  ['US', '(415) 555-2671', '914155552671'],
  ['US', '(415) 555-2671', '101028814155552671'],
  ['DE', '030 901820', '0030901820'],
] as const)('%s: %s is found in %s', (country, written, to) => {
  const listed = keyOfNumber(written, country);
  expect(readCallee(to, { ...plain, country }).numbers).toContain('key' in listed && listed.key);
});

it('finds an extension, or a local number by the area code', () => {
  const extensions = { ...plain, country: 'BR', extensions: ['_1XXX'] } as const;
  expect(readCallee('1105', extensions)).toMatchObject({ key: '=1105' });
  expect(readCallee('32221000', { ...plain, country: 'BR', areaCode: '48' }).numbers).toContain(
    '+554832221000',
  );
});

it('finds a number without a country by the end of the digits', () => {
  const unknown = { ...plain, country: undefined };
  expect(keyOfNumber('+55 48 99999-8888', undefined)).toMatchObject({ key: '=48999998888' });
  for (const to of ['48999998888', '048999998888', '005548999998888'])
    expect(readCallee(to, unknown).numbers).toContain('=48999998888');
  expect(keyOfPrefix('+5548', undefined)).toEqual({ why: 'needsCountry' });
});

it('finds every number of a prefix, behind carrier codes too', () => {
  const listed = keyOfPrefix('+55 48 97', 'BR');
  expect(readCallee('01548977712345', { ...plain, country: 'BR' }).prefixes).toContain(
    'key' in listed && listed.key,
  );
});

it.each([
  ['BR', '+55 48 99999-8888', '48999998889'],
  ['BR', '48 3222-1000', '4732221000'],
  ['BR', '+1 415 555 2671', '1155552671'],
  ['US', '+55 48 99999-8888', '4155552671'],
] as const)('%s: %s does not stop %s', (country, written, to) => {
  const listed = keyOfNumber(written, country);
  expect(readCallee(to, { ...plain, country }).numbers).not.toContain('key' in listed && listed.key);
});

describe("a number in the team's area code", () => {
  const home = { ...plain, country: 'BR', areaCode: '48' } as const;

  it.each(['99999-8888', '9999-8888', '3222-1000'])('is listed with its area code: %s', (written) => {
    const listed = keyOfNumber(written, home.country, home.areaCode);
    const local = written.replace('-', '');
    const ways = [local, `48${local}`, `5548${local}`, `01548${local}`];
    for (const to of ways) expect(readCallee(to, home).numbers).toContain('key' in listed && listed.key);
  });

  it('is found where the eight digits of an old mobile are dialled', () => {
    expect(readCallee('99998888', home)).toMatchObject({ key: '+5548999998888', countries: ['BR'] });
  });

  it('stays an extension where no plan has it with the area code', () => {
    expect(keyOfNumber('1105', home.country, home.areaCode)).toEqual({ key: '=1105', display: '1105' });
  });
});
