/**
 * Decides whether a number may be dialled: allow, ask, or refuse, each with its reason. Extension and relay run the
 * same code.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import { minuteMs } from '../../durations.ts';
import type { Decision, DialledDigits, PhoneNumber } from '../number.ts';
import type { GuardPolicy, NumberSettings } from '../number-settings.ts';
import { isEmergency } from '../plan/emergency.ts';
import { matchesExtensionPattern } from '../plan/extension-pattern.ts';
import { numberingPlan } from '../plan/numbering-plan.ts';
import { numberOf, type Reading } from '../reading/reading.ts';
import {
  isEmergencyBehindZeros,
  reachableNumbers,
  reachesEmergency,
  withoutOutsidePrefixes,
} from './reachable-numbers.ts';

/** Own country allowed; abroad, premium, satellite asks. */
export const defaultGuardPolicy: GuardPolicy = {
  allowedCountries: [],
  otherCountries: 'confirm',
  premium: 'confirm',
  sharedCost: 'allow',
  satellite: 'confirm',
  short: 'allow',
  blockedPrefixes: [],
  maxCallsPerMinute: 20,
};

/**
 * The usual prefixes for an outside line, also if no dial rule has them. Digits that are in no plan may be dialled
 * through an outside line.
 */
const usualOutsidePrefixes = ['0', '9'];

/** What a decision depends on beside number and policy. */
export interface DialContext {
  /** The agent's own country. */
  country: CountryCode;
  now: Date;
  /** ISO times of calls placed, in any order. */
  recentCalls: readonly string[];
  /**
   * The prefixes that dial rules put in front for an outside line. The digits behind a prefix may be a number
   * themselves.
   */
  outsidePrefixes?: readonly string[];
}

export function decideDial(
  number: PhoneNumber,
  digits: DialledDigits,
  policy: GuardPolicy,
  { country, now, recentCalls, outsidePrefixes = [] }: DialContext,
): Decision {
  const reaches = number.type === 'internal' ? isEmergencyBehindZeros : reachesEmergency;
  const isInNoPlan = number.type === 'unknown' || number.type === 'short';
  const prefixes = [...outsidePrefixes, ...(isInNoPlan ? usualOutsidePrefixes : [])];
  const forms = [digits.to, number.national];
  const outside = forms.flatMap((each) => withoutOutsidePrefixes(each, prefixes));
  if (number.type === 'emergency' || [...forms, ...outside].some((each) => reaches(each, country))) {
    return { verdict: 'refuse', reason: 'emergency', detail: digits.to };
  }
  if (!/^\d+$/.test(digits.to)) return { verdict: 'refuse', reason: 'notANumber' };
  const blocked = policy.blockedPrefixes.find((prefix) =>
    prefix.startsWith('+') ? number.e164?.startsWith(prefix) : digits.to.startsWith(prefix),
  );
  if (blocked !== undefined) return { verdict: 'refuse', reason: 'blockedPrefix', detail: blocked };
  const hours = policy.officeHours;
  if (hours && !isInOfficeHours(hours, now)) return { verdict: 'refuse', reason: 'officeHours' };
  const since = now.getTime() - minuteMs;
  const recent = recentCalls.filter((at) => Date.parse(at) > since).length;
  if (recent >= policy.maxCallsPerMinute)
    return { verdict: 'refuse', reason: 'tooManyCalls', detail: String(recent) };

  const decisions: Decision[] = [];
  const { type } = number;
  // Another first digit is seldom an outside line's, and often part of an extension. So a person decides.
  const behindFirst = digits.to.slice(1);
  if (isInNoPlan && isEmergency(behindFirst, country))
    decisions.push({ verdict: 'confirm', reason: 'mayBeEmergency', detail: behindFirst });
  if (type === 'premium' || type === 'sharedCost' || type === 'satellite' || type === 'short') {
    decisions.push({ verdict: policy[type], reason: type });
  }
  if (isInNoPlan) {
    const plain = { country, extensions: [], dialRules: [] };
    for (const { type } of [digits.to, ...outside].flatMap((each) => numbersOfDigits(each, plain)))
      if (type === 'premium' || type === 'satellite') decisions.push({ verdict: policy[type], reason: type });
  }
  if (
    type !== 'internal' &&
    type !== 'short' &&
    type !== 'satellite' &&
    leavesCountry(number, country, policy)
  ) {
    decisions.push({
      verdict: policy.otherCountries,
      reason: 'abroad',
      detail: number.country ?? number.callingCode ?? '',
    });
  }
  return (
    decisions.find(({ verdict }) => verdict === 'refuse') ??
    decisions.find(({ verdict }) => verdict === 'confirm') ?? { verdict: 'allow', reason: 'ok' }
  );
}

/**
 * Hours that end before they begin run past midnight, and belong to the day on which they begin. Hours that end when
 * they begin last a whole day, because a time field has no 24:00.
 */
function isInOfficeHours(
  { days, fromMinute, toMinute }: NonNullable<GuardPolicy['officeHours']>,
  now: Date,
): boolean {
  const minute = now.getHours() * 60 + now.getMinutes();
  const day = now.getDay();
  if (fromMinute < toMinute) return days.includes(day) && minute >= fromMinute && minute < toMinute;
  return minute >= fromMinute ? days.includes(day) : minute < toMinute && days.includes((day + 6) % 7);
}

function leavesCountry(
  number: PhoneNumber,
  country: CountryCode,
  { allowedCountries }: GuardPolicy,
): boolean {
  const own = numberingPlan(country);
  // Digits that are in no plan also leave the country if they begin with its international prefix.
  if (number.callingCode === undefined) return number.national.startsWith(own.internationalPrefix);
  if (number.country) return number.country !== country && !allowedCountries.includes(number.country);
  return number.callingCode !== own.callingCode;
}

/**
 * The numbers that digits of the default plan may mean, the likeliest first, at least one. The relay gets only digits,
 * so it checks all of these numbers.
 */
export function numbersOfDigits(to: string, settings: NumberSettings): [PhoneNumber, ...PhoneNumber[]] {
  const { country } = settings;
  if (settings.extensions.some((pattern) => matchesExtensionPattern(pattern, to)))
    return [{ national: to, type: 'internal', display: to }];
  if (isEmergency(to, country)) return [{ national: to, type: 'emergency', display: to }];
  const readings = reachableNumbers(to, country);
  // Satellite and international premium codes are known by their type whatever follows.
  const [first, ...others] = readings.filter(
    ({ type, valid }, index) => valid || index === 0 || type !== 'unknown',
  );
  const numberFrom = (reading: Reading) =>
    numberOf(reading.country ? reading : { ...reading, ...countryOf(reading, settings) }, '');
  if (first) return [numberFrom(first), ...others.map(numberFrom)];
  return [{ national: to, country, type: to.length < 7 ? 'short' : 'unknown', display: to }];
}

/** Digits of the own calling code that fit no country of that code count as the own country's. */
function countryOf({ callingCode }: Reading, settings: NumberSettings): Pick<Reading, 'country'> {
  return callingCode === numberingPlan(settings.country).callingCode ? { country: settings.country } : {};
}
