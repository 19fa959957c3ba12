/** Ordinary numbers of all countries, as people write them into a list, and as a line of some country dials them. */
import fc from 'fast-check';
import { type CountryCode, getCountries } from 'libphonenumber-js/max';
import { reachableNumbers } from '../../shared/numbers/dial/reachable-numbers.ts';
import { numberingPlan, typeInPlan } from '../../shared/numbers/plan/numbering-plan.ts';
import { keyOfNumber, readCallee } from '../../shared/rules/callee.ts';
import { behindCode, internationalPrefix, nationalPrefix, outsidePrefix } from './never-dialled.ts';

interface OrdinaryNumber {
  country: CountryCode;
  national: string;
  callingCode: string;
}

interface ListedAndDialled {
  /** Country of the relay. */
  home: CountryCode;
  written: string;
  to: string;
}

const ordinaryIn = (country: CountryCode): fc.Arbitrary<OrdinaryNumber> => {
  const plan = numberingPlan(country);
  const patterns = [plan.fixed, plan.kinds.find(({ type }) => type === 'mobile')].flatMap((kind) =>
    kind ? [kind.pattern] : [],
  );
  return fc
    .constantFrom(...patterns)
    .chain((pattern) => fc.stringMatching(pattern))
    .filter((national) => typeInPlan(national, plan) !== undefined)
    .map((national) => ({ country, national, callingCode: plan.callingCode }));
};
const ordinary = fc.constantFrom(...getCountries()).chain(ordinaryIn);

const separator = fc.constantFrom('', ' ', '-', '.', '\u00A0', '/');

/** Groups of two to four digits, in plain or full-width digits. */
const grouped = (digits: string): fc.Arbitrary<string> =>
  fc.tuple(separator, fc.integer({ min: 2, max: 4 }), fc.boolean()).map(([between, length, isWide]) => {
    const groups = digits.match(new RegExp(`\\d{1,${length}}`, 'g'))!;
    const text = groups.join(between);
    return isWide ? text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)) : text;
  });

/** The digits by which a line of the number's own country dials it. */
const dialledAtHome = ({ country, national, callingCode }: OrdinaryNumber): fc.Arbitrary<string> =>
  fc
    .oneof(
      nationalPrefix(country).map((prefix) => prefix + national),
      internationalPrefix(country).map((prefix) => prefix + callingCode + national),
    )
    .chain((to) => fc.oneof(fc.constant({ to }), behindCode({ home: country, to })))
    .map(({ to }) => to);

/** Ordinary numbers of a country in E.164, each with so many ways to dial it there. */
export const dialledInManyWays = (
  country: CountryCode,
  ways: number,
): fc.Arbitrary<{ e164: string; dialled: string[] }> =>
  ordinaryIn(country).chain((number) =>
    fc
      .array(dialledAtHome(number), { minLength: ways, maxLength: ways })
      .map((dialled) => ({ e164: `+${number.callingCode}${number.national}`, dialled })),
  );

const atHome: fc.Arbitrary<ListedAndDialled> = ordinary.chain(({ country, national, callingCode }) => {
  const { nationalPrefix: trunk } = numberingPlan(country);
  // Some digits are also another number. Such digits are clear only with their country code.
  const isClear = (digits: string) =>
    reachableNumbers(digits, country).filter(({ valid }) => valid).length === 1;
  const written = [trunk + national, national].filter(isClear).map(grouped);
  return fc
    .tuple(
      fc.oneof(
        grouped(national).map((text) => `+${callingCode} ${text}`),
        ...written,
      ),
      dialledAtHome({ country, national, callingCode }),
    )
    .map(([written, to]) => ({ home: country, written, to }));
});

const abroad: fc.Arbitrary<ListedAndDialled> = fc
  .tuple(ordinary, fc.constantFrom(...getCountries()))
  .filter(([{ callingCode }, home]) => numberingPlan(home).callingCode !== callingCode)
  .chain(([{ national, callingCode }, home]) =>
    fc.tuple(grouped(national), internationalPrefix(home)).map(([text, prefix]) => ({
      home,
      written: `+${callingCode} ${text}`,
      to: prefix + callingCode + national,
    })),
  );

const listedAndDialled: fc.Arbitrary<ListedAndDialled> = fc.oneof(atHome, abroad);

const cases = fc.tuple(listedAndDialled, fc.option(outsidePrefix, { nil: undefined }));

/** Holds where a number that is listed as written is found in the digits as dialled. */
export const isListedNumberFound = fc.property(cases, ([{ home, written, to }, prefix]) => {
  const what = `${written}, dialled ${prefix ?? ''} ${to} in ${home}`;
  const listed = keyOfNumber(written, home);
  if (!('key' in listed)) throw new Error(`${what}: ${listed.why}`);
  const outsidePrefixes = prefix === undefined ? [] : [prefix];
  const { numbers } = readCallee((prefix ?? '') + to, { country: home, extensions: [], outsidePrefixes });
  if (!numbers.includes(listed.key)) throw new Error(`${what}: ${listed.key} is not in ${numbers.join()}`);
});
