import type { CountryCode } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { judge } from './judge.ts';

/** Countries, an area code and a local number of each. */
const locals: readonly [country: CountryCode, areaCode: string, digits: string][] = [
  ['BR', '48', '33224455'],
  ['US', '415', '5552671'],
  ['DE', '30', '23125123'],
  ['GB', '20', '79460958'],
  ['IN', '22', '66778899'],
  ['MX', '55', '55123456'],
  ['IT', '06', '67812345'],
  ['AR', '11', '43215678'],
  ['TR', '212', '3456789'],
  ['CL', '2', '23456789'],
  ['CO', '601', '3456789'],
  ['AU', '2', '93744000'],
];
const groupings = ['4 4', '4-4', '2 2 2 2', '4 2 2', '(4) 4', '3-5', '3 3 2', '3 4', '3-2-2', '2 5'];

/** The digits in groups: `3-5` of 33224455 is 332-24455. */
const grouped = (digits: string, grouping: string) => {
  const rest = [...digits];
  return grouping.replace(/\d/g, (length) => rest.splice(0, Number(length)).join(''));
};

test.each(locals)(
  'a local number of %s is never offered as another country’s: %s %s',
  (country, areaCode, digits) => {
    const lengthOf = (grouping: string) =>
      (grouping.match(/\d/g) ?? []).reduce((sum, each) => sum + Number(each), 0);
    for (const grouping of groupings.filter((each) => lengthOf(each) === digits.length)) {
      const text = grouped(digits, grouping);
      const settings = { country, areaCode, extensions: [], dialRules: [] };
      const judged = judge({ text, contextWords: 'phone' }, settings);
      if (!('number' in judged)) throw new Error(`${text} is not a number: ${judged.why}`);
      const offered = [judged.number, ...judged.alternatives];
      expect(
        offered.map((number) => number.country),
        text,
      ).toEqual([country]);
    }
  },
);

test.each(['-', '\u2010', '\u2011', '–', '−'])('a local number of Brazil is joined by %s', (dash) => {
  const settings = { country: 'BR' as const, areaCode: '48', extensions: [], dialRules: [] };
  expect(judge({ text: `3322${dash}4466`, contextWords: 'none' }, settings)).toMatchObject({
    number: { e164: '+554833224466' },
  });
});
