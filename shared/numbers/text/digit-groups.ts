/** Runs of digits with at most a few separators between them, from which `scan` takes its candidates. */

import { type GroupEnds, maxGroupedDigits } from '../plan/group-ends.ts';
import {
  asciiCode,
  dashKind,
  digitKind,
  hiddenKind,
  kindIn,
  otherKind,
  plusKind,
  spaceKind,
} from './characters.ts';
import type { ScannedText } from './scanned-text.ts';

/** The gap between two groups, as bits. */
export const spaceGap = 1;
export const dashGap = 2;
export const dotGap = 4;
export const slashGap = 8;
export const openGap = 16;
export const closeGap = 32;
/** The `xx` of `(0xx11)`, a placeholder for the carrier. */
const carrierGap = 64;
/** Two spaces or more, also around a sign, or a second slash. */
export const wideGap = 128;
/** The fewest digits of a whole number with its area code: 030 901820. */
export const minWholeDigits = 9;
/** The gaps at which one number may end and another may begin. */
export const cutGap = spaceGap | slashGap | openGap;

/** Indexed by the kinds of characters.ts. */
const gapOfKind: readonly number[] = [0, 0, spaceGap, dashGap, dotGap, slashGap, openGap, closeGap];
const maxGapLength = 5;
/** The signs between entries of a list: a middle dot and a long dash. */
const listSigns: ReadonlySet<number> = new Set([0xb7, 0x2014]);
/** The most groups of a run. A longer run is read in parts, so that a hostile text cannot make the lists grow. */
const maxGroups = 512;

/**
 * The start and end of each group, and the gap before it. The lists are filled again for each run of a text, to save
 * allocations.
 */
export class DigitGroups {
  readonly scanned: ScannedText;
  readonly text: string;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly gaps: number[] = [];
  /** Groups that are not part of a number: part of a date, or the number of a list's entry. */
  readonly isApart: boolean[] = [];
  count = 0;

  constructor(scanned: ScannedText) {
    this.scanned = scanned;
    this.text = scanned.text;
  }

  /**
   * Reads the run whose first digit is at `first`, or only a part of a very long run.
   * @returns where the digits that were read end.
   */
  read(first: number): number {
    const { scanned, text, starts, ends, gaps, isApart } = this;
    let count = 0;
    let at = first;
    let gap = 0;
    for (;;) {
      starts[count] = at;
      gaps[count] = gap;
      isApart[count] = false;
      do at++;
      while (scanned.kindAt(at) === digitKind);
      ends[count++] = at;
      gap = 0;
      let next = at;
      if (at - starts[count - 1]! === 1) {
        const mark = carrierMarkAt(text, at);
        if (mark > 0) {
          gap = carrierGap;
          next = mark + 2;
        }
      }
      let kind = scanned.kindAt(next);
      for (
        let width = 0;
        width < maxGapLength &&
        ((kind > digitKind && kind < plusKind) || kind === hiddenKind || this.#isLineEndAfterArea(gap, next));
        width++
      ) {
        if (kind === otherKind) gap |= spaceGap;
        else if (kind !== hiddenKind) {
          const bit = gapOfKind[kind]!;
          // A gap of a number does not have the same bracket, dash or dot twice. It may have two spaces or slashes.
          if (gap & bit) {
            if (bit > spaceGap && bit !== slashGap) break;
            gap |= wideGap;
          }
          // This sign separates two things of a list: +44 20 7946 0958 · 4500012313, DPD 12 — 9949 258 164
          if (gap === spaceGap && listSigns.has(text.charCodeAt(next))) break;
          gap |= bit;
        }
        kind = scanned.kindAt(++next);
      }
      if (kind !== digitKind || count === maxGroups) break;
      at = next;
    }
    this.count = count;
    return at;
  }

  /** An area code in brackets at the end of a line: "(48)" above "3322-4466". */
  #isLineEndAfterArea(gap: number, at: number): boolean {
    return gap === closeGap && this.text[at] === '\n' && this.scanned.kindAt(at + 1) === digitKind;
  }
}

/**
 * Where the carrier's mark behind the digit before `at` is: 0xx11, 0 xx 11. At most a space or a dash is between. 0 if
 * there is not a mark.
 */
function carrierMarkAt(text: string, at: number): number {
  if (isCarrierMark(text, at)) return at;
  const kind = kindIn(text, at);
  return (kind === spaceKind || kind === dashKind) && text[at - 1] === '0' && isCarrierMark(text, at + 1)
    ? at + 1
    : 0;
}

/** The `xx` or `**` of `0xx11`. */
export function isCarrierMark(text: string, at: number): boolean {
  if (at + 1 >= text.length) return false;
  const mark = asciiCode(text.charCodeAt(at)) | 32;
  return (mark === 120 || mark === 42) && (asciiCode(text.charCodeAt(at + 1)) | 32) === mark;
}

export const lengthOf = (groups: DigitGroups, group: number): number =>
  groups.ends[group]! - groups.starts[group]!;

/** How many digits the groups `from..last` have together. */
export function digitsIn(groups: DigitGroups, from: number, last: number): number {
  let digits = 0;
  for (let group = from; group <= last; group++) digits += lengthOf(groups, group);
  return digits;
}

/** The ends of the groups `from..last`. 0 if they have more digits than a number can have. */
export function groupEndsBetween(groups: DigitGroups, from: number, last: number): GroupEnds {
  let [ends, at] = [0, 0];
  for (let group = from; group <= last; group++) {
    at += lengthOf(groups, group);
    if (at > maxGroupedDigits) return 0;
    ends |= 1 << at;
  }
  return ends;
}

/** The value of a group of at most four digits; -1 for longer ones, which are never a day, month or year. */
export function smallValueOf(groups: DigitGroups, group: number): number {
  const end = groups.ends[group]!;
  if (end - groups.starts[group]! > 4) return -1;
  let value = 0;
  for (let at = groups.starts[group]!; at < end; at++)
    value = value * 10 + asciiCode(groups.text.charCodeAt(at)) - 48;
  return value;
}

export const startsWithZero = (groups: DigitGroups, group: number): boolean =>
  asciiCode(groups.text.charCodeAt(groups.starts[group]!)) === 48;

/** 06, 052: a decimal, a version or a part of an address does not begin like this. */
export const isPadded = (groups: DigitGroups, group: number): boolean =>
  lengthOf(groups, group) > 1 && startsWithZero(groups, group);

/** Whether a bracket that opens before group `from` closes before group `last` or earlier. */
export function bracketCloses(groups: DigitGroups, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++) {
    if (groups.gaps[group]! & closeGap) return true;
    if (groups.gaps[group]! & openGap) return false;
  }
  return false;
}

/** 912.345.678 */
export function isInThousands(groups: DigitGroups, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++)
    if (groups.gaps[group] !== dotGap || lengthOf(groups, group) !== 3) return false;
  return last > from;
}

/** 0800 4824292, 1800 233 4178 */
export function isFreephone(groups: DigitGroups, from: number): boolean {
  const value = smallValueOf(groups, from);
  return lengthOf(groups, from) === 4 && (value === 800 || value === 1800);
}

/** The groups `from..last` in ASCII, with one sign for all dashes and one space for all blanks between them. */
export function plainRun({ text, starts, ends }: DigitGroups, from: number, last: number): string {
  const run = text.slice(starts[from], ends[last]);
  if (!hasOtherSigns.test(run)) return run;
  return run
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/[^ -~]/g, (sign) => String.fromCharCode(asciiCode(sign.charCodeAt(0))));
}
const hasOtherSigns = /[^ -~]| {2}/;
