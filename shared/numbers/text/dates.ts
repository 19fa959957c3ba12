/**
 * Dates among digit groups: 12/05/2024, 2024-05-12, 03.07.–17.07.15, 03/2016, and 24/7. Numbers end before them and
 * begin after.
 */
import { letterKind } from './characters.ts';
import {
  type DigitGroups,
  dashGap,
  digitsIn,
  dotGap,
  lengthOf,
  minWholeDigits,
  slashGap,
  smallValueOf,
  spaceGap,
} from './digit-groups.ts';

const isYear = (value: number): boolean => value >= 1900 && value < 2100;
const isMonth = (value: number): boolean => value > 0 && value <= 12;
const isDay = (value: number): boolean => value > 0 && value <= 31;

/** Marks the groups that are dates. */
export function markDates(groups: DigitGroups): void {
  const { gaps, isApart, count } = groups;
  for (let group = 0; group + 1 < count; group++) {
    if (isApart[group] || lengthOf(groups, group) > 4 || lengthOf(groups, group + 1) > 4) continue;
    const isAlone = bordered(gaps[group]!) || (gaps[group]! === dashGap && isApart[group - 1] === true);
    if (isFullDate(groups, group)) {
      const start = isAlone || gaps[group]! & dashGap ? rangeStart(groups, group) : group;
      if (isAlone || start < group) isApart.fill(true, start, group + 3);
    } else {
      isApart.fill(true, group, group + groupsOfShortDate(groups, group, isAlone));
    }
  }
}

/** How many groups a date without its year, or without its day, takes at `group`: 0 where there is none. */
function groupsOfShortDate(groups: DigitGroups, group: number, isAlone: boolean): number {
  if (isAlone && isMonthOfYear(groups, group)) return 2;
  if (isLastPairBehindNumber(groups, group) && (isDayBeforeMonth(groups, group) || areHours(groups, group)))
    return 2;
  return isAlone && isDayAndTime(groups, group) ? 4 : 0;
}

/** 03/2016; and 24/7, which is all day, every day. */
function isMonthOfYear(groups: DigitGroups, group: number): boolean {
  const { gaps, count } = groups;
  const [first, second] = [smallValueOf(groups, group), smallValueOf(groups, group + 1)];
  return (
    gaps[group + 1] === slashGap &&
    lengthOf(groups, group) < 3 &&
    ((isMonth(first) && isYear(second)) || (first === 24 && second === 7)) &&
    (group + 2 === count || bordered(gaps[group + 2]!))
  );
}

/** Whether two groups are left, with a space and as many digits as a number has before them. */
const isLastPairBehindNumber = (groups: DigitGroups, group: number): boolean =>
  group + 2 === groups.count &&
  groups.gaps[group] === spaceGap &&
  digitsIn(groups, 0, group - 1) >= minWholeDigits;

/** The 28/11 of 030 901820 28/11. */
const isDayBeforeMonth = (groups: DigitGroups, group: number): boolean =>
  groups.gaps[group + 1] === slashGap &&
  lengthOf(groups, group + 1) === 2 &&
  isDay(smallValueOf(groups, group)) &&
  isMonth(smallValueOf(groups, group + 1));

/** The 9-18 of 030 901820 9-18. */
const areHours = (groups: DigitGroups, group: number): boolean =>
  groups.gaps[group + 1] === dashGap &&
  lengthOf(groups, group) < 3 &&
  smallValueOf(groups, group) < smallValueOf(groups, group + 1) &&
  smallValueOf(groups, group + 1) <= 24;

/** 20/3 10.40, 20.3. 10.40 Uhr */
function isDayAndTime(groups: DigitGroups, group: number): boolean {
  const { gaps, count } = groups;
  const [dayGap, between, timeGap] = [gaps[group + 1]!, gaps[group + 2]!, gaps[group + 3]];
  return (
    count === group + 4 &&
    (dayGap === slashGap || (dayGap === dotGap && between !== spaceGap)) &&
    (between & spaceGap) !== 0 &&
    timeGap === dotGap &&
    isDay(smallValueOf(groups, group)) &&
    isMonth(smallValueOf(groups, group + 1)) &&
    smallValueOf(groups, group + 2) < 24 &&
    lengthOf(groups, group + 3) === 2 &&
    smallValueOf(groups, group + 3) < 60
  );
}

/** The gap is a space or contains one: the date is not the middle of something longer. */
function bordered(gap: number): boolean {
  return gap === 0 || (gap & spaceGap) !== 0;
}

/** A date at whose end a number may begin, or another date: 04.03.2024-08.03.2024. */
function isFullDate(groups: DigitGroups, group: number): boolean {
  const { gaps, count } = groups;
  if (!areDayMonthYear(groups, group)) return false;
  const next = group + 3;
  if (next >= count || bordered(gaps[next]!)) return true;
  return gaps[next] === dashGap && gaps[next - 1] !== dashGap && areDayMonthYear(groups, next);
}

/** Whether three groups are day, month and year, in any order. */
export function areDayMonthYear(groups: DigitGroups, group: number): boolean {
  const { gaps, count } = groups;
  const gap = gaps[group + 1]!;
  if (group + 2 >= count || gap !== gaps[group + 2]) return false;
  if (gap !== dashGap && gap !== dotGap && gap !== slashGap) return false;
  const first = smallValueOf(groups, group);
  const middle = smallValueOf(groups, group + 1);
  const last = smallValueOf(groups, group + 2);
  if (lengthOf(groups, group + 1) > 2) return false;
  if (lengthOf(groups, group) === 4) {
    if (!isYear(first) || !isMonth(middle) || !isDay(last) || lengthOf(groups, group + 2) > 2) return false;
    // Ten digits in all, with two more behind a single space: as likely a number's last group as an hour
    // without minutes. A colon or a letter behind them makes it a time: 10:15, 10h15.
    const end = groups.ends[3] ?? 0;
    return !(
      group === 0 &&
      groups.text[end] !== ':' &&
      groups.scanned.kindAt(end) !== letterKind &&
      count === 4 &&
      gap === dashGap &&
      lengthOf(groups, 3) === 2 &&
      gaps[3] === spaceGap
    );
  }
  if (lengthOf(groups, group) > 2) return false;
  const dayFirst = isDay(first) && isMonth(middle);
  if (!dayFirst && !(isMonth(first) && isDay(middle))) return false;
  return lengthOf(groups, group + 2) === 4 ? isYear(last) : lengthOf(groups, group + 2) === 2;
}

/** Where the range begins whose end is the date at `group`, if it is one: 03.07. - 17.07.15, 03.–08.03.2024. */
function rangeStart(groups: DigitGroups, group: number): number {
  const { gaps } = groups;
  if (group > 1 && isDayAndMonth(groups, group - 2)) return group - 2;
  // +33 4 72 10 30 30 - 28/11/2026: two digits behind two more are the end of a number.
  const isBehindPair = group > 1 && gaps[group - 1] === spaceGap && lengthOf(groups, group - 2) === 2;
  const isDayOfRange =
    group > 0 &&
    !isBehindPair &&
    gaps[group]! & dashGap &&
    gaps[group + 1] !== dashGap &&
    bordered(gaps[group - 1]!) &&
    lengthOf(groups, group - 1) < 3 &&
    isDay(smallValueOf(groups, group - 1));
  return isDayOfRange ? group - 1 : group;
}

function isDayAndMonth(groups: DigitGroups, group: number): boolean {
  return (
    groups.gaps[group + 1] === groups.gaps[group + 3] &&
    bordered(groups.gaps[group]!) &&
    isDay(smallValueOf(groups, group)) &&
    isMonth(smallValueOf(groups, group + 1))
  );
}
