/**
 * Phone numbers as an agent types them. Only the digit groups of a few countries are known: a whole numbering plan
 * would be ten times the widget's size. Other countries' national numbers are shown as they are dialled.
 */
import { WidgetError } from '../widget-error.ts';

/** Patterns by calling code. `#` is one digit. The first pattern with enough places is used. */
const patterns: Record<string, readonly string[]> = {
  55: ['####-####', '(##) ####-####', '(##) #####-####'],
  1: ['###-####', '(###) ###-####'],
};
const callingCodes: Record<string, string> = { BR: '55', US: '1', CA: '1' };

/** One of these single digits, one of these pairs, or three digits. */
const withCallingCode = /^([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(.+)/;

/** Emergency numbers of the countries where most of our agents are. Relay and extension know those of every country. */
const emergencyPattern = /^(112|911|999|000|19[0-37]|06[126]|09[12])$/;

/**
 * Groups the digits of a number while it is typed.
 * @param region ISO 3166 code, in any case, of the country for numbers without a calling code.
 */
export function formatNumber(typed: string, region = ''): string {
  // Texts such as "*97", "3322-4455/66", or a number with an extension, stay as typed: their digits alone would be
  // another number. They are refused when they are dialled. A slash near the start, as in 030/123456, is allowed.
  if (/.{8}\/|[\p{L}*#,;]/u.test(typed)) return typed;
  const digits = typedDigits(typed);
  // After a 0: a trunk prefix, a carrier or a service. Not grouped.
  if (!/^\s*\+/.test(typed))
    return digits[0] === '0' ? digits : group(digits, digits, callingCodes[region.toUpperCase()]);
  const [, code, rest] = withCallingCode.exec(digits) ?? [];
  // In groups of three, without a single digit at the end.
  return rest ? `+${code} ${group(rest, rest.replace(/\d{3}(?=\d\d)/g, '$& '), code)}` : `+${digits}`;
}

/**
 * Returns the digits to dial. The relay's dialling guard decides later.
 * @throws WidgetError `notANumber` or `emergency`.
 */
export function parseDialNumber(typed: string): string {
  const digits = typedDigits(typed);
  if (!/^\d{2,32}$/.test(digits) || /.{8}\/|[^\s\d().+/-]/.test(typed.normalize('NFKC')))
    throw new WidgetError('notANumber', 'expected digits');
  if (emergencyPattern.test(digits)) throw new WidgetError('emergency', 'use the phone');
  return digits;
}

export function typedDigits(typed: string): string {
  return typed.normalize('NFKC').replace(/\D/g, '');
}

/** @param otherwise the text if no pattern is known for the digits. */
function group(digits: string, otherwise: string, code = ''): string {
  // Extensions and short codes are not grouped.
  const pattern = digits[4] && patterns[code]?.find((each) => each.split('#').length > digits.length);
  if (!pattern) return otherwise;
  let at = 0;
  // The number ends at the first place without a digit.
  return pattern.replace(/#/g, () => digits[at++] ?? '\n').replace(/\D*\n.*/s, '');
}
