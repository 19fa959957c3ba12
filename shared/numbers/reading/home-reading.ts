/** Reads digits as a number of the agent's own country. */
import type { CountryCode } from 'libphonenumber-js/core';
import { firstGroupOf, groupCountOf, lastGroupOf } from '../plan/group-ends.ts';
import { groupEndsOfFormat, numberingPlan } from '../plan/numbering-plan.ts';
import {
  groupedMayLackTrunk,
  legacyPrefixes,
  mayLackTrunk,
  omittedMobilePrefix,
  regionsOverseas,
} from '../plan/writing-habits.ts';
import type { NumberText } from '../text/number-text.ts';
import type { JudgeSettings } from './judge-settings.ts';
import { formatOf, type Reading, read } from './reading.ts';

/** The first reading of national digits that the plan of the agent's country calls valid. */
export function homeReading(parsed: NumberText, isPhone: boolean, country: CountryCode): Reading | undefined {
  const { digits } = parsed;
  const home = validReading(digits, country);
  if (home && (isPhone || parsed.brackets)) return home;
  if (home && isWrittenWithTrunk(home, parsed, country) && !isZeroBehindArea(home, country)) return home;
  const switchboard =
    !home && (isPhone || isShortRange(parsed)) ? withDirectLine(parsed, country) : undefined;
  if (switchboard) return switchboard;
  for (const prefix of legacyPrefixes[country] ?? []) {
    const rest = digits.startsWith(prefix) ? validReading(digits.slice(prefix.length), country) : undefined;
    if (rest) return rest;
  }
  if (home || !(isPhone || groupCountOf(parsed.groupEnds) > 2) || digits[0] !== '0') return undefined;
  // 0262 41 73 09: a number of La Réunion, as people in France dial it.
  for (const region of regionsOverseas[country] ?? []) {
    const overseas = validReading(digits, region);
    if (overseas) return overseas;
  }
  return undefined;
}

/** 0281 002 937: in countries with the trunk prefix 0, a subscriber's number does not begin with 0. */
function isZeroBehindArea(home: Reading, country: CountryCode): boolean {
  const format = formatOf(home);
  if (home.type !== 'fixedLine' || format === undefined || numberingPlan(country).nationalPrefix !== '0')
    return false;
  return home.national[firstGroupOf(groupEndsOfFormat(format, home.national))] === '0';
}

/** +52 1 55 1234 5678: Mexico took the 1 out of its mobile numbers in 2019, and address books still have it. */
const oldMexicanMobile = /^521\d{10}$/;

export function validReading(digits: string, country?: CountryCode): Reading | undefined {
  const reading = read(digits, country);
  if (reading?.valid) return reading;
  return !country && oldMexicanMobile.test(digits) ? validReading(`52${digits.slice(3)}`) : undefined;
}

/**
 * Adds the prefix that people leave out of mobile numbers: Cel. 11 5571-4032. Behind a trunk zero the number may also
 * be a fixed line.
 */
export function withMobilePrefix(home: Reading, { digits }: NumberText): Reading {
  const prefix = home.country && omittedMobilePrefix[home.country];
  if (!prefix || home.type === 'mobile' || digits.startsWith('0')) return home;
  return validReading(home.callingCode + prefix + home.national) ?? home;
}

/** A local number without an area code, completed by the agent's own: 3456-7890, 555-0100. */
export function localReading(
  parsed: NumberText,
  isPhone: boolean,
  settings: JudgeSettings,
): Reading | undefined {
  const { areaCode, country } = settings;
  const { digits, groupEnds } = parsed;
  if (!areaCode || !country || !isOfLocalLength(parsed, settings)) return undefined;
  const isWrittenLocally =
    parsed.isLastGroupDashed &&
    groupCountOf(groupEnds) === 2 &&
    lastGroupOf(groupEnds) === 4 &&
    firstGroupOf(groupEnds) > 2;
  return isPhone || isWrittenLocally ? validReading(areaCode + digits, country) : undefined;
}

/** Whether the agent's area code and the digits together are as long as a national number. */
export function isOfLocalLength({ digits }: NumberText, { areaCode, country }: JudgeSettings): boolean {
  if (!areaCode || !country || digits.length < 6 || digits.length > 9 || digits[0] === '0') return false;
  return numberingPlan(country).lengths.includes(areaCode.length + digits.length);
}

/** 86 20 6130-2222-8866: without its last group the number is valid. The last group is a direct line. */
export function withDirectLine(parsed: NumberText, country?: CountryCode): Reading | undefined {
  const length = lastGroupOf(parsed.groupEnds);
  if (!parsed.isLastGroupDashed || length > 4) return undefined;
  if (isRange(parsed)) return validReading(parsed.digits.slice(0, -length), country);
  const reading = withoutLastGroup(parsed, country);
  if (reading) parsed.extension ||= parsed.digits.slice(-length);
  return reading;
}

/** +91 98120 47365-69, 0216 447 18 82-83: one or two digits count up from the end of the number before them. */
const isRange = (parsed: NumberText): boolean => parsed.isLastGroupDashed && stepOfRange(parsed) > 0;

/** Ids have one check digit, so a range that no word announces has two digits, and seldom more than a few lines. */
const isShortRange = (parsed: NumberText): boolean =>
  isRange(parsed) && lastGroupOf(parsed.groupEnds) === 2 && stepOfRange(parsed) <= maxLinesInRange;
const maxLinesInRange = 10;

/** How far the last group, of one or two digits, is above the digits before it. */
function stepOfRange({ digits, groupEnds }: NumberText): number {
  const length = lastGroupOf(groupEnds);
  return length > 2 ? 0 : Number(digits.slice(-length)) - Number(digits.slice(-2 * length, -length));
}

/** +34 612 345 678 3 min: without its last group the number is valid. The last group is another figure. */
export function withoutLastGroup(
  { digits, groupEnds }: NumberText,
  country?: CountryCode,
): Reading | undefined {
  const length = lastGroupOf(groupEnds);
  if (groupCountOf(groupEnds) < 3 || length > 5) return undefined;
  return validReading(digits.slice(0, -length), country);
}

/**
 * Whether a number has its trunk prefix, or is written in a way that does not need it. Other digits may well be
 * something else. "3005202415" is a Berlin number to the metadata, and a date with an hour to a reader.
 */
export function isWrittenWithTrunk(known: Reading, parsed: NumberText, country: CountryCode): boolean {
  const trunk = numberingPlan(country).nationalPrefix;
  if (trunk === '' || known.callingCode === '1' || parsed.digits.startsWith(trunk)) return true;
  if (parsed.digits.length > known.national.length) return true;
  const isGrouped = groupCountOf(parsed.groupEnds) > 2;
  // 312 441 88 27 dahili 104: only a telephone has an extension.
  if (isGrouped && parsed.extension) return true;
  if (isGrouped && parsed.isLastGroupDashed && groupedMayLackTrunk.has(country)) return true;
  if (mayLackTrunk(known.type, country) && (isGrouped || country === 'IN')) return true;
  // 1690336: a pager of Germany. Few pagers are left, and their plan has digits of many lengths.
  return known.type !== 'pager' && (formatOf(known)?.trunk ?? 'never') === 'never';
}
