/**
 * Dates among digit groups: 12/05/2024, 2024-05-12, 03.07.–17.07.15, 03/2016, and 24/7. A number ends before a date and
 * begins after it.
 */
import { letterKind } from './characters.ts';
import {
  type DigitGroups,
  dashGap,
  digitsIn,
  dotGap,
  lengthOf,
  minWholeDigits,
  plainRun,
  slashGap,
  smallValueOf,
} from './digit-groups.ts';

const year = '(?:19|20)\\d\\d';
const month = '(?:1[0-2]|0?[1-9])';
const day = '(?:3[01]|[12]\\d|0?[1-9])';
const hour = '(?:2[0-3]|[01]?\\d)';
const dayMonthYear = ['-', '\\.', '/']
  .flatMap((sign) => [
    [year, month, day].join(sign),
    [day, month, `(?:${year}|\\d\\d)`].join(sign),
    [month, day, `(?:${year}|\\d\\d)`].join(sign),
  ])
  .join('|');
/**
 * The start of a range: 03.07. before -17.07.15, 03. before –08.03.2024. In +33 4 72 10 30 30 - 28/11/2026, the last 30
 * ends a number.
 */
const rangeStart = `(?:${day}(?:\\.${month}|/${month})|(?<!\\d\\d )${day})[. ]*- *`;
/** Beside a date is a space or an end, with a few signs between. So the date is not the middle of something longer. */
const begin = '(?=\\d)(?<=^| \\D{0,4})';
const end = '(?=$|\\D{0,4} )';

const dates = new RegExp(
  `${begin}(?:${rangeStart})?(?:${dayMonthYear})(?:-(?:${dayMonthYear}))?${end}|` +
    `${begin}(?:${month}/${year}|0?24/0?7)${end}|` +
    // 20/3 10.40, 20.3. 10.40
    `${begin}${day}(?:/${month} |\\.${month}\\. )${hour}\\.[0-5]\\d$`,
  'g',
);
/** The 28/11 of 030 901820 28/11. */
const dayBehindNumber = new RegExp(` (${day}/(?:0[1-9]|1[0-2]))$`);
/** The 9-18 of 030 901820 9-18. */
const hoursBehindNumber = / (\d\d?)-(\d\d?)$/;

/** Marks the groups that are dates. */
export function markDates(groups: DigitGroups): void {
  if (!mayHaveDate(groups)) return;
  const { isApart, count } = groups;
  const run = plainRun(groups, 0, count - 1);
  let [group, read] = [0, 0];
  // `matchAll` copies the expression for each run. The last `exec` sets it back to the start of a text.
  for (let found = dates.exec(run); found; found = dates.exec(run)) {
    const { index, 0: date } = found;
    group += groupCount(run.slice(read, index));
    read = index;
    const isNumber = index === 0 && isBeforeLastGroup(groups, run);
    if (!isNumber) isApart.fill(true, group, group + groupCount(date));
  }
  const isPairBehindNumber = count > 2 && digitsIn(groups, 0, count - 3) >= minWholeDigits;
  if (isPairBehindNumber && (dayBehindNumber.test(run) || areHours(run)))
    isApart.fill(true, count - 2, count);
}

/** Whether a sign alone is between a day and a month, or 03/2016. Most numbers have no such groups. */
function mayHaveDate(groups: DigitGroups): boolean {
  for (let group = 1; group < groups.count; group++) {
    const gap = groups.gaps[group];
    if (gap !== dashGap && gap !== dotGap && gap !== slashGap) continue;
    const mayEnd = mayBeDay(groups, group) || (gap === slashGap && lengthOf(groups, group) === 4);
    if (mayEnd && mayBeDay(groups, group - 1)) return true;
  }
  return false;
}

function mayBeDay(groups: DigitGroups, group: number): boolean {
  const value = smallValueOf(groups, group);
  return value >= 0 && value <= 31;
}

const groupCount = (text: string): number => text.match(/\d+/g)?.length ?? 0;

function areHours(run: string): boolean {
  const [, from, to] = hoursBehindNumber.exec(run) ?? [];
  return Number(from) < Number(to) && Number(to) <= 24;
}

/**
 * 2024-05-12 10 has ten digits. The two behind the single space are as likely a number's last group as an hour without
 * minutes. A colon or a letter behind them shows a time: 10:15, 10h15.
 */
function isBeforeLastGroup({ scanned, text, ends, count }: DigitGroups, run: string): boolean {
  const end = ends[count - 1]!;
  return /^\d{4}-\d\d?-\d\d? \d\d$/.test(run) && text[end] !== ':' && scanned.kindAt(end) !== letterKind;
}

/** 0511-2024-06-03: an index with its date. */
export const isIndexWithDate = (groups: DigitGroups, from: number, last: number): boolean =>
  last === from + 3 && indexWithDate.test(plainRun(groups, from, last));
const indexWithDate = new RegExp(`^\\d+-(?:199|20[0-4])\\d-${month}-${day}$`);
