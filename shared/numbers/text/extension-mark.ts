/** The words and signs that introduce the extension behind a number. */
import { extensionWords, maxExtensionDigits } from '../plan/extension-words.ts';
import {
  asciiCode,
  closeKind,
  dashKind,
  digitKind,
  hiddenKind,
  letterKind,
  oneOf,
  openKind,
  spaceKind,
} from './characters.ts';
import {
  type DigitGroups,
  dashGap,
  digitsIn,
  lengthOf,
  minWholeDigits,
  slashGap,
  smallValueOf,
  spaceGap,
  startsWithZero,
  wideGap,
} from './digit-groups.ts';
import type { ScannedText } from './scanned-text.ts';

const marks = new Set(extensionWords);
const isFirstLetter = oneOf([...marks].map((mark) => mark[0]! + mark[0]!.toUpperCase()).join(''));
const isSignBeforeMark = oneOf(',;(-');
const isSignAfterMark = oneOf('.:=#');

/**
 * Where a number that ends at `end` ends together with its extension: `x 123`, ` ext. 503`, `;ext=12`, `
 * ramal 1105`, ` #12`. `end` itself where none follows.
 */
export function extensionEnd(scanned: ScannedText, end: number): number {
  const { text } = scanned;
  let at = skip(scanned, end, isSignBeforeMark);
  const bracket = scanned.kindAt(at - 1) === openKind && at > end;
  const wordStart = at;
  while (at - wordStart < 12 && scanned.kindAt(at) === letterKind) at++;
  if (at === wordStart) {
    if (text[at] !== '#') return end;
    at++;
  } else {
    if (!isMark(text, wordStart, at)) return end;
  }
  at = skip(scanned, at, isSignAfterMark);
  const first = at;
  while (scanned.kindAt(at) === digitKind) at++;
  if (at === first || at - first > maxExtensionDigits || scanned.kindAt(at) === letterKind) return end;
  if (isNumberItself(scanned, first, at)) return end;
  if (bracket && scanned.kindAt(at) === closeKind) at++;
  return at;
}

/** Most words behind a number are others, as their first letter shows. */
function isMark(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) < 128) {
    return isFirstLetter(text.charCodeAt(start)) && marks.has(text.slice(start, end).toLowerCase());
  }
  let word = '';
  for (let at = start; at < end; at++) word += String.fromCharCode(asciiCode(text.charCodeAt(at)));
  return marks.has(word.toLowerCase());
}

/** Durchwahl 0711 123-4567, ext. 415-555-0132: a whole number follows the mark. */
function isNumberItself(scanned: ScannedText, first: number, end: number): boolean {
  const { text } = scanned;
  const kind = scanned.kindAt(end);
  if (scanned.kindAt(end + 1) !== digitKind) return false;
  if (kind === dashKind) return end - first > 1;
  return kind === spaceKind && end - first > 2 && text[first] === '0';
}

/** Skips at most four spaces and signs. */
function skip(scanned: ScannedText, from: number, isSign: (code: number) => boolean): number {
  const { text } = scanned;
  let at = from;
  while (at - from < 4 && at < text.length) {
    const kind = scanned.kindAt(at);
    if (kind === letterKind || kind === digitKind) break;
    if (kind !== spaceKind && kind !== hiddenKind && !isSign(asciiCode(text.charCodeAt(at)))) break;
    at++;
  }
  return at;
}

/** A list that goes on for so many is another thing. */
const maxRange = 100;

/**
 * Groups of the same few digits that are one short number each, and not together a number: Tel. 4001/4002
 * behind a slash, and behind the word for an extension also 201/202/203 and a range, ext. 4101-4109.
 */
export const isShortNumberList = (groups: DigitGroups, from: number, to: number): boolean =>
  isSlashedList(groups, from, to) || isExtensionList(groups, from, to);

/** 415/555/0132 and 601/234/567 are one number, as is 06021/12345. */
function isSlashedList(groups: DigitGroups, from: number, to: number): boolean {
  const length = lengthOf(groups, from);
  if (length < 4 || length > 6 || startsWithZero(groups, from)) return false;
  for (let group = from + 1; group <= to; group++)
    if ((groups.gaps[group]! & ~(spaceGap | wideGap)) !== slashGap || lengthOf(groups, group) !== length)
      return false;
  return true;
}

function isExtensionList(groups: DigitGroups, from: number, to: number): boolean {
  const length = lengthOf(groups, from);
  if (length < 3 || length > 4) return false;
  for (let group = from + 1; group <= to; group++) {
    const sign = groups.gaps[group]! & ~(spaceGap | wideGap);
    if (lengthOf(groups, group) !== length || (sign !== slashGap && sign !== dashGap)) return false;
    const step = smallValueOf(groups, group) - smallValueOf(groups, group - 1);
    if (step <= 0 || step > maxRange) return false;
  }
  return extensionMarkBefore(groups, from) !== '';
}

/** The word for an extension right before a group, '' where there is none. */
function extensionMarkBefore({ scanned, text, starts }: DigitGroups, group: number): string {
  let end = starts[group]!;
  while (
    starts[group]! - end < 4 &&
    (scanned.kindAt(end - 1) === spaceKind || '.:'.includes(text[end - 1] ?? ' '))
  )
    end--;
  let start = end;
  while (end - start < 12 && scanned.kindAt(start - 1) === letterKind) start--;
  return end > start && isMark(text, start, end) ? text.slice(start, end) : '';
}

/** Ext. 12 912 34 56 78: an extension before a whole number. `R 11 98765-4321` has the area of that number. */
export const isExtensionBeforeNumber = (groups: DigitGroups, from: number, to: number): boolean =>
  lengthOf(groups, from) < 5 &&
  lengthOf(groups, from + 1) < 5 &&
  digitsIn(groups, from + 1, to) >= minWholeDigits &&
  extensionMarkBefore(groups, from).length > 2;
