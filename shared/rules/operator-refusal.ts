/** What the relay's settings refuse of a number. The relay refuses it at the call, browsers before the click. */
import type { CountryCode } from 'libphonenumber-js/max';
import { defaultGuardPolicy } from '../numbers/dial/allow-or-refuse.ts';
import { isEmergencyBehindZeros, withoutOutsidePrefixes } from '../numbers/dial/reachable-numbers.ts';
import { resolve } from '../numbers/dial/resolve.ts';
import type { Decision, PhoneNumber } from '../numbers/number.ts';
import type { GuardPolicy } from '../numbers/number-settings.ts';
import { numberingPlan } from '../numbers/plan/numbering-plan.ts';

export interface OperatorLimits {
  /** The only countries that are dialled; absent: all. */
  countries?: readonly string[] | undefined;
  /** Prefixes of the digits, or of `+` and the number with its country code. */
  blockedPrefixes: readonly string[];
  shortNumbers: boolean;
  /** The country of the relay's line, which may not be the team's. */
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

/** Reasons for which a number is never dialled, the gravest first. */
const neverDialled = ['emergency', 'premium', 'satellite'] as const;
type LineRefusal = Decision & { reason: (typeof neverDialled)[number] };

/** Refuses what is never dialled, and nothing else. */
export const neverDialledPolicy: GuardPolicy = {
  ...defaultGuardPolicy,
  otherCountries: 'allow',
  premium: 'refuse',
  satellite: 'refuse',
};

/**
 * The refusal of numbers that digits may reach on a line of that country, whatever a line of the team reaches.
 * @param to digits as the provider gets them.
 * @param isExtension whether a pattern of extensions has them. A pattern for whole numbers is not believed.
 * @param outsidePrefixes what the dial plan puts in front. On a line without this prefix, the digits must not reach a
 * refused number either.
 */
export function refusalOnLine(
  to: string,
  country: CountryCode,
  isExtension: boolean,
  outsidePrefixes: readonly string[],
): LineRefusal | undefined {
  const forms = [...new Set([to, ...withoutOutsidePrefixes(to, outsidePrefixes)])];
  if (forms.some((digits) => isEmergencyBehindZeros(digits, country)))
    return { verdict: 'refuse', reason: 'emergency' };
  const extensions = isExtension && to.length < 7 ? [to] : [];
  const numbers = { country, extensions, dialRules: [] };
  const decisions = forms.flatMap((digits) => {
    const source = { kind: 'digits', to: digits } as const;
    const resolved = resolve(source, { numbers, guard: neverDialledPolicy }, { now: new Date() });
    return 'why' in resolved ? [] : [resolved, ...resolved.alternatives].map(({ decision }) => decision);
  });
  return neverDialled
    .map((reason) => decisions.find((decision) => decision.reason === reason))
    .find((decision) => decision !== undefined) as LineRefusal | undefined;
}

const callingCodeOf = (country: string) => numberingPlan(country as CountryCode).callingCode;
