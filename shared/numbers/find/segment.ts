/** Where a number that starts at a group of a chain ends: several numbers in a row are told apart by their shapes. */

import { kindAt, LETTER, plain, SPACE } from './characters.ts';
import {
  type Chain,
  HAS_CLOSE,
  HAS_DASH,
  HAS_DOT,
  HAS_OPEN,
  HAS_SLASH,
  HAS_SPACE,
  IS_CUT,
  lengthOf,
  smallValueOf,
  startsWithZero,
} from './digit-groups.ts';

/** Fifteen digits, the international prefix, and a trunk zero: +49 (0) … */
const MOST_DIGITS = 17;
const MOST_GROUPS = 10;

/** @param plus a plus stands before it. @returns the last group of the number that starts at `from`, at most `to`; `from - 1` where none starts;
 * the negative of the group to go on with where the groups up to there are no number in any way. */
export function segmentEnd(chain: Chain, from: number, to: number, plus: boolean): number {
  const { gaps, dated } = chain;
  const repeated = repeatedShape(chain, from, to);
  if (repeated >= from) return repeated;
  let digits = 0;
  let best = from - 1;
  for (let group = from; group <= to; group++) {
    if (dated[group]) return best;
    const gap = group > from ? gaps[group]! : 0;
    if (gap & IS_CUT && best === group - 1 && digits >= 7 && endsBefore(chain, from, group, to, plus, digits))
      return best;
    if (gap & HAS_OPEN && digits > 4) return best;
    digits += lengthOf(chain, group);
    // Too long, and nothing tells where one number ends and the next begins: an account, a barcode, a table of figures.
    if (digits > MOST_DIGITS || group - from >= MOST_GROUPS) return -runEnd(chain, group, to);
    if (group === to || gaps[group + 1]! & IS_CUT) best = group;
  }
  return best;
}

/** The next group at which a number may begin in spite of what stands before it. */
function runEnd(chain: Chain, from: number, to: number): number {
  let group = from + 1;
  while (group <= to && !chain.dated[group] && !(chain.gaps[group]! & (HAS_OPEN | HAS_SLASH))) group++;
  return group;
}

/** 11 3456 7890 11 3456 7891: the shape comes twice, and each half is long enough. */
function repeatedShape(chain: Chain, from: number, to: number): number {
  let digits = 0;
  for (let last = from; last < to && last - from < 5; last++) {
    if (chain.dated[last]) return -1;
    digits += lengthOf(chain, last);
    if (digits < 7) continue;
    if (digits > MOST_DIGITS) return -1;
    if (!(chain.gaps[last + 1]! & IS_CUT)) continue;
    const size = last - from + 1;
    if (last + size > to) return -1;
    // Four and four, all alike, are a card or an account: 4111 1111 1111 1111.
    const alike = isUniform(chain, from, last);
    // 01 23 45 67 89 06 12 34 56 78: all alike, so only a division without remainder tells where.
    if (alike && size > 1 && (to - from + 1) % size > 0) continue;
    let same = size > 2 || lengthOf(chain, from) !== 4 || chain.gaps[last] !== chain.gaps[last + 1];
    for (let offset = 0; offset < size && same; offset++) {
      const other = last + 1 + offset;
      same =
        lengthOf(chain, from + offset) === lengthOf(chain, other) &&
        (offset === 0 || chain.gaps[from + offset] === chain.gaps[other]);
    }
    if (same) return last;
  }
  return -1;
}

function isUniform(chain: Chain, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++)
    if (lengthOf(chain, group) !== lengthOf(chain, from)) return false;
  return true;
}

/** Whether the number is over before `group`, seven digits or more having been read. */
function endsBefore(
  chain: Chain,
  from: number,
  group: number,
  to: number,
  plus: boolean,
  digits: number,
): boolean {
  if (isComplete(chain, from, group - 1, plus)) return true;
  const slash = (chain.gaps[group]! & HAS_SLASH) !== 0;
  // 030 12345678 0171 1234567: a trunk zero begins the next.
  const trunk =
    lengthOf(chain, group) > 2 &&
    (plus || startsWithZero(chain, from)) &&
    startsWithZero(chain, group) &&
    digits > (isAbroad(chain, from) ? 9 : 8);
  if (!slash && !trunk) return isTown(chain, group, to, digits);
  // 55 11 3456 7890 / 7891: long enough already, and set apart.
  if (slash && chain.gaps[group]! & HAS_SPACE && digits > 9) return true;
  if (slash && isTail(chain, group, to)) return true;
  // 0043/664/1234567: what is before the slash is too short to be all.
  if (slash && digits < 9 && lengthOf(chain, group - 1) < 4) return false;
  let right = 0;
  for (let next = group; next <= to && right < 7; next++) {
    if (next > group && slash && chain.gaps[next]! & HAS_SLASH) break;
    right += lengthOf(chain, next);
  }
  return right >= 7;
}

/** 0171 1234567 10115 Berlin: a postal code and its town. */
function isTown(
  { text, starts, ends, gaps, count }: Chain,
  group: number,
  to: number,
  digits: number,
): boolean {
  if (digits < 10 || group !== to || to + 1 !== count || gaps[group] !== HAS_SPACE) return false;
  const end = ends[group]!;
  if (end - starts[group]! !== 5 || ends[group - 1]! - starts[group - 1]! < 5) return false;
  return kindAt(text, end) === SPACE && kindAt(text, end + 1) === LETTER;
}

/** 34567890/7891, 030 123456-0/-12: a few digits behind a slash are the end of another number; see `alternatives.ts`. */
function isTail(chain: Chain, group: number, to: number): boolean {
  return lengthOf(chain, group) < 5 && (group === to || (chain.gaps[group + 1]! & HAS_SLASH) !== 0);
}

/** Shapes that end a number wherever they are written: 3456-7890, 415 666 7777, 01 23 45 67 89, 912 345 678. */
function isComplete(chain: Chain, from: number, last: number, plus: boolean): boolean {
  const gap = chain.gaps[last]!;
  const length = lengthOf(chain, last);
  if (last === from) return false;
  const previous = lengthOf(chain, last - 1);
  if (length === 4 && !(gap & HAS_SPACE) && gap & (HAS_DASH | HAS_DOT) && previous > 2 && previous < 6) {
    // 2012-0102 and 1979-2011 are as likely years.
    const year = last - 1 === from ? smallValueOf(chain, from) : 0;
    return year < 1900 || year >= 2100;
  }
  if (plus) return false;
  let shape = 0;
  for (let group = from; group <= last; group++) shape = shape * 10 + lengthOf(chain, group);
  if (isAbroad(chain, from)) return false;
  return (startsWithZero(chain, from) ? COMPLETE_WITH_TRUNK : COMPLETE).has(shape);
}

/** 0049 30 …: the most common international prefix begins it. */
function isAbroad(chain: Chain, from: number): boolean {
  return startsWithZero(chain, from) && plain(chain.text.charCodeAt(chain.starts[from]! + 1)) === 48;
}

const COMPLETE = new Set([334, 244, 254, 333, 3222]);
const COMPLETE_WITH_TRUNK = new Set([22222, 434]);

/** Whether a segment has brackets of its own: (11) 3456-7890. */
export function hasBrackets(chain: Chain, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++) if (chain.gaps[group]! & HAS_CLOSE) return true;
  return false;
}
