/**
 * Finds numbers that are written as an ending only, because the number before them has the rest: the `7891` of
 * `3456-7890/7891`, the `12` of `030 123456-0/-12`, the `3456-7891` of `(11) 3456-7890 / 3456-7891`.
 */

import { type Candidate, isAnnounced } from '../number.ts';
import { isAttachedAfter } from './adjacent-characters.ts';
import { isPhoneWord, isUnitAfter } from './place-and-unit.ts';
import type { ScannedText } from './scanned-text.ts';

const joiningWords = new Set('ou or oder od o e y et und u and of en lub oraz i или и veya ve'.split(' '));
/** How many characters are read to find the next digits. Numbers farther apart are unrelated. */
const maxSeparatorLength = 12;
/** What may separate a number from the next digits: signs, a word behind a sign, and a dash right before the digits. */
const separatorForm =
  /^(?![\p{L}\p{Pd}−])[\p{Zs}\p{Cf},;|:•&/]*(\p{L}*)([\p{Zs}\p{Cf},;|:•&/.]*)([\p{Pd}−]?)(?=\d)/u;

/** What separates a number from the digits that follow. */
export interface Separator {
  /** Where the number ends. */
  start: number;
  /** Where the digits begin. */
  digits: number;
  hasSlash: boolean;
  hasSpace: boolean;
  /** The separator has another character than a space. */
  hasSign: boolean;
  /** A dash is right before the digits. */
  hasDash: boolean;
  /** "or" and "and", or a phone word, as in `Fax -99`. */
  word: 'joining' | 'phone' | undefined;
}

/** Reads what separates the end of a number from the next digits. Undefined if it has anything else. */
function readSeparator(text: string, start: number): Separator | undefined {
  const form = separatorForm.exec(text.slice(start, start + maxSeparatorLength));
  if (!form) return undefined;
  const [whole, word, after, dash] = form as unknown as [string, string, string, string];
  const isJoining = joiningWords.has(word.toLowerCase());
  if (word !== '' && !isJoining && !isPhoneWord(word)) return undefined;
  // A full stop without a word before it ends a sentence. Behind a word, it shortens that word.
  if (word === '' && after.includes('.')) return undefined;
  const slashes = whole.split('/').length - 1;
  if (slashes > 1) return undefined;
  return {
    start,
    digits: start + whole.length,
    hasSlash: slashes > 0,
    hasSpace: /\p{Zs}/u.test(whole),
    hasSign: /\P{Zs}/u.test(whole),
    hasDash: dash !== '',
    word: isJoining ? 'joining' : word === '' ? undefined : 'phone',
  };
}

const maxEndingLength = 4;
/** The most endings in a row. A longer row is a table of figures. */
const maxEndings = 9;
/** 12/2024, 12.30: a sign and more digits follow, so the digits are not an ending. */
const goesOn = /^\d+[\p{Pd}−/.·\p{Zs}]\d/u;
/** Except here: another ending follows in 7891/7892, and a whole number in 7891 99999-8888. */
const isBeforeNumber =
  /^(?!0)(?:\d{1,4}\/(?:\d[\p{Pd}−]?){1,4}(?![\d\p{Pd}−])|\d{4}\p{Zs}(?=\d*[\p{Pd}−])(?:\d[\p{Pd}−]?){7})/u;

/**
 * Adds the abbreviated numbers that follow the last of `found`, a whole number without extension.
 * @returns the separator behind the last number, if the digits behind it may be a local number.
 */
export function addAbbreviated(scanned: ScannedText, found: Candidate[]): Separator | undefined {
  const { text } = scanned;
  const before = found.length;
  let previous = found[before - 1]!;
  for (;;) {
    const separator = found.length - before < maxEndings ? readSeparator(text, previous.end) : undefined;
    if (separator === undefined) return undefined;
    const start = separator.digits;
    const [ending] = /^\d+/.exec(text.slice(start, start + maxEndingLength + 1))!;
    if (ending.length > maxEndingLength) return separator;
    const rest = text.slice(start, start + maxEndingLength + maxSeparatorLength);
    if (goesOn.test(rest) && !isBeforeNumber.test(rest)) return separator;
    const whole = wholeOf(scanned, previous, separator, ending);
    if (whole === undefined) {
      // 3456-7890/91/2024: what looked like an ending is part of another thing.
      if (separator.hasSlash && !separator.hasSpace) found.length = before;
      return separator;
    }
    const { contextWords, evidence } = previous;
    previous = { start, end: start + ending.length, text: ending, contextWords, evidence, whole };
    found.push(previous);
  }
}

/** The whole number that ends with `ending`. Undefined if the digits are more likely something else. */
function wholeOf(
  scanned: ScannedText,
  previous: Candidate,
  { digits, hasSlash, hasSpace, hasDash, word }: Separator,
  ending: string,
): string | undefined {
  const end = digits + ending.length;
  if (isAttachedAfter(scanned, end) || isUnitAfter(scanned, end)) return undefined;
  const base = previous.whole ?? previous.text;
  const [last] = /\d*$/.exec(base)!;
  const isWordNext = /^\p{Zs}{0,3}\p{L}/u.test(scanned.text.slice(end, end + 4));
  // 05 34 60 27 11/12: behind a whole number, the next digits in sequence are an ending without a phone word, too.
  const isNext = !isWordNext && isWhole.test(base) && ending.length > 1 && isNextOf(last, ending);
  const isCertain = isAnnounced(previous.contextWords) || /^[+([]/.test(base) || isNext;
  if (last.endsWith(ending)) return undefined;
  const withEnding = (cut: number) => base.slice(0, base.length - cut) + ending;
  if (hasDash) {
    // For a direct line, all of the switchboard's own digits behind the dash are replaced.
    const isDirectLine = last.length < maxEndingLength && /[\p{Pd}−]\d+$/u.test(base);
    if (isCertain && isDirectLine) return withEnding(last.length);
    return isCertain && hasSlash && ending.length < last.length ? withEnding(ending.length) : undefined;
  }
  if (word === 'phone' || ending.length > last.length) return undefined;
  const replaced = Number(last.slice(-ending.length));
  // This is a year, unless the digits that it would replace are within 20 of it: 3222-2010/2011.
  if (/^(?:19|20)\d\d$/.test(ending) && Math.abs(Number(ending) - replaced) > 20) return undefined;
  const isWholeGroup = ending.length === last.length && ending.length > 2;
  if (!hasSlash) {
    const isAsLong = isWholeGroup && ending.length === maxEndingLength;
    const isListed = word === 'joining' && !isWordNext;
    const isKnown = (isAsLong && isAnnounced(previous.contextWords)) || (isWholeGroup && isNext);
    return isListed && isKnown ? withEnding(ending.length) : undefined;
  }
  // 3456-7890/91: a shorter ending counts up. 3456-7890 / 24 horas: these digits count hours.
  const isUp = isCertain && Number(ending) >= replaced && !(ending.length === 1 && hasSpace);
  if (ending.length < maxEndingLength && !isWholeGroup && !isUp) return undefined;
  return hasSpace && ending.length < 3 && isWordNext ? undefined : withEnding(ending.length);
}

/** A number with its area code in groups: at least nine digits. */
const isWhole = /^(?=(?:\D?\d){9})\d+[\p{Zs}\p{Pd}.]\d+[\p{Zs}\p{Pd}.]\d+/u;
/** How many numbers of a company follow each other. */
const maxStep = 5;

/** 11/12, 100 ou 102: the ending is the next in sequence, and a whole group. */
function isNextOf(last: string, ending: string): boolean {
  const step = Number(ending) - Number(last);
  return ending.length === last.length && step > 0 && step <= maxStep;
}

/**
 * A local number, completed with the area code of the number right before it, if both have the same shape: `(11)
 * 3456-7890 / 3456-7891`.
 * @param own the local number, which has `groups` groups of digits and begins at `start`.
 */
export function withAreaOf(
  previous: Candidate,
  separator: Separator | undefined,
  own: string,
  start: number,
  groups: number,
): string | undefined {
  if (separator?.start !== previous.end || separator.digits !== start) return undefined;
  if (separator.hasDash || !separator.hasSign || separator.word === 'phone') return undefined;
  // The digits of the number before are every second part.
  const parts = (previous.whole ?? previous.text).split(/(\d+)/);
  const first = parts.length - 2 * groups;
  if (first < 1) return undefined;
  const area = parts.slice(0, first).join('');
  if (!/^[+(\d\p{Zs}\p{Pd}./)\]]*[\p{Zs}\p{Pd}./)\]]$/u.test(area)) return undefined;
  if (parts.at(-2)!.length !== /\d*$/.exec(own)![0].length) return undefined;
  // 3456-7890 / 99999-8888: a mobile number may have a digit more.
  const more = own.replace(/\D/g, '').length - parts.slice(first).join('').replace(/\D/g, '').length;
  return Math.abs(more) > 1 ? undefined : area + own;
}
