/** Finds where a number ends among digit groups: several numbers in a row are separated by their shapes. */

import { groupEndsNamed } from '../plan/group-ends.ts';
import { asciiCode, letterKind, spaceKind } from './characters.ts';
import {
  closeGap,
  cutGap,
  type DigitGroups,
  dashGap,
  digitsIn,
  dotGap,
  groupEndsBetween,
  lengthOf,
  minWholeDigits,
  openGap,
  slashGap,
  smallValueOf,
  spaceGap,
  startsWithZero,
  wideGap,
} from './digit-groups.ts';
import { separatorGaps, shapeNamed, shapeOf } from './group-shape.ts';
import { isYearOfFile } from './non-phone-shapes.ts';
import { isUnitAfter } from './place-and-unit.ts';

/** The most digits of a number: fifteen, with an international prefix or a trunk zero: +49 (0) … */
const maxDigits = 17;
const maxGroups = 10;
/** The fewest digits behind a number that are not the end of that number. */
const minFollowing = 7;

/**
 * @param plus a plus precedes the number.
 * @returns the last group of the number that starts at `from`, at most `to`; `from - 1` if a number does not start
 * there. If the groups are certainly not a number, the negative of the group to continue with.
 */
export function segmentEnd(groups: DigitGroups, from: number, to: number, plus: boolean): number {
  const { gaps, isApart } = groups;
  const repeated = repeatedShape(groups, from, to, plus);
  if (repeated >= from) return repeated;
  let digits = 0;
  let best = from - 1;
  for (let group = from; group <= to; group++) {
    if (isApart[group]) return best;
    const gap = group > from ? gaps[group]! : 0;
    if (
      gap & cutGap &&
      best === group - 1 &&
      digits >= 7 &&
      endsBefore(groups, from, group, to, plus, digits)
    )
      return best;
    if (isColumnGap(gap) && digits >= 7 && digitsIn(groups, group, to) >= 7) return best;
    if (gap & openGap && digits > 4) return best;
    // autoconf 2.71 (2021): a year in brackets behind a version.
    const isBehindDot = gap & openGap && group > from + 1 && gaps[group - 1] === dotGap;
    if (isBehindDot && !plus && isYearOfFile(groups, group)) return best;
    if (gap === slashGap && arePairs(groups, from, to)) return from + 4;
    if (gap === slashGap && !plus && areShortNumbers(groups, from, group, to)) return -(group + 1);
    const length = lengthOf(groups, group);
    digits += length;
    const tooLong = digits > maxDigits;
    // +44 20 7946 0958 4500012313: a plus shows where the number begins, and one long group is what follows the number.
    if (tooLong && plus && best === group - 1 && length >= minFollowing && digits - length >= 10) return best;
    // Nothing shows where one number ends and the next begins: an account, a barcode, a table of figures.
    if (tooLong || group - from >= maxGroups) return -runEnd(groups, group, to);
    if (group === to || gaps[group + 1]! & cutGap) best = group;
  }
  return best;
}

/** 17.382.649  0381 423-8260: two cells of a table in plain text. */
const isColumnGap = (gap: number): boolean => gap === (spaceGap | wideGap);

/** 06/77/33/04/18 */
const arePairs = (groups: DigitGroups, from: number, to: number): boolean =>
  from + 4 <= to && startsWithZero(groups, from) && shapeOf(groups, from, from + 4) === pairsInSlashes;
const pairsInSlashes = shapeNamed('2/2/2/2/2');

/** 11 4001/4002: two short numbers, and not the rest of one number. */
function areShortNumbers(groups: DigitGroups, from: number, group: number, to: number): boolean {
  if (lengthOf(groups, group) !== 4 || lengthOf(groups, group - 1) !== 4) return false;
  return !startsWithZero(groups, from) && (group === to || (groups.gaps[group + 1]! & cutGap) !== 0);
}

/** The next group at which a number may begin whatever precedes it. */
function runEnd(groups: DigitGroups, from: number, to: number): number {
  let group = from + 1;
  while (group <= to && !groups.isApart[group] && !(groups.gaps[group]! & (openGap | slashGap))) group++;
  return group;
}

/** 11 3456 7890 11 3456 7891: the shape occurs twice, and each half is long enough. */
function repeatedShape(groups: DigitGroups, from: number, to: number, plus: boolean): number {
  let digits = 0;
  for (let last = from; last < to && last - from < 5; last++) {
    if (groups.isApart[last]) return -1;
    digits += lengthOf(groups, last);
    if (digits < 7) continue;
    if (digits > maxDigits) return -1;
    if (!(groups.gaps[last + 1]! & cutGap)) continue;
    const size = last - from + 1;
    if (last + size > to) return -1;
    // Four and four, all alike, are a card or an account: 4111 1111 1111 1111.
    const alike = isUniform(groups, from, last);
    // 01 23 45 67 89 06 12 34 56 78: all groups are alike. The number ends here only if the groups divide without
    // remainder.
    if (alike && size > 1 && (to - from + 1) % size > 0) continue;
    // +34 91 234 56 78 91 234 56 78: after a plus, the next number must begin with the same group.
    if (plus && smallValueOf(groups, from) !== smallValueOf(groups, last + 1)) continue;
    let same = size > 2 || lengthOf(groups, from) !== 4 || groups.gaps[last] !== groups.gaps[last + 1];
    for (let offset = 0; offset < size && same; offset++) {
      const other = last + 1 + offset;
      same =
        lengthOf(groups, from + offset) === lengthOf(groups, other) &&
        (offset === 0 || groups.gaps[from + offset] === groups.gaps[other]);
    }
    // 91 234 56 78 912 34 56 78: a whole number ends one group farther.
    if (same && !isComplete(groups, from, last + 1, false)) return last;
  }
  return -1;
}

function isUniform(groups: DigitGroups, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++)
    if (lengthOf(groups, group) !== lengthOf(groups, from)) return false;
  return true;
}

/** Whether the number ends before `group`. At least seven digits were read already. */
function endsBefore(
  groups: DigitGroups,
  from: number,
  group: number,
  to: number,
  plus: boolean,
  digits: number,
): boolean {
  if (isComplete(groups, from, group - 1, plus) || isSentenceEnd(groups, from, group)) return true;
  if (isSetApart(groups, from, group, to) && digits > 7) return true;
  if (isDecimal(groups, from, group, to) && digits > (plus ? 9 : 7)) return true;
  if (group - 2 === (plus ? from + 1 : from) && areTwoOfTwoGroups(groups, group, to)) return true;
  // 4155550132 94103: the number is whole in one group.
  if (group - 1 === from && digits > 8 && !plus && groups.gaps[group]! & spaceGap) return true;
  // 022 26403917 10 to 6: a number with a trunk zero is not so long.
  if (
    groups.gaps[group] === spaceGap &&
    startsWithZero(groups, from) &&
    !isAbroad(groups, from) &&
    digits > 10 &&
    lengthOf(groups, group) < 3
  )
    return true;
  if (!isAbroad(groups, from) && isBeforeAmountOrYear(groups, group, to, plus ? digits - 1 : digits))
    return true;
  const slash = (groups.gaps[group]! & slashGap) !== 0;
  // 030 12345678 0171 1234567: a trunk zero begins the next number.
  const trunk =
    lengthOf(groups, group) > 2 &&
    // Or a whole number precedes it: 475594386 0800 025 2102, 9949 258 164 040 2758 1649
    (plus ||
      startsWithZero(groups, from) ||
      group - 1 === from ||
      (digits === 10 && digitsIn(groups, group, to) === 11)) &&
    startsWithZero(groups, group) &&
    digits > (plus || isAbroad(groups, from) ? 9 : 8);
  if (!slash && !trunk) return isTown(groups, group, to, digits);
  // +49 (0)6187 / 207 31 46: the calling code and the area before the slash are not a whole number.
  const least = isAbroad(groups, from) ? 11 : plus ? 9 : 0;
  if (slash && digits < least && isOnlyArea(groups, from, group)) return false;
  // 55 11 3456 7890 / 7891: long enough already, and set apart.
  if (slash && groups.gaps[group]! & spaceGap && digits > 9) return true;
  if (slash && isTail(groups, group, to)) return true;
  // 0043/664/1234567: the part before the slash is too short for a number.
  if (slash && digits < 9 && lengthOf(groups, group - 1) < 4) return false;
  let right = 0;
  for (let next = group; next <= to && right < 7; next++) {
    if (next > group && slash && groups.gaps[next]! & slashGap) break;
    right += lengthOf(groups, next);
  }
  return right >= 7;
}

/** True if only a calling code and an area, maybe with its trunk zero, are before `group`. */
function isOnlyArea(groups: DigitGroups, from: number, group: number): boolean {
  const hasTrunk = lengthOf(groups, from + 1) === 1 && startsWithZero(groups, from + 1);
  return group - from === (hasTrunk ? 3 : 2) && !startsWithZero(groups, group);
}

/** +52 (951) 132 8847. 180 guests: a full stop and a space separate the groups, as they do nowhere before. */
function isSentenceEnd({ gaps }: DigitGroups, from: number, group: number): boolean {
  return gaps[group] === (dotGap | spaceGap) && group - 1 > from && isOnlyGap(gaps, from, group);
}

/** 06 4817 2635 - 338 481 7263: a dash between spaces, as nowhere before in the number, and enough digits behind it. */
function isSetApart(groups: DigitGroups, from: number, group: number, to: number): boolean {
  const { gaps } = groups;
  const isDash = (each: number) => (gaps[each]! & separatorGaps) === (dashGap | spaceGap);
  if (!isDash(group) || !isOnlyGap(gaps, from, group)) return false;
  let last = group;
  while (last < to && !isDash(last + 1)) last++;
  return digitsIn(groups, group, last) >= minFollowing;
}

/** 333 1234567 06 4567890: on each side of the gap before `group` are an area code and one group with the rest. */
function areTwoOfTwoGroups(groups: DigitGroups, group: number, to: number): boolean {
  const isAreaAndRest = (first: number) =>
    groups.gaps[first + 1] === spaceGap &&
    lengthOf(groups, first) < 6 &&
    lengthOf(groups, first + 1) > 5 &&
    digitsIn(groups, first, first + 1) >= minWholeDigits;
  return group < to && groups.gaps[group] === spaceGap && isAreaAndRest(group - 2) && isAreaAndRest(group);
}

/** Whether the gap before `group` differs from all gaps before it. */
function isOnlyGap(gaps: readonly number[], from: number, group: number): boolean {
  for (let before = from + 1; before < group; before++) if (gaps[before] === gaps[group]) return false;
  return true;
}

/** 020 7946 0123 51.5074: a price or a coordinate begins, and the number before it has no points. */
function isDecimal({ gaps }: DigitGroups, from: number, group: number, to: number): boolean {
  if (group === to || gaps[group + 1] !== dotGap || !(gaps[group]! & spaceGap)) return false;
  if (group + 2 <= to && !(gaps[group + 2]! & cutGap)) return false;
  for (let before = from + 1; before < group; before++) if (gaps[before]! & dotGap) return false;
  return true;
}

/** 0171 1234567 10115 Berlin: a postal code and its town. */
function isTown(groups: DigitGroups, group: number, to: number, digits: number): boolean {
  const { scanned, starts, ends } = groups;
  if (digits < 9 || !isLastBehindSpace(groups, group, to)) return false;
  const end = ends[group]!;
  if (end - starts[group]! !== 5) return false;
  // 089 12 34 56 78 10115 Berlin: with five more digits, a national number would be too long.
  if (ends[group - 1]! - starts[group - 1]! < 5 && digits < 10) return false;
  return scanned.kindAt(end) === spaceKind && scanned.kindAt(end + 1) === letterKind;
}

/**
 * +351 912345678 3 min, +90 532 123 45 67 250 TL: the last group is an amount with a unit. 030 901820 2024: it is a
 * year.
 * @param digits how many are before the group, with a trunk zero in place of a calling code.
 */
function isBeforeAmountOrYear(groups: DigitGroups, group: number, to: number, digits: number): boolean {
  if (!isLastBehindSpace(groups, group, to) || digits < 9) return false;
  if (isYearOfFile(groups, group)) return true;
  // 0532 741 06 94 m: pairs go on to the end of the number.
  const isOtherGroup = lengthOf(groups, group) < 4 && lengthOf(groups, group) !== lengthOf(groups, group - 1);
  return (digits > 10 || isOtherGroup) && isUnitAfter(groups.scanned, groups.ends[group]!);
}

/** Whether no digits follow the group, and nothing but a space precedes it. */
const isLastBehindSpace = ({ gaps, count }: DigitGroups, group: number, to: number): boolean =>
  group === to && to + 1 === count && gaps[group] === spaceGap;

/**
 * 34567890/7891, 030 123456-0/-12: a few digits behind a slash are the end of another number; see
 * `abbreviated-numbers.ts`.
 */
function isTail(groups: DigitGroups, group: number, to: number): boolean {
  return lengthOf(groups, group) < 5 && (group === to || (groups.gaps[group + 1]! & slashGap) !== 0);
}

/** Shapes that always end a number: 3456-7890, 415 666 7777, 01 23 45 67 89, 912 345 678. */
function isComplete(groups: DigitGroups, from: number, last: number, plus: boolean): boolean {
  const gap = groups.gaps[last]!;
  const length = lengthOf(groups, last);
  if (last === from) return false;
  const previous = lengthOf(groups, last - 1);
  if (length === 4 && !(gap & spaceGap) && gap & (dashGap | dotGap) && previous > 2 && previous < 6) {
    if (last - 1 > from) return true;
    // 020-7946 0958, 0160-9447 1832: a trunk zero and an area. 2012-0102 and 1979-2011 are as likely years.
    if (startsWithZero(groups, from)) return false;
    const year = smallValueOf(groups, from);
    return year < 1900 || year >= 2100;
  }
  if (plus) return false;
  if (isAbroad(groups, from)) return false;
  // (34) 612 34 56 78, (351) 912 345 678: the calling code in brackets, and groups that go on alike.
  const isCodeFirst = groups.gaps[from + 1]! & closeGap && last + 1 < groups.count;
  if (isCodeFirst && groups.gaps[last + 1] === gap && lengthOf(groups, last + 1) === length) return false;
  return (startsWithZero(groups, from) ? completeWithTrunk : complete).has(
    groupEndsBetween(groups, from, last),
  );
}

/** 0049 30 …: the most common international prefix begins it. */
function isAbroad(groups: DigitGroups, from: number): boolean {
  return startsWithZero(groups, from) && asciiCode(groups.text.charCodeAt(groups.starts[from]! + 1)) === 48;
}

const complete = new Set(['3-3-4', '2-4-4', '2-5-4', '3-3-3', '3-2-2-2', '2-3-2-2'].map(groupEndsNamed));
const completeWithTrunk = new Set(['2-2-2-2-2', '4-3-4', '4-3-2-2'].map(groupEndsNamed));

/** Whether a segment has brackets of its own: (11) 3456-7890. */
export function hasBrackets(groups: DigitGroups, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++) if (groups.gaps[group]! & closeGap) return true;
  return false;
}
