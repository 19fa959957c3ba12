/**
 * Digits that lead to numbers that are never dialled unasked: in every country, behind every prefix and
 * carrier that a line there takes.
 */
import fc from 'fast-check';
import { type CountryCode, getCountries } from 'libphonenumber-js/max';
import { emergencyNumbers } from '../../shared/numbers/plan/emergency.ts';
import { numberingPlan, typeInPlan } from '../../shared/numbers/plan/numbering-plan.ts';

/** Digits as somebody at home dials them. */
interface Dialled {
  home: CountryCode;
  to: string;
}

const country = fc.constantFrom(...getCountries());
const brazilianCarrier = fc.stringMatching(/^[1-9]\d$/);
export const outsidePrefix: fc.Arbitrary<string> = fc.stringMatching(/^\d{1,6}$/);

/** Codes that choose a carrier, or show or hide the caller's number, before digits that are dialled as without them. */
const codesBeforeACall: Partial<Record<CountryCode, RegExp>> = {
  US: /^(101\d{4}|1167)$/,
  CA: /^(101\d{4}|1167)$/,
  DE: /^(010[1-9]\d|0100\d\d)$/,
  GB: /^(141|1470|1280)$/,
  FR: /^(3651|16\d\d)$/,
};

/** A number that a code was dialled before, where the country has such codes. */
export const behindCode = ({ home, to }: Dialled): fc.Arbitrary<Dialled> => {
  const code = codesBeforeACall[home];
  return code
    ? fc.stringMatching(code).map((digits) => ({ home, to: digits + to }))
    : fc.constant({ home, to });
};

/** What a line of the country takes before a national number. */
export function nationalPrefix(home: CountryCode) {
  const plain = fc.constantFrom('', numberingPlan(home).nationalPrefix || '');
  return home === 'BR'
    ? fc.oneof(
        plain,
        brazilianCarrier.map((carrier) => `0${carrier}`),
      )
    : plain;
}

/** What it takes before a country code. */
export function internationalPrefix(home: CountryCode) {
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

const emergencies: fc.Arbitrary<Dialled> = country.chain((home) =>
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

/** Satellite and international premium numbers. */
const satellites: fc.Arbitrary<Dialled> = country.chain((home) =>
  fc.tuple(internationalPrefix(home), satellite).map(([prefix, number]) => ({ home, to: prefix + number })),
);

const premiumAtHome: fc.Arbitrary<Dialled> = premium.chain(({ there, national }) =>
  nationalPrefix(there).map((prefix) => ({ home: there, to: prefix + national })),
);

const premiumAbroad: fc.Arbitrary<Dialled> = fc
  .tuple(country, premium)
  .filter(([home, { callingCode }]) => numberingPlan(home).callingCode !== callingCode)
  .chain(([home, { national, callingCode }]) =>
    internationalPrefix(home).map((prefix) => ({ home, to: prefix + callingCode + national })),
  );

/** Numbers of countries with such codes. They are chosen alone, since they are five of two hundred. */
const premiumBehindCode: fc.Arbitrary<Dialled> = premium
  .filter(({ there }) => there in codesBeforeACall)
  .chain(({ there, national }) => {
    const to = `${numberingPlan(there).nationalPrefix}${national}`;
    return behindCode({ home: there, to });
  });

const emergencyBehindCode: fc.Arbitrary<Dialled> = fc
  .constantFrom(...(Object.keys(codesBeforeACall) as CountryCode[]))
  .chain((home) => fc.constantFrom(...emergencyNumbers(home)).chain((to) => behindCode({ home, to })));

const satelliteBehindCode: fc.Arbitrary<Dialled> = fc
  .constantFrom(...(Object.keys(codesBeforeACall) as CountryCode[]))
  .chain((home) =>
    satellite.chain((number) => behindCode({ home, to: numberingPlan(home).internationalPrefix + number })),
  );

const costly = ['premium', 'satellite', 'emergency'];

/** Each kind of such numbers, and the reasons that hold for it: some digits are of two kinds. */
export const neverDialled: readonly [kind: string, digits: fc.Arbitrary<Dialled>, reasons: string[]][] = [
  ['emergency numbers', emergencies, ['emergency']],
  ['satellite and international premium numbers', satellites, costly],
  ['premium numbers at home', premiumAtHome, costly],
  ['premium numbers abroad', premiumAbroad, costly],
  ['premium numbers behind the code of a carrier', premiumBehindCode, costly],
  ['emergency numbers behind the code of a carrier', emergencyBehindCode, ['emergency']],
  ['satellite numbers behind the code of a carrier', satelliteBehindCode, costly],
];

export const runs = { numRuns: 1500 };
