/** The numbers of a list's entries: 1. 030 901820, 2) 11 98765-4321, [3] 912 345 678, 4 - 612 345 678, 5️⃣ 020 7946 0958 */
import { blockBorder, closeKind, openKind, plusKind } from './characters.ts';
import {
  closeGap,
  type DigitGroups,
  dashGap,
  digitsIn,
  dotGap,
  lengthOf,
  openGap,
  smallValueOf,
  spaceGap,
  startsWithZero,
} from './digit-groups.ts';
import { separatorGaps } from './group-shape.ts';

const dotAndSpace = dotGap | spaceGap;
const dashInSpaces = dashGap | spaceGap;
/** How far before a group the bracket is looked for that it closes: (DDD 48) 3322-4466. */
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
  if (length > 2 || startsWithZero(groups, group)) return false;
  if (group === count - 1)
    return length === 1 && gaps[group] === spaceGap && isBeforeNext(groups, group, isInBrackets);
  const behind = gaps[group + 1]! & separatorGaps;
  // 48) 3322-4466 lacks its first bracket: two digits may be an area code, but not before a zero or a bracket.
  if (length === 2 && !(behind & openGap) && !startsWithZero(groups, group + 1)) return false;
  if (group === 0 && scanned.kindAt(starts[0]! - 1) === plusKind) return false;
  if (closes && behind & (spaceGap | openGap)) {
    if (!isInBrackets) return group === 0 || (gaps[group]! & spaceGap) !== 0;
    return length === 1 && text[starts[group]! - 1] === '[';
  }
  const goesOn = group + 2 < count && (gaps[group + 2]! & separatorGaps) === behind;
  if (goesOn || isInBrackets) return false;
  if (behind === dotAndSpace)
    return (
      group === 0 || (gaps[group] === spaceGap && smallValueOf(groups, group) === listed + 1 && listed > 0)
    );
  if (behind !== dashInSpaces || group > 0) return false;
  if (startsWithZero(groups, 1) || digitsIn(groups, 1, count - 1) !== 10) return true;
  // 1 - 415-729-4471, 9 - 11 2345-6789: ten digits behind what may be their calling code or prefix.
  const own = text[starts[0]!]!;
  return own !== '9' && !('178'.includes(own) && [3, 10].includes(lengthOf(groups, 1)));
}

/** Whether the last group numbers what comes behind the run: 2: 0221/847193, 2) +49 40 3344550, and 2 in a keycap. */
function isBeforeNext({ text, starts, ends }: DigitGroups, group: number, isInBrackets: boolean): boolean {
  const behind = text[ends[group]!];
  if (behind === '\ufe0f' || behind === '\u20e3' || (behind === ')' && !isInBrackets)) return true;
  const first = starts[0]!;
  const before = /(\d): [(+]*$/.exec(text.slice(Math.max(0, first - 6), first))?.[1];
  return behind === ':' && Number(before) + 1 === Number(text[starts[group]!]);
}

/** Whether a bracket before the run is still open, also one before a word: (DDD 48) 3322-4466. */
function isBracketOpenBefore({ scanned, text, starts }: DigitGroups): boolean {
  const first = starts[0]!;
  for (let at = first - 1; at >= 0 && first - at < maxBracketDistance; at--) {
    const kind = scanned.kindAt(at);
    if (kind === openKind) return true;
    if (kind === closeKind || text[at] === '\n' || text[at] === blockBorder) return false;
  }
  return false;
}
