/**
 * Reads numbers as a source writes them, and returns E.164. Pages use the same reading. A number that may be of two
 * countries is left out.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Judgement, PhoneNumber } from '../../shared/numbers/number.ts';
import { parseDialInput } from '../../shared/numbers/reading/dial-input.ts';
import { judge } from '../../shared/numbers/reading/judge.ts';
import { read, readInternational } from '../../shared/numbers/reading/reading.ts';
import { scan } from '../../shared/numbers/text/scan.ts';
import { readTelephoneAddress } from '../../shared/numbers/text/telephone-address.ts';
import { mobileForm } from '../../shared/rules/callee.ts';
import { withoutDecimals } from '../cell-text.ts';

export interface ReadingRules {
  country: CountryCode;
  areaCode?: string | undefined;
  /** Patterns of internal extensions. */
  extensions: readonly string[];
}

/** The most digits of an internal extension in a text that has nothing else. */
const maxExtensionDigits = 6;

/** @returns each number once, in the order of the text. */
export function readNumbers(written: string, { country, areaCode, extensions }: ReadingRules): string[] {
  const text = withoutDecimals(written.trim());
  const settings = {
    country,
    ...(areaCode ? { areaCode } : {}),
    extensions: [...extensions],
    dialRules: [],
  };
  const found = readTelephoneAddress(text)
    ? []
    : scan(text).flatMap((candidate) =>
        numbersOf(judge({ ...candidate, contextWords: 'phone' }, settings), country, areaCode),
      );
  if (found.length > 0) return [...new Set(found)];
  return numbersOf(parseDialInput(text, settings), country, areaCode).filter(
    (number) => !isServiceCode(text, number),
  );
}

/** Fewer digits may also be a number without its area code. */
const mayLackZero = /^[1-9]\d{8,10}$/;

/**
 * Reads digits that lack the zero in front, which spreadsheets drop: 1701234567 for 0170 1234567. Digits that may have
 * a country code without its plus are left out, unless they are a mobile number with the zero.
 */
export function readWithDroppedZero(written: string, rules: ReadingRules): string[] {
  const text = withoutDecimals(written.trim());
  if (!mayLackZero.test(text)) return [];
  const isMobile = read(text, rules.country)?.type === 'mobile';
  if (!isMobile && readInternational(text)?.valid) return [];
  return readNumbers(`0${text}`, rules).filter((number) => number.endsWith(text));
}

/** `*100#` of a mobile operator, which telephones export among their contacts, is not the extension 100. */
const isServiceCode = (text: string, number: string): boolean => !number.startsWith('+') && /[*#]/.test(text);

function numbersOf(judgement: Judgement, home: CountryCode, areaCode: string | undefined): string[] {
  if (!('number' in judgement)) return [];
  // The operator has set the area code of this source's local numbers. So the added area code is certain.
  const isOfArea = judgement.addedAreaCode !== undefined && judgement.alternatives.length === 0;
  const isClear = judgement.certainty === 'certain' || isOfArea;
  const possible = [judgement.number, ...judgement.alternatives];
  const meant = isClear ? judgement.number : home === 'BR' ? possible.find(isEightDigitMobile) : undefined;
  const number = meant && keptNumber(home === 'BR' ? withAreaCode(meant, areaCode) : meant);
  return number === undefined ? [] : [number];
}

/**
 * Before 2016, a Brazilian mobile number had eight digits behind the area code. The plan does not have such numbers any
 * more, so other countries seem possible.
 */
const isEightDigitMobile = ({ e164, country, national }: PhoneNumber): boolean =>
  e164 === undefined && country === 'BR' && /^[1-9]{2}[6-9]\d{7}$/.test(national);

/** Adds the area code to an old mobile number of eight digits, since `judge` does not add it. */
const withAreaCode = (number: PhoneNumber, areaCode = ''): PhoneNumber =>
  number.type === 'unknown' && /^\d{8}$/.test(number.national)
    ? { ...number, national: areaCode + number.national }
    : number;

function keptNumber(number: PhoneNumber): string | undefined {
  if (number.e164) return sameSubscriber(number.e164);
  if (number.type === 'internal') return number.national;
  if (number.type === 'short')
    return number.national.length <= maxExtensionDigits ? number.national : undefined;
  return isEightDigitMobile(number) ? sameSubscriber(`+55${number.national}`) : undefined;
}

/** Returns the same form for all numbers that reach the same subscriber. Extensions are not changed. */
export const sameSubscriber = (number: string): string =>
  number.startsWith('+') ? `+${mobileForm(number.slice(1))}` : number;
