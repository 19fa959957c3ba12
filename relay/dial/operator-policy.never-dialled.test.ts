/** Emergency, premium and satellite numbers are never dialled, whatever is set: over countries, prefixes and carriers. */
import fc from 'fast-check';
import { type CountryCode, getCountries } from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { neverDialled, outsidePrefix, runs } from '../../testing/numbers/never-dialled.ts';
import { type GuardSettings, operatorRefusal } from './operator-policy.ts';

/** Any setting that cannot make the number an extension. */
const settingsOf = (home: CountryCode, prefix: string | undefined) =>
  fc.record({
    country: fc.constant<string>(home),
    dialCountries: fc.option(fc.subarray(getCountries(), { minLength: 1 }), { nil: undefined }),
    dialBlockedPrefixes: fc.constant<string[]>([]),
    dialExtensions: fc.constantFrom<string[]>([], ['_7XXXX']),
    dialShortNumbers: fc.boolean(),
    dialOutsidePrefix: fc.constant(prefix),
  });

it.each(neverDialled)('refuses %s', (_, digits, reasons) => {
  const cases = fc
    .tuple(digits, fc.option(outsidePrefix, { nil: undefined }))
    .chain(([{ home, to }, prefix]) => fc.tuple(fc.constant((prefix ?? '') + to), settingsOf(home, prefix)));
  const isRefused = fc.property(cases, ([to, settings]) => {
    const refusal = operatorRefusal(to, settings as GuardSettings);
    expect(reasons, `${to} was answered ${refusal}`).toContain(refusal);
  });
  fc.assert(isRefused, runs);
});
