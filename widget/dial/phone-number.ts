/**
 * Phone numbers as an agent types them. Only a few countries' groups are known, since a whole numbering plan
 * is ten times the widget; other countries' national numbers are shown as they are dialled.
 */
import { WidgetError } from '../widget-error.ts';

/** Patterns by calling code. `#` is one digit. The first pattern that is long enough is used. */
const patterns: Record<string, readonly string[]> = {
  55: ['####-####', '(##) ####-####', '(##) #####-####'],
  1: ['###-####', '(###) ###-####'],
};
const callingCodes: Record<string, string> = { BR: '55', US: '1', CA: '1' };

/** Calling codes have one digit, two of these, or three. */
const withCallingCode = /^([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(.+)/;

/** Emergency numbers of the countries where most of our agents are. Relay and extension know those of every country. */
const emergencyPattern = /^(112|911|999|000|19[0-37]|06[126]|09[12])$/;

/**
 * Groups the digits of a number while it is typed.
 * @param region ISO 3166 code, in any case, of the country of numbers without a calling code.
 */
export function formatNumber(typed: string, region = ''): string {
  // Their digits alone would be another number: "*97", one with an extension. It is refused when it is dialled.
  if (/[\p{L}*#]/u.test(typed)) return typed;
  const digits = typedDigits(typed);
  // Behind a 0 may be a trunk prefix, a carrier or a service.
  if (!/^\s*\+/.test(typed))
    return digits[0] === '0' ? digits : group(digits, digits, callingCodes[region.toUpperCase()]);
  const [, code, rest] = withCallingCode.exec(digits) ?? [];
  // In threes, with no digit alone at the end.
  return rest ? `+${code} ${group(rest, rest.replace(/\d{3}(?=\d\d)/g, '$& '), code)}` : `+${digits}`;
}

/** The digits to dial. The relay's dialling guard decides later. @throws WidgetError `notANumber` or `emergency`. */
export function parseDialNumber(typed: string): string {
  const digits = typedDigits(typed);
  if (!/^\d{2,32}$/.test(digits) || /[^\s\d().+/-]/.test(typed.normalize('NFKC')))
    throw new WidgetError('notANumber', 'expected digits');
  if (emergencyPattern.test(digits)) throw new WidgetError('emergency', 'use the phone');
  return digits;
}

export function typedDigits(typed: string): string {
  return typed.normalize('NFKC').replace(/\D/g, '');
}

/** @param otherwise how digits are written that no pattern is known for. */
function group(digits: string, otherwise: string, code = ''): string {
  // Extensions and short codes have no pattern.
  const pattern = digits[4] && patterns[code]?.find((each) => each.split('#').length > digits.length);
  if (!pattern) return otherwise;
  let at = 0;
  // The first place without a digit ends the number.
  return pattern.replace(/#/g, () => digits[at++] ?? '\n').replace(/\D*\n.*/s, '');
}
