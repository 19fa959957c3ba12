/** Versions, addresses of computers and ratings among digit groups: 0.4.0-20140602, 10.0.0.157, 4.5/5. */
import { plusKind } from './characters.ts';
import { type DigitGroups, dashGap, dotGap, lengthOf, slashGap, startsWithZero } from './digit-groups.ts';

/** The most digits before a 0 that stands alone between dots: 117.0.5938.62, but not 0049.0.30.901820. */
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
  const { scanned, starts } = groups;
  if (scanned.kindAt(starts[start]! - 1) === plusKind) return false;
  for (let group = start + 1; group < end; group++) {
    if (lengthOf(groups, group) > 1) continue;
    if (lengthOf(groups, group - 1) === 1) return true;
    const isZeroInside = group < end - 1 && startsWithZero(groups, group);
    if (isZeroInside && lengthOf(groups, group - 1) <= maxDigitsBeforeZero) return true;
  }
  return false;
}
