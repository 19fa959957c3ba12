/**
 * The characters right before and behind digit groups. A letter or a sign there makes the digits part of something
 * else.
 */
import {
  blockBorder,
  closeKind,
  dashKind,
  digitKind,
  dotKind,
  hiddenKind,
  letterKind,
  oneOf,
  openKind,
  plusKind,
  slashKind,
  spaceKind,
} from './characters.ts';
import { type DigitGroups, isCarrierMark, lengthOf } from './digit-groups.ts';
import { extensionEnd } from './extension-mark.ts';
import { isPhoneWord } from './place-and-unit.ts';
import type { ScannedText } from './scanned-text.ts';

export const detached = 0;
/** Accepted only if the number has a plus, brackets or a phone word: E-151673398, OFFICE-1(516)733-3989. */
const loose = 1;
export const attached = 2;

const isSignBefore = oneOf('#=*%&$€£¥₹₽?^~\\×');
const isSignBeforeBracket = oneOf('=*^/');
const isSignAfter = oneOf('%=*€$£¥°^\\×');

/**
 * @param start of the first digit.
 * @param isGrouped the digits have groups.
 */
export function attachmentBefore(scanned: ScannedText, start: number, isGrouped: boolean): number {
  const { text } = scanned;
  let at = start - 1;
  while (at >= 0 && scanned.kindAt(at) === hiddenKind) at--;
  if (at < 0) return detached;
  const previous = scanned.kindBefore(at);
  switch (scanned.kindAt(at)) {
    case spaceKind:
      return detached;
    case letterKind:
      return isPhoneWordBefore(scanned, at + 1) || isCarrierAlone(scanned, at - 1) ? detached : attached;
    case openKind:
      if (previous === plusKind) return attachmentBefore(scanned, at, isGrouped);
      return isSignOfOther(scanned, at - 1) ? attached : detached;
    case plusKind:
      return previous === digitKind || previous === closeKind || previous === plusKind ? attached : detached;
    case closeKind:
      return previous === digitKind ? loose : detached;
    case dashKind:
      if (isGrouped && isNameBefore(scanned, at)) return detached;
      return previous === spaceKind && text[at] !== '-' ? detached : loose;
    case slashKind:
      if (previous === spaceKind || (isGrouped && isNameBefore(scanned, at))) return detached;
      return previous === letterKind ? loose : attached;
    case dotKind:
      if (previous === digitKind) return attached;
      if (previous !== letterKind) return detached;
      if (isInPath(scanned, at)) return attached;
      return isPhoneWordBefore(scanned, at) ? detached : loose;
    default:
      return isSignAttached(scanned, at) ? attached : detached;
  }
}

/** x=(11) 3333-4444 is a part of something else, Tel*(11) 3333-4444 and Ana*(11) 3333-4444 are numbers. */
const isSignOfOther = (scanned: ScannedText, at: number): boolean =>
  at >= 0 &&
  isSignBeforeBracket(scanned.text.charCodeAt(at)) &&
  !isPhoneWordBefore(scanned, at) &&
  !isNameBefore(scanned, at);

/** Whether a sign that is no part of a number makes the digits behind it a part of something else. */
function isSignAttached(scanned: ScannedText, at: number): boolean {
  const { text } = scanned;
  const previous = scanned.kindBefore(at);
  switch (text[at]) {
    // +5511987654321,,81234567890#: dialled after a pause.
    case ',':
      return text[at - 1] === ',' || isDecimalComma(scanned, at);
    case ':':
      return previous === digitKind;
    case '@':
      return previous === letterKind || previous === digitKind;
    // Ph#4155550132, phone=4155550132
    case '#':
    case '=':
      return !isPhoneWordBefore(scanned, at);
    default:
      return isSignBefore(text.charCodeAt(at));
  }
}

export function isNumberEnd(scanned: ScannedText, at: number): boolean {
  const kind = scanned.kindAt(at);
  return kind === digitKind || kind === closeKind;
}

const maxWordLength = 12;
const wordEnds = `,;()\n${blockBorder}`;

/** (xx11) 3333-4444: the placeholder for the carrier, without the zero before it. */
const isCarrierAlone = (scanned: ScannedText, mark: number): boolean =>
  scanned.kindBefore(mark) === openKind && isCarrierMark(scanned.text, mark);

/** WhatsApp11988224177, tel.34567890: the space is missing. A word inside an address or a name is not a phone word. */
function isPhoneWordBefore(scanned: ScannedText, end: number): boolean {
  const start = startOfWordBefore(scanned, end);
  const kind = scanned.kindBefore(start);
  return (kind === spaceKind || kind === openKind) && isPhoneWord(scanned.text.slice(start, end));
}

/** 11988224177WhatsApp */
function isPhoneWordAfter(scanned: ScannedText, start: number): boolean {
  const word = wholeWordAfter(scanned, start);
  return word.length > 2 && isPhoneWord(word);
}

/** 11988224177-Ana, 11988224177/Ana: a name behind the number. */
const isNameAfter = (scanned: ScannedText, start: number, sign: number): boolean =>
  sign !== dotKind && isName(wholeWordAfter(scanned, start));

/** Ana-48 99122-4466, Ana/(48) 3322-4466: a name before the number. */
function isNameBefore(scanned: ScannedText, end: number): boolean {
  const { text } = scanned;
  const start = startOfWordBefore(scanned, end);
  const isWhole =
    start === 0 || scanned.kindAt(start - 1) === spaceKind || wordEnds.includes(text[start - 1]!);
  return isWhole && isName(text.slice(start, end));
}

function startOfWordBefore(scanned: ScannedText, end: number): number {
  let start = end;
  while (start > 0 && end - start <= maxWordLength && scanned.kindAt(start - 1) === letterKind) start--;
  return start;
}

/** The whole word at `start`. Empty if it is too long, or if a sign joins it to more text. */
function wholeWordAfter(scanned: ScannedText, start: number): string {
  const { text } = scanned;
  let end = start;
  while (end - start <= maxWordLength && scanned.kindAt(end) === letterKind) end++;
  const isWhole = end === text.length || scanned.kindAt(end) === spaceKind || wordEnds.includes(text[end]!);
  return isWhole ? text.slice(start, end) : '';
}

/** A capital, then small letters only. */
const isName = (word: string): boolean =>
  word.length > 2 && word[0] !== word[0]!.toLowerCase() && word.slice(1) === word.slice(1).toLowerCase();

/** 10.1016/j.cell.2019: the word before the dot is itself behind a dot, slash or at sign. */
function isInPath(scanned: ScannedText, dot: number): boolean {
  const { text } = scanned;
  let at = dot - 1;
  while (dot - at < 24 && scanned.kindAt(at) === letterKind) at--;
  const kind = scanned.kindAt(at);
  return (
    (kind === dotKind && scanned.kindAt(at - 1) !== spaceKind && at > 0) ||
    kind === slashKind ||
    text[at] === '@'
  );
}

/** @param end of the last digit. */
export function isAttachedAfter(scanned: ScannedText, end: number): boolean {
  const { text } = scanned;
  if (end >= text.length) return false;
  const kind = scanned.kindAt(end);
  const next = scanned.kindAt(end + 1);
  if (kind === spaceKind || kind === openKind) return false;
  if (kind === letterKind) return extensionEnd(scanned, end) === end && !isPhoneWordAfter(scanned, end);
  if (kind === plusKind) return true;
  if (kind === dashKind || kind === dotKind || kind === slashKind)
    return (
      next === letterKind &&
      extensionEnd(scanned, end + 1) === end + 1 &&
      !isNameAfter(scanned, end + 1, kind)
    );
  if (kind === closeKind) return next === letterKind;
  const character = text[end]!;
  if (character === ',') return isDecimalComma(scanned, end);
  if (character === ':') return next === digitKind;
  if (character === '@') return next === letterKind;
  return isSignAfter(text.charCodeAt(end));
}

/** Comma between digits: a decimal (12,5) or thousands (1,032), but not in a list (3456-7890,11 3456-7891). */
function isDecimalComma(scanned: ScannedText, comma: number): boolean {
  let left = comma;
  while (comma - left < 4 && scanned.kindAt(left - 1) === digitKind) left--;
  if (scanned.kindAt(left - 1) === dashKind && scanned.kindAt(left - 2) === digitKind) return false;
  let right = comma + 1;
  while (right - comma < 6 && scanned.kindAt(right) === digitKind) right++;
  const decimals = right - comma - 1;
  return left < comma && decimals > 0 && (decimals < 3 || (decimals === 3 && comma - left < 4));
}

/** *+33 4 72 10 30 30*, _(11) 3456-7890_: as messengers write bold and italic. *912847193* is as likely a barcode. */
export function isBetweenMarkup({ text, starts, ends, count }: DigitGroups): boolean {
  const sign = text[ends[count - 1]!];
  if (sign !== '*' && sign !== '_' && sign !== '~') return false;
  const start = starts[0]!;
  const before = /[*_~](?=[+(]{0,2}$)/.exec(text.slice(Math.max(0, start - 3), start))?.[0];
  return before === sign && (count > 1 || text[start - 1] === '+');
}

/** +33 4 72 10 30 30 12:30: the last group is the start of a time or a percentage, and not part of the number. */
export const isTimeOrShare = (groups: DigitGroups, last: number): boolean =>
  lengthOf(groups, last) < 3 && !'*~_,'.includes(groups.text[groups.ends[last]!]!);
