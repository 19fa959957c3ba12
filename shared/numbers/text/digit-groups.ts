/** Runs of digits with at most a few separators between them, from which `scan` takes its candidates. */
import { DASH, DIGIT, HIDDEN, kindIn, PLUS, plain, SPACE } from './characters.ts';
import type { ScannedText } from './scanned-text.ts';

/** The gap between two groups, as bits. */
export const HAS_SPACE = 1;
export const HAS_DASH = 2;
export const HAS_DOT = 4;
export const HAS_SLASH = 8;
export const HAS_OPEN = 16;
export const HAS_CLOSE = 32;
/** The `xx` of `(0xx11)`, a placeholder for the carrier. */
const HAS_CARRIER = 64;
/** Two spaces or more, or a second slash. */
export const IS_WIDE = 128;
/** A number may end and another begin at such a gap. */
export const IS_CUT = HAS_SPACE | HAS_SLASH | HAS_OPEN;

/** Indexed by the kinds of characters.ts. */
const BITS: readonly number[] = [0, 0, HAS_SPACE, HAS_DASH, HAS_DOT, HAS_SLASH, HAS_OPEN, HAS_CLOSE];
const MAX_GAP_LENGTH = 5;

/** Where each group starts and ends, and the gap before it. Filled again for every run of a text, to spare allocations. */
export class DigitGroups {
  readonly scanned: ScannedText;
  readonly text: string;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly gaps: number[] = [];
  /** Groups that are part of a date, and so of no number. */
  readonly isDate: boolean[] = [];
  count = 0;

  constructor(scanned: ScannedText) {
    this.scanned = scanned;
    this.text = scanned.text;
  }

  /** Reads the run whose first digit is at `first`. @returns where it ends. */
  read(first: number): number {
    const { scanned, text, starts, ends, gaps, isDate } = this;
    let count = 0;
    let at = first;
    let gap = 0;
    for (;;) {
      starts[count] = at;
      gaps[count] = gap;
      isDate[count] = false;
      do at++;
      while (scanned.kindAt(at) === DIGIT);
      ends[count++] = at;
      gap = 0;
      let next = at;
      if (at - starts[count - 1]! === 1) {
        const mark = carrierMarkAt(text, at);
        if (mark > 0) {
          gap = HAS_CARRIER;
          next = mark + 2;
        }
      }
      let kind = scanned.kindAt(next);
      for (
        let width = 0;
        width < MAX_GAP_LENGTH && ((kind > DIGIT && kind < PLUS) || kind === HIDDEN);
        width++
      ) {
        if (kind !== HIDDEN) {
          const bit = BITS[kind]!;
          // No number has one bracket inside another, or two dashes; two spaces or slashes it may have.
          if (gap & bit) {
            if (bit > HAS_SPACE && bit !== HAS_SLASH) break;
            gap |= IS_WIDE;
          }
          gap |= bit;
        }
        kind = scanned.kindAt(++next);
      }
      if (kind !== DIGIT) break;
      at = next;
    }
    this.count = count;
    return at;
  }
}

/** Where the carrier's mark behind the digit before `at` is, with a space or a dash between at most: 0xx11, 0 xx 11. 0 for none. */
function carrierMarkAt(text: string, at: number): number {
  if (isCarrierMark(text, at)) return at;
  const kind = kindIn(text, at);
  return (kind === SPACE || kind === DASH) && text[at - 1] === '0' && isCarrierMark(text, at + 1)
    ? at + 1
    : 0;
}

/** The `xx` or `**` of `0xx11`. */
export function isCarrierMark(text: string, at: number): boolean {
  if (at + 1 >= text.length) return false;
  const mark = plain(text.charCodeAt(at)) | 32;
  return (mark === 120 || mark === 42) && (plain(text.charCodeAt(at + 1)) | 32) === mark;
}

export const lengthOf = (groups: DigitGroups, group: number): number =>
  groups.ends[group]! - groups.starts[group]!;

/** How many digits the groups `from..last` have together. */
export function digitsIn(groups: DigitGroups, from: number, last: number): number {
  let digits = 0;
  for (let group = from; group <= last; group++) digits += lengthOf(groups, group);
  return digits;
}

/** The value of a group of at most four digits; -1 for longer ones, which are never a day, month or year. */
export function smallValueOf(groups: DigitGroups, group: number): number {
  const end = groups.ends[group]!;
  if (end - groups.starts[group]! > 4) return -1;
  let value = 0;
  for (let at = groups.starts[group]!; at < end; at++)
    value = value * 10 + plain(groups.text.charCodeAt(at)) - 48;
  return value;
}

export const startsWithZero = (groups: DigitGroups, group: number): boolean =>
  plain(groups.text.charCodeAt(groups.starts[group]!)) === 48;

/** Whether a bracket that opens before group `from` closes before group `last` or earlier. */
export function bracketCloses(groups: DigitGroups, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++) {
    if (groups.gaps[group]! & HAS_CLOSE) return true;
    if (groups.gaps[group]! & HAS_OPEN) return false;
  }
  return false;
}

/** 912.345.678 */
export function isInThousands(groups: DigitGroups, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++)
    if (groups.gaps[group] !== HAS_DOT || lengthOf(groups, group) !== 3) return false;
  return last > from;
}
