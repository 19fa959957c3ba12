/** Emergency, premium and satellite numbers are never dialled, whatever is set: over countries, prefixes and carriers. */
import fc from 'fast-check';
import { type CountryCode, getCountries } from 'libphonenumber-js/max';
import { expect, it } from 'vitest';
import { emergencyNumbers } from '../../shared/numbers/dial/emergency.ts';
import { numberingPlan, typeInPlan } from '../../shared/numbers/judge/numbering-plan.ts';
import { type GuardSettings, refusalOf } from './callee-refusal.ts';

const country = fc.constantFrom(...getCountries());
const outsidePrefix = fc.option(fc.stringMatching(/^\d{1,6}$/), { nil: undefined });
const brazilianCarrier = fc.stringMatching(/^[1-9]\d$/);

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

/** What a line of the country takes before a national number. */
function nationalPrefix(home: CountryCode) {
  const plain = fc.constantFrom('', numberingPlan(home).nationalPrefix || '');
  return home === 'BR'
    ? fc.oneof(
        plain,
        brazilianCarrier.map((carrier) => `0${carrier}`),
      )
    : plain;
}

/** What it takes before a country code. */
function internationalPrefix(home: CountryCode) {
  const { international, internationalPrefix: usual } = numberingPlan(home);
  const plain = fc.oneof(fc.constant(usual), fc.stringMatching(new RegExp(`${international!.source}$`)));
  return home === 'BR'
    ? fc.oneof(
        plain,
        brazilianCarrier.map((carrier) => `00${carrier}`),
      )
    : plain;
}

const satellite = fc.oneof(
  fc.stringMatching(/^8707\d{11}$/),
  fc.stringMatching(/^870[35]\d{8}$/),
  fc.stringMatching(/^8816[1-9]\d{7}$/),
  fc.stringMatching(/^979[1359]\d{8}$/),
);

const withPremium = getCountries().filter((each) =>
  numberingPlan(each).kinds.some(({ type }) => type === 'premium'),
);
const premium = fc.constantFrom(...withPremium).chain((there) => {
  const plan = numberingPlan(there);
  const { pattern } = plan.kinds.find(({ type }) => type === 'premium')!;
  return fc
    .stringMatching(pattern)
    .filter((national) => typeInPlan(national, plan) === 'premium')
    .map((national) => ({ there, national, callingCode: plan.callingCode }));
});

function never(digits: fc.Arbitrary<{ home: CountryCode; to: string }>, reasons: readonly string[]) {
  const cases = fc
    .tuple(digits, outsidePrefix)
    .chain(([{ home, to }, prefix]) => fc.tuple(fc.constant((prefix ?? '') + to), settingsOf(home, prefix)));
  fc.assert(
    fc.property(cases, ([to, settings]) => {
      const refusal = refusalOf(to, settings as GuardSettings);
      expect(reasons, `${to} was answered ${refusal}`).toContain(refusal);
    }),
    { numRuns: 1500 },
  );
}

it('refuses emergency numbers', () => {
  const digits = country.chain((home) =>
    fc
      .tuple(
        fc.oneof(
          fc.stringMatching(/^0{0,3}$/),
          nationalPrefix(home),
          internationalPrefix(home),
          internationalPrefix(home).map((prefix) => prefix + numberingPlan(home).callingCode),
        ),
        fc.constantFrom(...emergencyNumbers(home)),
      )
      .map(([prefix, number]) => ({ home, to: prefix + number })),
  );
  never(digits, ['emergency']);
});

it('refuses satellite and international premium numbers', () => {
  const digits = country.chain((home) =>
    fc.tuple(internationalPrefix(home), satellite).map(([prefix, number]) => ({ home, to: prefix + number })),
  );
  never(digits, ['satellite', 'premium', 'emergency']);
});

it('refuses premium numbers at home', () => {
  const digits = premium.chain(({ there, national }) =>
    nationalPrefix(there).map((prefix) => ({ home: there, to: prefix + national })),
  );
  never(digits, ['premium', 'satellite', 'emergency']);
});

it('refuses premium numbers abroad', () => {
  const digits = fc
    .tuple(country, premium)
    .filter(([home, { callingCode }]) => numberingPlan(home).callingCode !== callingCode)
    .chain(([home, { national, callingCode }]) =>
      internationalPrefix(home).map((prefix) => ({ home, to: prefix + callingCode + national })),
    );
  never(digits, ['premium', 'satellite', 'emergency']);
});
