/** What the relay's settings refuse of a number. The relay refuses it at the call, browsers before the click. */
import type { CountryCode } from 'libphonenumber-js/max';
import type { Decision, PhoneNumber } from '../numbers/number.ts';
import { numberingPlan } from '../numbers/plan/numbering-plan.ts';

export interface OperatorLimits {
  /** The only countries that are dialled; absent: all. */
  countries?: readonly string[] | undefined;
  /** Of the digits, or of `+` and the number with its country code. */
  blockedPrefixes: readonly string[];
  shortNumbers: boolean;
}

export type OperatorRefusal = Decision & { reason: 'blockedPrefix' | 'short' | 'abroad' };

/** @param to digits as the provider gets them. */
export function refusalByOperator(
  number: PhoneNumber,
  to: string,
  { countries, blockedPrefixes, shortNumbers }: OperatorLimits,
): OperatorRefusal | undefined {
  const { country, callingCode, type, e164 = '' } = number;
  const prefix = blockedPrefixes.find((each) => (each.startsWith('+') ? e164 : to).startsWith(each));
  if (prefix !== undefined) return { verdict: 'refuse', reason: 'blockedPrefix', detail: prefix };
  if (type === 'short' && !shortNumbers) return { verdict: 'refuse', reason: 'short' };
  const place = country ?? callingCode;
  if (!countries || place === undefined || type === 'internal' || type === 'short') return undefined;
  // Some numbers have a calling code alone: +800 is of no country, +1 800 of several.
  const isListed = countries.some(
    (each) => each === country || (!country && callingCodeOf(each) === callingCode),
  );
  return isListed ? undefined : { verdict: 'refuse', reason: 'abroad', detail: place };
}

const callingCodeOf = (country: string) => numberingPlan(country as CountryCode).callingCode;
