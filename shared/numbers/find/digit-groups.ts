/** A chain: a run of digit groups with at most a few separators between them, the raw material of `scan`. */
import { DIGIT, HIDDEN, kindAt, PLUS, plain } from './characters.ts';

/** What stands between two groups, as bits. */
export const HAS_SPACE = 1;
export const HAS_DASH = 2;
export const HAS_DOT = 4;
export const HAS_SLASH = 8;
export const HAS_OPEN = 16;
export const HAS_CLOSE = 32;
/** The `xx` of `(0xx11)`: the carrier is the caller's to choose. */
export const HAS_CARRIER = 64;
/** Two spaces or more, or a second slash. */
export const IS_WIDE = 128;
/** Where a number may end and another begin. */
export const IS_CUT = HAS_SPACE | HAS_SLASH | HAS_OPEN;

/** Indexed by the kinds of characters.ts. */
const BITS: readonly number[] = [0, 0, HAS_SPACE, HAS_DASH, HAS_DOT, HAS_SLASH, HAS_OPEN, HAS_CLOSE];
const WIDEST_GAP = 5;

/** Where each group starts and ends, and what stands before it. One object, refilled for every chain. */
export interface Chain {
  text: string;
  starts: number[];
  ends: number[];
  gaps: number[];
  /** Groups that are part of a date: no number goes through them. */
  dated: boolean[];
  count: number;
}

/** Fills `chain` with the one whose first digit is at `first`. @returns where it ends. */
export function readChain(chain: Chain, text: string, first: number): number {
  const { starts, ends, gaps, dated } = chain;
  chain.text = text;
  let count = 0;
  let at = first;
  let gap = 0;
  for (;;) {
    starts[count] = at;
    gaps[count] = gap;
    dated[count] = false;
    do at++;
    while (kindAt(text, at) === DIGIT);
    ends[count++] = at;
    gap = 0;
    let next = at;
    if (at - starts[count - 1]! === 1 && isCarrierMark(text, next)) {
      gap = HAS_CARRIER;
      next += 2;
    }
    let kind = kindAt(text, next);
    for (let width = 0; width < WIDEST_GAP && ((kind > DIGIT && kind < PLUS) || kind === HIDDEN); width++) {
      if (kind !== HIDDEN) {
        const bit = BITS[kind]!;
        // One bracket inside another, or two dashes, is no number's; two spaces or slashes may be.
        if (gap & bit) {
          if (bit > HAS_SPACE && bit !== HAS_SLASH) break;
          gap |= IS_WIDE;
        }
        gap |= bit;
      }
      kind = kindAt(text, ++next);
    }
    if (kind !== DIGIT) break;
    at = next;
  }
  chain.count = count;
  return at;
}

function isCarrierMark(text: string, at: number): boolean {
  if (at + 1 >= text.length) return false;
  const mark = plain(text.charCodeAt(at)) | 32;
  return (mark === 120 || mark === 42) && (plain(text.charCodeAt(at + 1)) | 32) === mark;
}

export const lengthOf = (chain: Chain, group: number): number => chain.ends[group]! - chain.starts[group]!;

/** The value of a group of at most four digits; -1 for longer ones, which are never a day, month or year. */
export function smallValueOf(chain: Chain, group: number): number {
  const end = chain.ends[group]!;
  if (end - chain.starts[group]! > 4) return -1;
  let value = 0;
  for (let at = chain.starts[group]!; at < end; at++)
    value = value * 10 + plain(chain.text.charCodeAt(at)) - 48;
  return value;
}

export const startsWithZero = (chain: Chain, group: number): boolean =>
  plain(chain.text.charCodeAt(chain.starts[group]!)) === 48;

/** A bracket that opens before group `from` and closes further on, before group `last` or earlier. */
export function bracketCloses(chain: Chain, from: number, last: number): boolean {
  for (let group = from + 1; group <= last; group++) {
    if (chain.gaps[group]! & HAS_CLOSE) return true;
    if (chain.gaps[group]! & HAS_OPEN) return false;
  }
  return false;
}
