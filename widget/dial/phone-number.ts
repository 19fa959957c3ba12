/**
 * Numbers as people of a country write them, while they are being typed. A few countries' groups stand here, since a whole
 * numbering plan is ten times the widget; what is dialled is digits, so a group that is unusual costs nothing.
 */

/** By calling code: `#` is one digit, everything else stands there. The first pattern that is long enough is used. */
const patterns: Record<string, readonly string[]> = {
  55: ['####-####', '(##) ####-####', '(##) #####-####'],
  1: ['###-####', '(###) ###-####'],
};
const codes: Record<string, string> = { BR: '55', US: '1', CA: '1' };

/** Calling codes have one digit, two of these, or three. */
const callingCode = /^([17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(.+)/;

/** @param region ISO 3166 code of the country whose numbers are written without one. */
export function formatNumber(typed: string, region = ''): string {
  const digits = digitsOf(typed);
  if (!/^\s*\+/.test(typed)) return group(digits, codes[region]);
  const [, code, rest] = callingCode.exec(digits) ?? [];
  return rest ? `+${code} ${group(rest, code)}` : `+${digits}`;
}

/** What is dialled: nothing but digits. */
export function digitsOf(typed: string): string {
  return typed.normalize('NFKC').replace(/\D/g, '');
}

function group(digits: string, code = ''): string {
  const pattern = patterns[code]?.find((each) => each.split('#').length > digits.length);
  // Extensions and short codes are written as they are; the rest in threes, with no digit alone at the end.
  if (digits.length < 5 || !pattern)
    return digits.replace(/\d{3}(?=\d\d)/g, digits.length < 5 ? '$&' : '$& ');
  let at = 0;
  const whole = pattern.replace(/#/g, () => digits[at++] ?? '\n');
  return whole.split('\n')[0]!.replace(/\D+$/, '');
}
