/** Judges `to` before anything is journalled, whatever a client decided (design.md, section 4). */
import type { CountryCode } from 'libphonenumber-js/max';
import { decideDial, defaultGuardPolicy, numberOfDigits } from '../../shared/numbers/dial/dial-guard.ts';
import { isEmergency } from '../../shared/numbers/dial/emergency.ts';
import type { GuardReason, PhoneNumber } from '../../shared/numbers/number.ts';
import type { GuardPolicy } from '../../shared/numbers/number-settings.ts';
import type { Settings } from '../settings.ts';

export type GuardSettings = Pick<
  Settings,
  | 'country'
  | 'dialCountries'
  | 'dialBlockedPrefixes'
  | 'dialExtensions'
  | 'dialShortNumbers'
  | 'dialOutsidePrefix'
>;

export type Refusal = Exclude<GuardReason, 'ok'> | 'unknown';

/**
 * @param to digits as the provider gets them.
 * @returns why the number may not be dialled; undefined where it may. No person can confirm here, so a doubtful number passes,
 *   unless the operator listed the countries that may be dialled: then every other and every unknown number is refused.
 */
export function refusalOf(to: string, settings: GuardSettings): Refusal | undefined {
  if (settings.dialBlockedPrefixes.some((prefix) => !prefix.startsWith('+') && to.startsWith(prefix)))
    return 'blockedPrefix';
  const country = settings.country as CountryCode | undefined;
  // Without a country, digits say little; 112 and 911 are the same everywhere.
  if (country === undefined) return isEmergency(to, 'US') ? 'emergency' : undefined;

  const digits = withoutOutsidePrefix(to, settings.dialOutsidePrefix);
  const number = numberOfDigits(digits, {
    country,
    extensions: [...settings.dialExtensions],
    dialRules: [],
  });
  const decision = decideDial(number, { to: digits }, policyOf(settings), {
    country,
    now: new Date(),
    recentCalls: [],
  });
  if (decision.verdict === 'refuse') return decision.reason as Refusal;
  return settings.dialCountries && outside(number, settings.dialCountries);
}

function policyOf(settings: GuardSettings): GuardPolicy {
  return {
    ...defaultGuardPolicy,
    allowedCountries: (settings.dialCountries ?? []) as CountryCode[],
    otherCountries: settings.dialCountries ? 'refuse' : 'allow',
    premium: 'refuse',
    satellite: 'refuse',
    short: settings.dialShortNumbers ? 'allow' : 'refuse',
    blockedPrefixes: [...settings.dialBlockedPrefixes],
  };
}

function outside(number: PhoneNumber, countries: readonly string[]): Refusal | undefined {
  if (number.type === 'internal' || number.type === 'short') return undefined;
  if (number.type === 'unknown') return 'unknown';
  return number.country !== undefined && !countries.includes(number.country) ? 'abroad' : undefined;
}

/** The prefix for an outside line is no part of the number. */
function withoutOutsidePrefix(to: string, prefix: string | undefined): string {
  return prefix !== undefined && to.startsWith(prefix) && to.length - prefix.length >= 7
    ? to.slice(prefix.length)
    : to;
}
