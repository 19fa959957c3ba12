/** Versions, addresses of computers and ratings among digit groups: 0.4.0-20140602, 10.0.0.157, 4.5/5. */
import { plusKind, spaceKind } from './characters.ts';
import {
  closeGap,
  type DigitGroups,
  dashGap,
  dotGap,
  isPadded,
  lengthOf,
  slashGap,
  startsWithZero,
} from './digit-groups.ts';

/** The most digits before a 0 that stands alone between dots: 117.0.5938.62. */
const maxDigitsBeforeZero = 3;

/**
 * Marks the groups of versions. Their dots separate single digits, which the dots of a telephone number do not. A
 * version continues behind a dash or a slash.
 */
export function markVersions(groups: DigitGroups): void {
  const { gaps, isApart, count } = groups;
  let isMarked = false;
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && gaps[end] === dotGap) end++;
    const gap = gaps[start]!;
    const mayContinue: boolean = isMarked && !startsWithZero(groups, start);
    isMarked = (mayContinue && (gap === dashGap || gap === slashGap)) || isVersion(groups, start, end);
    if (isMarked) isApart.fill(true, start, end);
    start = end;
  }
}

/** Whether the dots between the groups `start..end - 1` are the dots of a version. */
function isVersion(groups: DigitGroups, start: number, end: number): boolean {
  if (start < 2 && mayBeNumber(groups, start)) return false;
  // 0850.222.0.444, a number of Turkey.
  if (isPadded(groups, start)) return false;
  for (let group = start + 1; group < end; group++) {
    if (lengthOf(groups, group) > 1) continue;
    if (lengthOf(groups, group - 1) === 1) return true;
    const isZeroInside = end - start > 3 && group < end - 1 && startsWithZero(groups, group);
    if (isZeroInside && lengthOf(groups, group - 1) <= maxDigitsBeforeZero) return true;
  }
  return false;
}

/** +33 0.1.42.68.53.00, 0033 0.6.12.34.56.78, (0850).222.0.444: a plus, or a code, is before the dots. */
function mayBeNumber({ scanned, text, starts, gaps }: DigitGroups, start: number): boolean {
  if (start === 1 && (gaps[1]! & closeGap || text.startsWith('00', starts[0]))) return true;
  const before = starts[0]! - 1;
  return scanned.kindAt(scanned.kindAt(before) === spaceKind ? before - 1 : before) === plusKind;
}
