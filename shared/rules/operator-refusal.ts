/** What the relay's settings refuse of a number. The relay refuses it at the call, browsers before the click. */
import type { CountryCode } from 'libphonenumber-js/max';
import { defaultGuardPolicy } from '../numbers/dial/allow-or-refuse.ts';
import { resolve } from '../numbers/dial/resolve.ts';
import type { Decision, GuardReason, PhoneNumber } from '../numbers/number.ts';
import type { GuardPolicy } from '../numbers/number-settings.ts';
import { numberingPlan } from '../numbers/plan/numbering-plan.ts';

export interface OperatorLimits {
  /** The only countries that are dialled; absent: all. */
  countries?: readonly string[] | undefined;
  /** Of the digits, or of `+` and the number with its country code. */
  blockedPrefixes: readonly string[];
  shortNumbers: boolean;
  /** Of the relay's line, which may not be the team's. */
  country?: CountryCode | undefined;
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

export const neverDialled = ['emergency', 'premium', 'satellite'] as const satisfies GuardReason[];

/** Refuses what is never dialled, and nothing else. */
export const neverDialledPolicy: GuardPolicy = {
  ...defaultGuardPolicy,
  otherCountries: 'allow',
  premium: 'refuse',
  satellite: 'refuse',
};

/**
 * @param to digits as the provider gets them, of no extension.
 * @param country of the line: digits that are ordinary in the team's country may be premium there.
 */
export function refusalOnLine(to: string, country: CountryCode): Decision | undefined {
  const numbers = { country, extensions: [], dialRules: [] };
  const settings = { numbers, guard: neverDialledPolicy };
  const resolved = resolve({ kind: 'digits', to }, settings, { now: new Date() });
  if ('why' in resolved) return undefined;
  const decisions = [resolved, ...resolved.alternatives].map(({ decision }) => decision);
  return decisions.find(({ reason }) => neverDialled.some((each) => each === reason));
}

const callingCodeOf = (country: string) => numberingPlan(country as CountryCode).callingCode;
