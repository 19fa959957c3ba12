import fc from 'fast-check';
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { numberingPlan, typeOf } from '../plan/numbering-plan.ts';
import { displayOf, read, readInternational, readNational } from './reading.ts';

const country = fc.constantFrom(...getCountries());
/** National digits of a length that the country has. */
const numbers = country.chain((code) =>
  fc.tuple(
    fc.constant(code),
    fc
      .constantFrom(...numberingPlan(code).lengths)
      .chain((length) => fc.array(fc.nat(9), { minLength: length, maxLength: length }))
      .map((digits) => (digits[0] === 0 ? [1, ...digits.slice(1)] : digits).join('')),
  ),
);

test('reads an international number as libphonenumber does', () => {
  fc.assert(
    fc.property(numbers, ([code, national]) => {
      const digits = getCountryCallingCode(code) + national;
      const quick = readInternational(digits);
      if (!quick) return;
      const long = parsePhoneNumberFromString(`+${digits}`, { extract: false });
      expect([quick.valid, quick.national]).toEqual([long?.isValid(), long?.nationalNumber]);
      if (quick.valid) expect([quick.country, quick.type]).toEqual([long?.country, typeOf(long!)]);
      expect(quick.possible).toBe(long?.isPossible());
    }),
    { numRuns: 1500 },
  );
});

test('reads a national number as libphonenumber does', () => {
  fc.assert(
    fc.property(numbers, fc.boolean(), ([code, national], trunk) => {
      const digits = (trunk ? '0' : '') + national;
      const quick = readNational(digits, code);
      if (!quick) return;
      const long = parsePhoneNumberFromString(digits, { defaultCountry: code, extract: false });
      expect(quick.valid).toBe(long?.isValid());
      if (quick.valid) {
        expect([quick.national, quick.country, quick.type]).toEqual([
          long?.nationalNumber,
          long?.country,
          typeOf(long!),
        ]);
      }
    }),
    { numRuns: 1500 },
  );
});

test("groups a number's digits as libphonenumber does", () => {
  fc.assert(
    fc.property(numbers, ([code, national]) => {
      const reading = readInternational(getCountryCallingCode(code) + national);
      if (!reading?.valid) return;
      const shown = parsePhoneNumberFromString(
        `+${reading.callingCode}${reading.national}`,
      )!.formatInternational();
      // libphonenumber-js puts a space where the country itself writes a dash.
      expect(
        displayOf(reading)
          .replace(/[-/. ()]+/g, ' ')
          .trim(),
      ).toBe(shown);
    }),
    { numRuns: 1500 },
  );
});

test.each([
  ['GB', '07700900123', 'mobile'],
  ['GB', '01632960123', 'fixedLine'],
  ['FR', '0639981234', 'mobile'],
  ['IE', '0209123456', 'fixedLine'],
] as const)('reads a number of %s for examples: %s', (country, digits, type) => {
  expect(read(digits, country)).toMatchObject({ country, national: digits.slice(1), type, valid: true });
});
