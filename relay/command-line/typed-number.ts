/** A number as an operator types it: with its country code, or as in the relay's country. */
import { parseNumberText } from '../../shared/numbers/text/number-text.ts';
import { mobileForms } from '../../shared/rules/callee.ts';
import { readNumber } from '../../shared/server/forget-number.ts';
import { readNumbers, sameSubscriber } from '../directory/read-numbers.ts';
import type { RelaySettings } from '../settings.ts';

/** The fewest digits of a national number. A shorter number is an internal extension. */
const minNationalDigits = 7;

interface TypedNumber {
  /** The form that the directory has: E.164 with its plus, or the digits of an extension. */
  number: string;
  /** The digits under which a call may have the number. */
  forms: string[];
}

/**
 * @param settings `areaCode` is used for numbers without an area code; absent if other people's numbers may be meant.
 * @throws InvalidArgumentError if the number has too few digits.
 */
export function readTypedNumber(
  text: string,
  {
    country,
    areaCode,
    dialExtensions,
  }: Pick<RelaySettings, 'country' | 'dialExtensions'> & {
    areaCode?: string | undefined;
  },
): TypedNumber {
  const digits = readNumber(text);
  if (digits.length < minNationalDigits) return { number: digits, forms: [digits] };
  const isNational = country !== undefined && !parseNumberText(text.trim()).plus;
  const [read] = isNational ? readNumbers(text, { country, areaCode, extensions: dialExtensions }) : [];
  const number = read ?? sameSubscriber(`+${digits}`);
  return { number, forms: [...new Set([digits, ...mobileForms(number.replace('+', ''))])] };
}
