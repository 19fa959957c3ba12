/**
 * Reads digits as a number of a country: at once where a numbering plan decides, else by libphonenumber's slow parser.
 * `reading.test.ts` compares the fast way with libphonenumber-js itself.
 */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { PhoneNumber } from '../number.ts';
import type { NumberType } from '../number-settings.ts';
import { digitCountOf } from '../plan/group-ends.ts';
import {
  countriesOfCode,
  type Format,
  type NumberingPlan,
  numberingPlan,
  typeInPlan,
  typeOf,
} from '../plan/numbering-plan.ts';

/** Digits read as a number of one country, or of one calling code. */
export interface Reading {
  /**
   * Absent if several countries share the calling code and their plans lack the number. Also absent for codes without a
   * country.
   */
  country?: CountryCode;
  callingCode: string;
  national: string;
  type: NumberType;
  valid: boolean;
  /** The plan has numbers of this length. */
  possible: boolean;
}

/** @param country of national digits. Without it, the digits begin with a country code. */
export function read(digits: string, country?: CountryCode): Reading | undefined {
  const quick = country ? readNational(digits, country) : readInternational(digits);
  if (quick) return quick;
  const found = country
    ? parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false })
    : parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (!found) return undefined;
  const { country: owner, countryCallingCode: callingCode, nationalNumber: national } = found;
  const own = readExactly(callingCode + national);
  // The plans also have ranges for examples.
  if (own?.valid) return own;
  return {
    ...(owner ? { country: owner } : {}),
    callingCode,
    national,
    type: typeOf(found),
    valid: found.isValid(),
    possible: found.isPossible(),
  };
}

/**
 * Reads a national number without a prefix, with a plain trunk zero, or with its own calling code.
 * @returns undefined where only libphonenumber's own slow parser can decide.
 */
export function readNational(digits: string, country: CountryCode): Reading | undefined {
  const plan = numberingPlan(country);
  if (plan.prefix?.test(digits)) return undefined;
  if (plan.zeroTrunk && digits.startsWith('0')) {
    return plan.general.test(digits) ? undefined : validIn(digits.slice(1), plan.callingCode);
  }
  if (digits.startsWith(plan.callingCode)) {
    const short = digits.slice(plan.callingCode.length);
    if (plan.general.test(digits) || !plan.general.test(short) || plan.trunk?.test(short)) return undefined;
    return validIn(short, plan.callingCode);
  }
  return inCountries(digits, plan.callingCode);
}

/**
 * Reads the digits behind a plus, if a country has their calling code. Undefined if only libphonenumber's slow parser
 * can decide.
 */
export function readInternational(digits: string): Reading | undefined {
  for (let length = 1; length < 4; length++) {
    const code = digits.slice(0, length);
    const main = countriesOfCode(code)[0];
    if (!main) continue;
    const national = digits.slice(length);
    return numberingPlan(main).trunk?.test(national) ? undefined : inCountries(national, code);
  }
  return undefined;
}

/** Reads digits as a country's number with or without its plain trunk prefix, never by libphonenumber's slow parser. */
export function readWritten(digits: string, country: CountryCode): Reading {
  const { nationalPrefix, callingCode } = numberingPlan(country);
  const hasTrunk = nationalPrefix !== '' && digits.startsWith(nationalPrefix);
  return inCountries(hasTrunk ? digits.slice(nationalPrefix.length) : digits, callingCode);
}

function validIn(national: string, callingCode: string): Reading | undefined {
  const reading = inCountries(national, callingCode);
  return reading.valid ? reading : undefined;
}

/** Reads digits with their country code as they stand: no prefix in them is cut. Undefined for codes of no country. */
export function readExactly(digits: string): Reading | undefined {
  for (let length = 1; length < 4; length++) {
    const code = digits.slice(0, length);
    if (countriesOfCode(code).length > 0) return inCountries(digits.slice(length), code);
  }
  return undefined;
}

/**
 * Finds the country of a number among those that share the calling code. Leading digits decide. Without them, the first
 * plan that fits decides.
 */
function inCountries(national: string, callingCode: string): Reading {
  const countries = countriesOfCode(callingCode);
  let owner: NumberingPlan | undefined;
  for (const country of countries) {
    const plan = numberingPlan(country);
    if (plan.leading && !plan.leading.test(national)) continue;
    const type = typeInPlan(national, plan);
    if (type) return { country, callingCode, national, type, valid: true, possible: true };
    if (plan.leading || countries.length === 1) {
      owner = plan;
      break;
    }
  }
  const possible = (owner ?? numberingPlan(countries[0]!)).lengths.includes(national.length);
  const reading: Reading = { callingCode, national, type: 'unknown', valid: false, possible };
  if (owner) reading.country = owner.country;
  return reading;
}

type NumberParts = Pick<Reading, 'callingCode' | 'country' | 'national'>;

/** How its country writes a number; undefined where the metadata has no format for it. */
export function formatOf({ callingCode, country, national }: NumberParts): Format | undefined {
  const home = country ?? countriesOfCode(callingCode)[0];
  if (home === undefined) return undefined;
  for (const format of numberingPlan(home).formats) {
    const { leading, pattern, pieces } = format;
    if (pieces && digitCountOf(pieces.ends) !== national.length) continue;
    if (leading && !leading.test(national)) continue;
    if (pieces || pattern.test(national)) return format;
  }
  return undefined;
}

/** `+55 11 3456-7890`: a number with its country code, in the style of its country. */
export function displayOf(reading: NumberParts): string {
  const { callingCode, national } = reading;
  const format = formatOf(reading);
  if (!format) return `+${callingCode} ${national}`;
  const { pattern, pieces, style } = format;
  if (!pieces) return national.replace(pattern, style);
  let text = '';
  for (const [before, start, end] of pieces.cuts) text += before + national.slice(start, end);
  return text;
}

export function numberOf(reading: Reading, extension: string, display = displayOf(reading)): PhoneNumber {
  const { callingCode, national, country, type } = reading;
  const e164 = `+${callingCode}${national}`;
  const number: PhoneNumber = country
    ? { e164, national, country, callingCode, type, display }
    : { e164, national, callingCode, type, display };
  if (extension) number.extension = extension;
  return number;
}
