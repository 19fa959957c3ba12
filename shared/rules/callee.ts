/**
 * Whom digits may reach, as keys that lists and leases are looked up by. A number has several readings: with and
 * without a prefix for an outside line, a carrier's code, its country code, the ninth digit of a mobile. Every one of
 * them counts.
 *
 * Keys: `+5548999998888` with its country code, `=1105` where the country is not known, and with a `*` behind them
 * prefixes.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import { reachableNumbers, withoutOutsidePrefixes } from '../numbers/dial/reachable-numbers.ts';
import { matchesExtensionPattern } from '../numbers/plan/extension-pattern.ts';
import { countriesOfCode, numberingPlan } from '../numbers/plan/numbering-plan.ts';
import { type Reading, read, readExactly } from '../numbers/reading/reading.ts';
import { parseNumberText } from '../numbers/text/number-text.ts';

export interface CalleeSettings {
  /** Absent: only the digits themselves say who is called. */
  country: CountryCode | undefined;
  areaCode?: string | undefined;
  extensions: readonly string[];
  /** The prefixes that dial rules put in front for an outside line. */
  outsidePrefixes: readonly string[];
}

export interface Callee {
  /** The likeliest number: what a lease and a count of attempts are about. */
  key: string;
  /** The keys of all numbers that may be reached. */
  numbers: readonly string[];
  /** The keys of all prefixes of these numbers. */
  prefixes: readonly string[];
  /** The countries of the numbers that a plan has. */
  countries: readonly CountryCode[];
}

/** The usual prefixes for an outside line, also if no setting names them. They are tried if no plan has the digits. */
const usualOutsidePrefixes = ['0', '9'];
const maxLocalDigits = 9;
/**
 * The fewest digits of an end that is a key. Shorter ends are area codes and extensions, and many numbers share them.
 */
const minSharedDigits = 7;

/** @param to digits as the provider gets them. */
export function readCallee(to: string, settings: CalleeSettings): Callee {
  const { country } = settings;
  const named = [to, ...withoutOutsidePrefixes(to, settings.outsidePrefixes)];
  const isExtension = settings.extensions.some((pattern) => matchesExtensionPattern(pattern, to));
  const readings = country ? named.flatMap((digits) => readingsOf(digits, country, settings.areaCode)) : [];
  const isInNoPlan = !isExtension && !readings.some(({ valid }) => valid);
  const behind = isInNoPlan ? withoutOutsidePrefixes(to, usualOutsidePrefixes) : [];
  if (country) readings.push(...behind.flatMap((digits) => readingsOf(digits, country, settings.areaCode)));

  const local = [...named, ...behind, ...readings.map(({ national }) => national)];
  const withCode = readings.map(internationalDigits);
  const first = isExtension ? undefined : (readings.find(({ valid }) => valid) ?? readings[0]);
  const numbers = [
    ...withCode.map((digits) => `+${digits}`),
    ...[...local, ...(country ? [] : ends(to))].map((digits) => `=${digits}`),
  ];
  return {
    key: first ? `+${internationalDigits(first)}` : `=${to}`,
    numbers: [...new Set(numbers)],
    prefixes: [
      ...new Set([
        ...withCode.flatMap((digits) => prefixKeys('+', digits)),
        ...local.flatMap((digits) => prefixKeys('=', digits)),
      ]),
    ],
    countries: [...new Set(readings.flatMap(({ valid, country }) => (valid && country ? [country] : [])))],
  };
}

const internationalDigits = ({ callingCode, national }: Reading): string => callingCode + national;

/** Every reading of the digits, also in the form that its country dials today. */
function readingsOf(digits: string, country: CountryCode, areaCode: string | undefined): Reading[] {
  // No plan has the old form of Mexico's mobiles any more.
  const today = digits.replace(/521(\d{10})$/, '52$1');
  const found = [...new Set([digits, today])].flatMap((each) => reachableNumbers(each, country));
  const isLocal = areaCode !== undefined && digits.length <= maxLocalDigits;
  const local = isLocal ? readingWithAreaCode(areaCode + digits, country) : undefined;
  const written = local?.valid ? [...found, local] : found;
  const mobiles = written.flatMap((reading) => {
    const form = mobileForm(internationalDigits(reading));
    return (form !== internationalDigits(reading) && readExactly(form)) || [];
  });
  // The likeliest first: a number that is written in an older form is valid only in today's form.
  return [...mobiles, ...written];
}

/** Today's form first: no plan has the eight digits of an old mobile. */
function readingWithAreaCode(national: string, country: CountryCode): Reading | undefined {
  const { callingCode } = numberingPlan(country);
  return read(mobileForm(callingCode + national).slice(callingCode.length), country);
}

const prefixKeys = (mark: string, digits: string): string[] =>
  Array.from({ length: digits.length }, (_, index) => `${mark}${digits.slice(0, index + 1)}*`);

/** The ends of the digits that may be a number. Without a country, it is not known where the prefix ends. */
const ends = (digits: string): string[] =>
  Array.from({ length: Math.max(0, digits.length - minSharedDigits) }, (_, index) => digits.slice(index + 1));

/**
 * One form for mobiles that are written with a digit more or less: Brazil's ninth digit, the 1 behind Mexico's country
 * code (until 2019), and the 9 behind Argentina's country code, which is dialled only from abroad.
 */
export function mobileForm(digits: string): string {
  if (/^55[1-9]{2}[6-9]\d{7}$/.test(digits)) return `${digits.slice(0, 4)}9${digits.slice(4)}`;
  if (/^521\d{10}$/.test(digits)) return `52${digits.slice(3)}`;
  if (/^549\d{10}$/.test(digits)) return `54${digits.slice(3)}`;
  return digits;
}

/** Today's form of a mobile first, then the form with a digit more or less. */
export function mobileForms(digits: string): string[] {
  const today = mobileForm(digits);
  const other = today
    .replace(/^(55[1-9]{2})9([6-9]\d{7})$/, '$1$2')
    .replace(/^52(\d{10})$/, '521$1')
    .replace(/^54(\d{10})$/, '549$1');
  return other === today ? [today] : [today, other];
}

/** The callee of a number as pages know it: `+5548999998888`, or the digits of an extension. */
export function calleeOfNumber(number: string, settings: CalleeSettings): Callee {
  const reading = number.startsWith('+') ? read(number.slice(1)) : undefined;
  if (!reading) return readCallee(number.replace('+', ''), settings);
  const { country, national } = reading;
  const digits = internationalDigits(reading);
  const form = mobileForm(digits);
  return {
    key: `+${form}`,
    numbers: [...new Set([`+${form}`, `+${digits}`, `=${national}`])],
    prefixes: [
      ...new Set([...prefixKeys('+', digits), ...prefixKeys('+', form), ...prefixKeys('=', national)]),
    ],
    countries: country ? [country] : [],
  };
}

/** The digits of a key as people read them. */
export const displayOfKey = (key: string): string => key.replace(/^=|\*$/g, '');

export type ListedKey = { key: string; display: string } | { why: 'unreadable' | 'needsCountry' };

/**
 * The key of a number as somebody wrote it. Digits that are in no plan are kept as written, so that an extension can be
 * listed too.
 * @param country of a number without a country code.
 * @param areaCode of a number without an area code; absent: the number is listed by its digits alone.
 */
export function keyOfNumber(written: string, country: CountryCode | undefined, areaCode?: string): ListedKey {
  const { plus, digits } = parseNumberText(written.trim());
  if (digits.length < 2 || digits.length > 20) return { why: 'unreadable' };
  if (plus) {
    const reading = read(mobileForm(digits));
    if (!reading?.possible && !reading?.valid) return { why: 'unreadable' };
    if (country === undefined) return { key: `=${reading.national}`, display: `+${digits}` };
    return keyOfReading(reading);
  }
  const reading = country && readingsOf(digits, country, areaCode).find(({ valid }) => valid);
  if (reading) return keyOfReading(reading);
  // The digits of several numbers together are not a number.
  return severalNumbers.test(written) ? { why: 'unreadable' } : { key: `=${digits}`, display: digits };
}

const severalNumbers = /\d\s*[/|,;]\s*[+(]?\d/;

function keyOfReading(reading: Reading): ListedKey {
  const digits = mobileForm(internationalDigits(reading));
  return { key: `+${digits}`, display: `+${digits}` };
}

/** `+44 (0)20` is `+4420`, but `+39 (0)6` is `+3906`: Italy has no trunk prefix, and its zeros are dialled. */
const withoutTrunkZero = (written: string): string =>
  written.replace(/^\+(\d{1,3})[ .-]*\(0\)/, (all, code: string) => {
    const [country] = countriesOfCode(code);
    return country && numberingPlan(country).nationalPrefix === '0' ? `+${code}` : all;
  });

/** The key of a prefix: `+5548`, or digits as they are dialled. */
export function keyOfPrefix(written: string, country: CountryCode | undefined): ListedKey {
  const { plus, digits } = parseNumberText(withoutTrunkZero(written.trim().replace(/\*$/, '')));
  if (digits.length === 0 || digits.length > 15) return { why: 'unreadable' };
  if (plus && country === undefined) return { why: 'needsCountry' };
  const mark = plus ? '+' : '=';
  return { key: `${mark}${digits}*`, display: (plus ? '+' : '') + digits };
}
