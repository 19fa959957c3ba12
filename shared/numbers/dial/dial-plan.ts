/** Number -> the digits of `to` (service interface 2.1: a string of digits). Never holds an extension. */

import type { DialledDigits, PhoneNumber } from '../number.ts';
import type { DialRule, NumberSettings } from '../number-settings.ts';
import { numberingPlan } from '../plan/numbering-plan.ts';

/**
 * The digits that the service gets without rules. At home: the national number with area code. Abroad: the
 * international prefix, country code and number. An internal extension or short number is not changed.
 */
function defaultDigits(number: PhoneNumber, settings: NumberSettings): string {
  if (number.e164 === undefined || number.callingCode === undefined) return number.national;
  const own = numberingPlan(settings.country);
  return number.callingCode === own.callingCode
    ? number.national
    : own.internationalPrefix + number.e164.slice(1);
}

function matches(rule: DialRule, number: PhoneNumber, digits: string): boolean {
  const { countries, types, prefix, minLength, maxLength } = rule.when;
  if (countries && !(number.country && countries.includes(number.country))) return false;
  if (types && !types.includes(number.type)) return false;
  if (prefix !== undefined && !digits.startsWith(prefix)) return false;
  if (minLength !== undefined && digits.length < minLength) return false;
  return maxLength === undefined || digits.length <= maxLength;
}

/** The first rule that matches makes the digits. If no rule matches, the default plan makes them. */
export function dialDigits(number: PhoneNumber, settings: NumberSettings): DialledDigits {
  const digits = defaultDigits(number, settings);
  const rule = settings.dialRules.findIndex((each) => matches(each, number, digits));
  if (rule < 0) return { to: digits };
  const { strip = 0, prepend = '' } = settings.dialRules[rule]!;
  return { to: prepend + digits.slice(strip), rule };
}
