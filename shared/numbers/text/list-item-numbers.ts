/** The numbers of a list's entries: 1. 030 901820, 2) 11 98765-4321, [3] 912 345 678, 4 - 612 345 678, a keycap 5. */
import { blockBorder, closeKind, openKind, plusKind } from './characters.ts';
import {
  closeGap,
  type DigitGroups,
  dashGap,
  digitsIn,
  dotGap,
  lengthOf,
  minWholeDigits,
  openGap,
  smallValueOf,
  spaceGap,
  startsWithZero,
} from './digit-groups.ts';
import { separatorGaps } from './group-shape.ts';

const dotAndSpace = dotGap | spaceGap;
const dashInSpaces = dashGap | spaceGap;
/** How far before a run of groups an open bracket is looked for: (DDD 48) 3322-4466. */
const maxBracketDistance = 24;

/** Marks the groups that number the entries of a list. */
export function markListNumbers(groups: DigitGroups): void {
  const { gaps, isApart, count } = groups;
  if (count < 2) return;
  let isInBrackets = isBracketOpenBefore(groups);
  let listed = 0;
  for (let group = 0; group < count; group++) {
    if (group > 0 && gaps[group]! & openGap) isInBrackets = true;
    const closes = group + 1 < count && (gaps[group + 1]! & closeGap) !== 0;
    if (!isApart[group] && isListNumber(groups, group, closes, isInBrackets, listed)) {
      isApart[group] = true;
      listed = smallValueOf(groups, group);
    }
    if (closes) isInBrackets = false;
  }
}

function isListNumber(
  groups: DigitGroups,
  group: number,
  closes: boolean,
  isInBrackets: boolean,
  listed: number,
): boolean {
  const { text, scanned, starts, gaps, count } = groups;
  const length = lengthOf(groups, group);
  if (length > 2 || (startsWithZero(groups, group) && (length === 1 || group > 0))) return false;
  if (group === count - 1)
    return length === 1 && gaps[group] === spaceGap && isBeforeNext(groups, group, isInBrackets);
  const behind = gaps[group + 1]! & separatorGaps;
  if (length === 2 && mayBeAreaCode(groups, group, behind)) return false;
  if (group === 0 && scanned.kindAt(starts[0]! - 1) === plusKind) return false;
  if (closes) {
    if (!isInBrackets)
      return group === 0 ? text[starts[0]!] !== '9' : (gaps[group]! & behind & spaceGap) !== 0;
    if (length > 1 || !(behind & spaceGap)) return false;
    // (1) 415 729-4471 has its calling code in brackets, (2) 2345 6789 an area code.
    const isNumbered =
      !'178'.includes(text[starts[group]!]!) && digitsIn(groups, group + 1, count - 1) >= minWholeDigits;
    return text[starts[group]! - 1] === '[' || isNumbered;
  }
  const goesOn = group + 2 < count && (gaps[group + 2]! & separatorGaps) === behind;
  // 9.8765-4321, 9 - 8765-4321: the first digit of a Brazilian mobile.
  if (goesOn || isInBrackets || digitsIn(groups, group + 1, count - 1) < minWholeDigits) return false;
  const sign = behind & ~openGap;
  if (sign === dotAndSpace)
    return (
      group === 0 || (gaps[group] === spaceGap && smallValueOf(groups, group) === listed + 1 && listed > 0)
    );
  if (group > 0) return false;
  // 1.(11) 3456-7890 and 2.98450 12345, but not 15.30 912 345 678 or 1.234 567 890.
  if (sign === dotGap && isAtLineStart(groups))
    return behind !== dotGap || lengthOf(groups, 1) > (startsWithZero(groups, 1) ? 2 : 3);
  if (behind !== dashInSpaces) return false;
  if (startsWithZero(groups, 1) || digitsIn(groups, 1, count - 1) !== 10) return true;
  // 1 - 415-729-4471, 9 - 11 2345-6789: ten digits behind what may be their calling code or prefix.
  const own = text[starts[0]!]!;
  return own !== '9' && !('178'.includes(own) && [3, 10].includes(lengthOf(groups, 1)));
}

/** 48) 3322-4466 and 11. 98765-4321: two digits before a local number, also with the 15 of Argentina's mobiles. */
function mayBeAreaCode(groups: DigitGroups, group: number, behind: number): boolean {
  if (behind & openGap || startsWithZero(groups, group + 1)) return false;
  const last = groups.count - 1;
  const isLocal =
    group + 1 === last ||
    (lengthOf(groups, group + 1) === 5 && lengthOf(groups, last) === 4 && group + 2 === last);
  return (
    isLocal || smallValueOf(groups, group + 1) === 15 || digitsIn(groups, group + 1, last) < minWholeDigits
  );
}

function isAtLineStart({ text, starts }: DigitGroups): boolean {
  const before = text[starts[0]! - 1];
  return before === undefined || before === '\n' || before === blockBorder;
}

/** Whether the last group numbers the text behind the run: 2: 0221/847193, 2) +49 40 3344550, and 2 in a keycap. */
function isBeforeNext({ text, starts, ends }: DigitGroups, group: number, isInBrackets: boolean): boolean {
  const behind = text[ends[group]!];
  if (behind === '\ufe0f' || behind === '\u20e3' || (behind === ')' && !isInBrackets)) return true;
  const first = starts[0]!;
  const before = /(\d): [(+]*$/.exec(text.slice(Math.max(0, first - 6), first))?.[1];
  return behind === ':' && Number(before) + 1 === Number(text[starts[group]!]);
}

/** Whether a bracket before the run is still open, also if a word is behind the bracket: (DDD 48) 3322-4466. */
function isBracketOpenBefore({ scanned, text, starts }: DigitGroups): boolean {
  const first = starts[0]!;
  for (let at = first - 1; at >= 0 && first - at < maxBracketDistance; at--) {
    const kind = scanned.kindAt(at);
    if (kind === openKind) return true;
    if (kind === closeKind || text[at] === '\n' || text[at] === blockBorder) return false;
  }
  return false;
}
