/**
 * Finds numbers written as an ending only, since the one before them has the rest: the `7891` of `3456-7890/7891`,
 * the `12` of `030 123456-0/-12`, the `3456-7891` of `(11) 3456-7890 / 3456-7891`.
 */

import type { Candidate } from '../number.ts';
import { isAttachedAfter } from './adjacent-characters.ts';
import {
  CLOSE,
  DASH,
  DIGIT,
  DOT,
  HIDDEN,
  kindIn,
  LETTER,
  OPEN,
  OTHER,
  oneOf,
  PLUS,
  plain,
  SLASH,
  SPACE,
} from './characters.ts';
import { isPhoneWord, isUnitAfter } from './context.ts';
import type { ScannedText } from './scanned-text.ts';

const JOINING = new Set('ou or oder od o e y et und u and of en lub oraz i или и veya ve'.split(' '));
/** Numbers farther apart than this are unrelated. */
const MAX_SEPARATOR_LENGTH = 12;
const MAX_SUFFIX_LENGTH = 4;
/** More in a row are a table of figures. */
const MAX_SUFFIXES = 9;

const isSeparatingSign = oneOf(',;|:·•&');

/** The separator between a number and the next digits, as bits. */
const BY_SLASH = 1;
const SPACED = 2;
/** Anything but space. */
const SIGNED = 4;
/** A dash right before the digits. */
const DASHED = 8;
/** "or", "and" in a language of ours. */
const BY_WORD = 16;
/** A phone word, as in `Fax -99`. */
const LABELLED = 32;

/** What separates a number from the digits that follow. */
export interface Separator {
  /** Where the number ends. */
  start: number;
  bits: number;
  /** Where the digits begin. */
  digits: number;
  /** The one word in it; empty where there is none. */
  wordStart: number;
  wordEnd: number;
}

/** Reads from the end of a number to the next digits; undefined where another word, a line break, a full stop or a bracket is between. */
function readSeparator(scanned: ScannedText, end: number): Separator | undefined {
  const { text } = scanned;
  const stop = Math.min(end + MAX_SEPARATOR_LENGTH, text.length);
  let bits = 0;
  let wordStart = 0;
  let wordEnd = 0;
  for (let at = end; at < stop; at++) {
    const kind = scanned.kindAt(at);
    if (kind === DIGIT) return at > end ? { start: end, bits, digits: at, wordStart, wordEnd } : undefined;
    if (bits & DASHED) return undefined;
    if (kind === SPACE) bits |= SPACED;
    else if (kind === LETTER) {
      if (wordEnd > 0 || at === end) return undefined;
      wordStart = at;
      while (at + 1 < stop && scanned.kindAt(at + 1) === LETTER) at++;
      wordEnd = at + 1;
      bits |= SIGNED;
    } else if (kind === SLASH) {
      if (bits & BY_SLASH) return undefined;
      bits |= BY_SLASH | SIGNED;
    } else if (kind === DASH) {
      if (at === end) return undefined;
      bits |= DASHED | SIGNED;
    } else if (kind === OTHER) {
      if (!isSeparatingSign(text.charCodeAt(at))) return undefined;
      bits |= SIGNED;
    } else if (kind !== HIDDEN && (kind !== DOT || wordEnd === 0)) return undefined;
  }
  return undefined;
}

/** The bits of the separator with those of its word, looked up as late as possible; -1 for any other word. */
function bitsWithWord(text: string, { bits, wordStart, wordEnd }: Separator): number {
  if (wordEnd === 0) return bits;
  const word = text.slice(wordStart, wordEnd);
  if (JOINING.has(word.toLowerCase())) return bits | BY_WORD;
  return isPhoneWord(word) ? bits | LABELLED : -1;
}

/** The digits at the end of a written number. */
function lastGroupOf(written: string): { length: number; dashed: boolean } {
  let start = written.length;
  while (kindIn(written, start - 1) === DIGIT) start--;
  return { length: written.length - start, dashed: kindIn(written, start - 1) === DASH };
}

const valueIn = (text: string, start: number, end: number): number => {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + plain(text.charCodeAt(at)) - 48;
  return value;
};

/**
 * Adds the endings that follow the last of `found`, a whole number without extension.
 * @returns the separator behind the last one, where digits follow that may be a local number.
 */
export function addAbbreviated(scanned: ScannedText, found: Candidate[]): Separator | undefined {
  const { text } = scanned;
  const before = found.length;
  let previous = found[before - 1]!;
  for (;;) {
    const separator = found.length - before < MAX_SUFFIXES ? readSeparator(scanned, previous.end) : undefined;
    if (separator === undefined) return undefined;
    const next = separator.digits;
    let end = next;
    while (end - next <= MAX_SUFFIX_LENGTH && scanned.kindAt(end) === DIGIT) end++;
    if (end - next > MAX_SUFFIX_LENGTH || isRunOn(scanned, next, end)) return separator;
    const bits = bitsWithWord(text, separator);
    if (bits < 0) return separator;
    const whole = wholeOf(scanned, previous, bits, next, end);
    if (whole === undefined) {
      // 3456-7890/12/2024: what looks like an ending is part of another thing.
      if ((bits & (BY_SLASH | SPACED)) === BY_SLASH) found.length = before;
      return separator;
    }
    const { contextWords, evidence } = previous;
    previous = { start: next, end, text: text.slice(next, end), contextWords, evidence, whole };
    found.push(previous);
  }
}

/** Whether digits follow that belong to these; a whole number with its own dash behind a space does not. */
function isRunOn(scanned: ScannedText, start: number, end: number): boolean {
  const kind = scanned.kindAt(end);
  if ((kind !== SPACE && kind !== DASH && kind !== DOT) || scanned.kindAt(end + 1) !== DIGIT) return false;
  let digits = 0;
  let dash = false;
  for (let at = end + 1; at - end < 12; at++) {
    const next = scanned.kindAt(at);
    if (next === DIGIT) digits++;
    else if (next === DASH) dash = true;
    else break;
  }
  return kind !== SPACE || digits < 7 || !dash || plain(scanned.text.charCodeAt(start)) === 48;
}

/** The number that ends with the digits up to `end`; undefined where they are more likely something else. */
function wholeOf(
  scanned: ScannedText,
  previous: Candidate,
  bits: number,
  next: number,
  end: number,
): string | undefined {
  const { text } = scanned;
  const slash = (bits & BY_SLASH) !== 0;
  if (isAttachedAfter(scanned, end) || isUnitAfter(scanned, end)) return undefined;
  const base = previous.whole ?? previous.text;
  const last = lastGroupOf(base);
  const length = end - next;
  const cut = Math.min(length, last.length);
  const replaced = valueIn(base, base.length - cut, base.length);
  const value = valueIn(text, next, end);
  const sign = kindIn(base, 0);
  const sure = previous.contextWords === 'phone' || sign === PLUS || sign === OPEN;
  const isDirectLine = last.dashed && last.length < MAX_SUFFIX_LENGTH;
  if (value === replaced && length === cut) return undefined;
  if (bits & DASHED) {
    // A direct line: the switchboard's own digits behind the dash are replaced whole.
    if (!sure || !(isDirectLine || (slash && length < last.length))) return undefined;
    return base.slice(0, base.length - (isDirectLine ? last.length : cut)) + text.slice(next, end);
  }
  if (bits & LABELLED || length > last.length) return undefined;
  const aligned = length === last.length && length > 2;
  // A year, unless the digits before look like one too: 3222-2010/2011.
  if (length === 4 && value >= 1900 && value < 2100 && Math.abs(value - replaced) > 20) return undefined;
  if (slash) {
    if (
      length < MAX_SUFFIX_LENGTH &&
      !aligned &&
      (!sure || value < replaced || (length === 1 && bits & SPACED))
    )
      return undefined;
    if (bits & SPACED && length < 3 && isWordAfter(scanned, end)) return undefined;
  } else if (
    !(bits & BY_WORD) ||
    !aligned ||
    length < MAX_SUFFIX_LENGTH ||
    previous.contextWords !== 'phone' ||
    isWordAfter(scanned, end)
  ) {
    return undefined;
  }
  return base.slice(0, base.length - cut) + text.slice(next, end);
}

function isWordAfter(scanned: ScannedText, end: number): boolean {
  let at = end;
  while (at - end < 3 && scanned.kindAt(at) === SPACE) at++;
  return scanned.kindAt(at) === LETTER;
}

/**
 * A local number with the area code of the one right before it, where both have the same shape:
 * `(11) 3456-7890 / 3456-7891`.
 * @param groups of digits that the local one has.
 */
export function withAreaOf(
  scanned: ScannedText,
  previous: Candidate,
  separator: Separator | undefined,
  start: number,
  end: number,
  groups: number,
): string | undefined {
  if (separator === undefined || separator.start !== previous.end || separator.digits !== start)
    return undefined;
  if (!(separator.bits & SIGNED) || separator.bits & DASHED) return undefined;
  const { text } = scanned;
  const bits = bitsWithWord(text, separator);
  if (bits < 0 || bits & LABELLED) return undefined;
  const base = previous.whole ?? previous.text;
  let at = base.length;
  let digits = 0;
  for (let group = 0; group < groups; group++) {
    while (at > 0 && kindIn(base, at - 1) !== DIGIT) at--;
    const groupEnd = at;
    while (kindIn(base, at - 1) === DIGIT) at--;
    if (groupEnd === at) return undefined;
    if (group === 0 && groupEnd - at !== lastGroupOf(text.slice(start, end)).length) return undefined;
    digits += groupEnd - at;
  }
  let own = 0;
  for (let index = start; index < end; index++) if (scanned.kindAt(index) === DIGIT) own++;
  // 3456-7890 / 99999-8888: a mobile number may have a digit more.
  if (Math.abs(own - digits) > 1) return undefined;
  for (let index = 0; index < at; index++) {
    const kind = kindIn(base, index);
    if (kind === LETTER || kind === OTHER) return undefined;
  }
  const joined = kindIn(base, at - 1);
  if (joined !== SPACE && joined !== DASH && joined !== DOT && joined !== SLASH && joined !== CLOSE)
    return undefined;
  return base.slice(0, at) + text.slice(start, end);
}
