/**
 * Numbers as a source writes them -> E.164, by the same reading as in pages. A number that could be of two
 * countries is left out.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Judgement, PhoneNumber } from '../../shared/numbers/number.ts';
import { parseDialInput } from '../../shared/numbers/reading/dial-input.ts';
import { judge } from '../../shared/numbers/reading/judge.ts';
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

/** A text alone with so few digits is an internal extension. */
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

/** `*100#` of a mobile operator, which telephones export among their contacts, is not the extension 100. */
const isServiceCode = (text: string, number: string): boolean => !number.startsWith('+') && /[*#]/.test(text);

function numbersOf(judgement: Judgement, home: CountryCode, areaCode: string | undefined): string[] {
  if (!('number' in judgement)) return [];
  // The operator has said which area local numbers of this source are of.
  const isOfArea = judgement.addedAreaCode !== undefined && judgement.alternatives.length === 0;
  const isClear = judgement.certainty === 'certain' || isOfArea;
  const possible = [judgement.number, ...judgement.alternatives];
  const meant = isClear ? judgement.number : home === 'BR' ? possible.find(isEightDigitMobile) : undefined;
  const number = meant && keptNumber(home === 'BR' ? withAreaCode(meant, areaCode) : meant);
  return number === undefined ? [] : [number];
}

/**
 * A Brazilian mobile number as it was written before 2016 has eight digits behind the area code. No plan has it any
 * more, so that other countries seem possible.
 */
const isEightDigitMobile = ({ e164, country, national }: PhoneNumber): boolean =>
  e164 === undefined && country === 'BR' && /^[1-9]{2}[6-9]\d{7}$/.test(national);

/** Completes an old mobile number of eight digits, which `judge` finds in no area. */
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

/** One form for every number that reaches the same subscriber. Extensions stay as they are. */
export const sameSubscriber = (number: string): string =>
  number.startsWith('+') ? `+${mobileForm(number.slice(1))}` : number;
