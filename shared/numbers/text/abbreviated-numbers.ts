/**
 * Finds numbers written as an ending only, since the one before them has the rest: the `7891` of `3456-7890/7891`,
 * the `12` of `030 123456-0/-12`, the `3456-7891` of `(11) 3456-7890 / 3456-7891`.
 */

import { type Candidate, isAnnounced } from '../number.ts';
import { isAttachedAfter } from './adjacent-characters.ts';
import {
  asciiCode,
  closeKind,
  dashKind,
  digitKind,
  dotKind,
  hiddenKind,
  kindIn,
  letterKind,
  oneOf,
  openKind,
  otherKind,
  plusKind,
  slashKind,
  spaceKind,
} from './characters.ts';
import { isPhoneWord, isUnitAfter } from './place-and-unit.ts';
import type { ScannedText } from './scanned-text.ts';

const joiningWords = new Set('ou or oder od o e y et und u and of en lub oraz i или и veya ve'.split(' '));
/** Numbers farther apart than this are unrelated. */
const maxSeparatorLength = 12;
const maxEndingLength = 4;
/** More in a row are a table of figures. */
const maxEndings = 9;

const isSeparatingSign = oneOf(',;|:·•&');

/** The separator between a number and the next digits, as bits. */
const bySlash = 1;
const spaced = 2;
/** Anything but space. */
const signed = 4;
/** A dash right before the digits. */
const dashed = 8;
/** "or", "and" in a language of ours. */
const byWord = 16;
/** A phone word, as in `Fax -99`. */
const labelled = 32;

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

/**
 * Reads from the end of a number to the next digits; undefined where another word, a line break, a full stop
 * or a bracket is between.
 */
function readSeparator(scanned: ScannedText, end: number): Separator | undefined {
  const { text } = scanned;
  const stop = Math.min(end + maxSeparatorLength, text.length);
  let bits = 0;
  let wordStart = 0;
  let wordEnd = 0;
  for (let at = end; at < stop; at++) {
    const kind = scanned.kindAt(at);
    if (kind === digitKind)
      return at > end ? { start: end, bits, digits: at, wordStart, wordEnd } : undefined;
    if (bits & dashed) return undefined;
    if (kind === spaceKind) bits |= spaced;
    else if (kind === letterKind) {
      if (wordEnd > 0 || at === end) return undefined;
      wordStart = at;
      while (at + 1 < stop && scanned.kindAt(at + 1) === letterKind) at++;
      wordEnd = at + 1;
      bits |= signed;
    } else if (kind === slashKind) {
      if (bits & bySlash) return undefined;
      bits |= bySlash | signed;
    } else if (kind === dashKind) {
      if (at === end) return undefined;
      bits |= dashed | signed;
    } else if (kind === otherKind) {
      if (!isSeparatingSign(text.charCodeAt(at))) return undefined;
      bits |= signed;
    } else if (kind !== hiddenKind && (kind !== dotKind || wordEnd === 0)) return undefined;
  }
  return undefined;
}

/** The bits of the separator with those of its word, looked up as late as possible; -1 for any other word. */
function bitsWithWord(text: string, { bits, wordStart, wordEnd }: Separator): number {
  if (wordEnd === 0) return bits;
  const word = text.slice(wordStart, wordEnd);
  if (joiningWords.has(word.toLowerCase())) return bits | byWord;
  return isPhoneWord(word) ? bits | labelled : -1;
}

/** The digits at the end of a written number. */
function lastWrittenGroup(written: string): { length: number; dashed: boolean } {
  let start = written.length;
  while (kindIn(written, start - 1) === digitKind) start--;
  return { length: written.length - start, dashed: kindIn(written, start - 1) === dashKind };
}

const valueIn = (text: string, start: number, end: number): number => {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + asciiCode(text.charCodeAt(at)) - 48;
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
    const separator = found.length - before < maxEndings ? readSeparator(scanned, previous.end) : undefined;
    if (separator === undefined) return undefined;
    const next = separator.digits;
    let end = next;
    while (end - next <= maxEndingLength && scanned.kindAt(end) === digitKind) end++;
    if (end - next > maxEndingLength || isRunOn(scanned, next, end)) return separator;
    const bits = bitsWithWord(text, separator);
    if (bits < 0) return separator;
    const whole = wholeOf(scanned, previous, bits, next, end);
    if (whole === undefined) {
      // 3456-7890/12/2024: what looks like an ending is part of another thing.
      if ((bits & (bySlash | spaced)) === bySlash) found.length = before;
      return separator;
    }
    const { contextWords, evidence } = previous;
    previous = { start: next, end, text: text.slice(next, end), contextWords, evidence, whole };
    found.push(previous);
  }
}

/**
 * Whether the digits behind `end` continue this number. Seven or more with a dash among them are a number of their own
 * behind a space, unless these may be its area: 7891 99999-8888, but 48 99127-6304. A slash parts endings, 7891/7892,
 * and an area from its number: 0221/847193.
 */
function isRunOn(scanned: ScannedText, start: number, end: number): boolean {
  const kind = scanned.kindAt(end);
  if (scanned.kindAt(end + 1) !== digitKind) return false;
  const hasTrunk = asciiCode(scanned.text.charCodeAt(start)) === 48;
  let digits = 0;
  let dash = false;
  for (let at = end + 1; at - end < 12; at++) {
    const next = scanned.kindAt(at);
    if (next === digitKind) digits++;
    else if (next === dashKind) dash = true;
    else break;
  }
  if (kind === slashKind) return digits > maxEndingLength || hasTrunk;
  if (kind === spaceKind) return digits < 7 || !dash || end - start < maxEndingLength || hasTrunk;
  return kind === dashKind || kind === dotKind;
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
  const slash = (bits & bySlash) !== 0;
  if (isAttachedAfter(scanned, end) || isUnitAfter(scanned, end)) return undefined;
  const base = previous.whole ?? previous.text;
  const last = lastWrittenGroup(base);
  const length = end - next;
  const cut = Math.min(length, last.length);
  const replaced = valueIn(base, base.length - cut, base.length);
  const value = valueIn(text, next, end);
  const sign = kindIn(base, 0);
  const sure = isAnnounced(previous.contextWords) || sign === plusKind || sign === openKind;
  const isDirectLine = last.dashed && last.length < maxEndingLength;
  if (value === replaced && length === cut) return undefined;
  if (bits & dashed) {
    // A direct line: the switchboard's own digits behind the dash are replaced whole.
    if (!sure || !(isDirectLine || (slash && length < last.length))) return undefined;
    return base.slice(0, base.length - (isDirectLine ? last.length : cut)) + text.slice(next, end);
  }
  if (bits & labelled || length > last.length) return undefined;
  const aligned = length === last.length && length > 2;
  // A year, unless the digits before look like one too: 3222-2010/2011.
  if (length === 4 && value >= 1900 && value < 2100 && Math.abs(value - replaced) > 20) return undefined;
  if (slash) {
    if (
      length < maxEndingLength &&
      !aligned &&
      (!sure || value < replaced || (length === 1 && bits & spaced))
    )
      return undefined;
    if (bits & spaced && length < 3 && isWordAfter(scanned, end)) return undefined;
  } else if (
    !(bits & byWord) ||
    !aligned ||
    length < maxEndingLength ||
    !isAnnounced(previous.contextWords) ||
    isWordAfter(scanned, end)
  ) {
    return undefined;
  }
  return base.slice(0, base.length - cut) + text.slice(next, end);
}

function isWordAfter(scanned: ScannedText, end: number): boolean {
  let at = end;
  while (at - end < 3 && scanned.kindAt(at) === spaceKind) at++;
  return scanned.kindAt(at) === letterKind;
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
  if (!(separator.bits & signed) || separator.bits & dashed) return undefined;
  const { text } = scanned;
  const bits = bitsWithWord(text, separator);
  if (bits < 0 || bits & labelled) return undefined;
  const base = previous.whole ?? previous.text;
  let at = base.length;
  let digits = 0;
  for (let group = 0; group < groups; group++) {
    while (at > 0 && kindIn(base, at - 1) !== digitKind) at--;
    const groupEnd = at;
    while (kindIn(base, at - 1) === digitKind) at--;
    if (groupEnd === at) return undefined;
    if (group === 0 && groupEnd - at !== lastWrittenGroup(text.slice(start, end)).length) return undefined;
    digits += groupEnd - at;
  }
  let own = 0;
  for (let index = start; index < end; index++) if (scanned.kindAt(index) === digitKind) own++;
  // 3456-7890 / 99999-8888: a mobile number may have a digit more.
  if (Math.abs(own - digits) > 1) return undefined;
  for (let index = 0; index < at; index++) {
    const kind = kindIn(base, index);
    if (kind === letterKind || kind === otherKind) return undefined;
  }
  const joined = kindIn(base, at - 1);
  if (
    joined !== spaceKind &&
    joined !== dashKind &&
    joined !== dotKind &&
    joined !== slashKind &&
    joined !== closeKind
  )
    return undefined;
  return base.slice(0, at) + text.slice(start, end);
}
