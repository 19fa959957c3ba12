/** Numbers as a source writes them -> E.164, by the same reading as in pages. A number that could be of two countries is left out. */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Judgement, PhoneNumber } from '../../shared/numbers/number.ts';
import { parseDialInput } from '../../shared/numbers/reading/dial-input.ts';
import { judge } from '../../shared/numbers/reading/judge.ts';
import { scan } from '../../shared/numbers/text/scan.ts';
import { readTelephoneAddress } from '../../shared/numbers/text/telephone-address.ts';

export interface ReadingRules {
  country: CountryCode;
  areaCode?: string | undefined;
  /** Patterns of internal extensions. */
  extensions: readonly string[];
}

/** A text alone with so few digits is an internal extension. */
const maxExtensionDigits = 6;

/** @returns each number once, in the order of the text. */
export function readNumbers(text: string, { country, areaCode, extensions }: ReadingRules): string[] {
  const settings = {
    country,
    ...(areaCode ? { areaCode } : {}),
    extensions: [...extensions],
    dialRules: [],
  };
  const found = readTelephoneAddress(text)
    ? []
    : scan(text).flatMap((candidate) => numbersOf(judge({ ...candidate, contextWords: 'phone' }, settings)));
  return found.length > 0 ? [...new Set(found)] : numbersOf(parseDialInput(text, settings));
}

function numbersOf(judgement: Judgement): string[] {
  if (!('number' in judgement) || judgement.certainty !== 'certain') return [];
  const number = keptNumber(judgement.number);
  return number === undefined ? [] : [number];
}

function keptNumber(number: PhoneNumber): string | undefined {
  if (number.e164) return sameSubscriber(number.e164);
  if (number.type === 'internal') return number.national;
  if (number.type === 'short')
    return number.national.length <= maxExtensionDigits ? number.national : undefined;
  // A Brazilian mobile number as it was written before 2016 has eight digits behind the area code.
  if (number.country === 'BR' && /^\d{2}[6-9]\d{7}$/.test(number.national))
    return sameSubscriber(`+55${number.national}`);
  return undefined;
}

/** Forms of one number that a country uses side by side, and which form is kept. */
const forms: readonly (readonly [RegExp, string])[] = [
  // The ninth digit of mobile numbers.
  [/^\+55(\d{2})([6-9]\d{7})$/, '+55$19$2'],
  // The 9 of mobile numbers dialled from abroad: no other subscriber has the same ten digits.
  [/^\+549(\d{10})$/, '+54$1'],
  // The 1 of mobile numbers dialled from abroad, until 2019.
  [/^\+521(\d{10})$/, '+52$1'],
];

/** One form for every number that reaches the same subscriber. Extensions stay as they are. */
export function sameSubscriber(number: string): string {
  for (const [pattern, kept] of forms) if (pattern.test(number)) return number.replace(pattern, kept);
  return number;
}
