/**
 * Columns that hold country codes and area codes apart from their numbers, with heads in English, Portuguese and
 * Spanish. Large lists are read as Latin-1, where a letter with an accent is two signs.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import { countriesOfCode } from '../shared/numbers/plan/numbering-plan.ts';
import { read } from '../shared/numbers/reading/reading.ts';
import { cellText } from './cell-text.ts';

const countryCodeHead =
  /^(?:ddi|(?:phone |mobile )?country (?:calling |phone |dial(?:l?ing)? )?code|(?:calling|dial(?:l?ing)?) code|(?:lada|prefijo|c\S{1,2}digo) internacional|c\S{1,2}digo (?:d[eo] )?pa\S{1,2}s) ?\d*$/i;
const areaCodeHead = /^(?:ddd|area code|c\S{1,2}digo (?:de )?\S{1,2}rea|lada)(?![a-z])/i;

export const isCountryCodeHead = (head: string): boolean => countryCodeHead.test(head);
export const isAreaCodeHead = (head: string): boolean => areaCodeHead.test(head) && !isCountryCodeHead(head);

/** @returns the digits without their zeros in front; undefined where the text holds no area code. */
export function readAreaCode(text: string): string | undefined {
  return /^\(?0*([1-9]\d{0,3})\)?(?:\.0{1,2})?$/.exec(text.trim())?.[1];
}

/**
 * @returns the country with this calling code, its largest where several share one; null for digits of no country,
 * undefined without digits.
 */
export function readCallingCode(text: string): CountryCode | null | undefined {
  const digits = text
    .replace(/\.0{1,2}$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  return digits === '' ? undefined : (countriesOfCode(digits)[0] ?? null);
}

interface CodesOfNumber {
  country?: CountryCode | undefined;
  areaCode?: string | undefined;
}

/**
 * The number of a row, and what to read it by: the row's own codes, then the default codes.
 * @returns the number with its area code and a plus, if the row has the area code apart; else the text as it is.
 */
export function withCodesOfRow<Defaults extends CodesOfNumber>(
  written: string,
  codes: CodesOfNumber,
  defaults: Defaults,
): { number: string; rules: Defaults } {
  const rules = codesOrDefaults(codes, defaults);
  return { number: withAreaCodeOfRow(written, codes.areaCode, rules.country), rules };
}

/**
 * Completes the codes of a number with the default codes. The default area code is used only in the default country.
 */
function codesOrDefaults<Defaults extends CodesOfNumber>(
  { country, areaCode }: CodesOfNumber,
  defaults: Defaults,
): Defaults {
  if (country !== undefined && country !== defaults.country) return { ...defaults, country, areaCode };
  return { ...defaults, areaCode: areaCode ?? defaults.areaCode };
}

/** Fewer digits may be an extension, more are a whole number. */
const localDigits = /^[1-9]\d{5,7}$/;

/**
 * Puts a row's own area code in front of its local number. In countries with numbers of many lengths, the digits alone
 * can be a valid number of another place: 2123456 behind Berlin's 30 is not 0212 3456.
 * @returns the number with a plus, or the text as it is where the two are not one valid number.
 */
function withAreaCodeOfRow(
  number: string,
  areaCode: string | undefined,
  country: CountryCode | undefined,
): string {
  const digits = cellText(number).replace(/[\s()./-]/g, '');
  if (areaCode === undefined || country === undefined || !localDigits.test(digits)) return number;
  const alone = read(digits, country);
  // Numbers for the whole country have no area code: 4004-1234 in Brazil.
  if (alone?.valid && !/^(?:fixedLine|mobile)/.test(alone.type)) return number;
  // The zero of an Italian area code is a part of the number.
  for (const national of [areaCode + digits, `0${areaCode}${digits}`]) {
    const whole = read(national, country);
    const isOfArea = whole?.valid && whole.national === national && whole.type.startsWith('fixedLine');
    if (isOfArea) return `+${whole.callingCode}${national}`;
  }
  return number;
}
