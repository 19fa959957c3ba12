/** What touches digit groups on the left and right: a letter or a sign there makes them part of something else. */
import {
  BLOCK_BORDER,
  CLOSE,
  DASH,
  DIGIT,
  DOT,
  HIDDEN,
  LETTER,
  OPEN,
  oneOf,
  PLUS,
  SLASH,
  SPACE,
} from './characters.ts';
import { isPhoneWord } from './context.ts';
import { isCarrierMark } from './digit-groups.ts';
import { extensionEnd } from './extension-mark.ts';
import type { ScannedText } from './scanned-text.ts';

export const DETACHED = 0;
/** Accepted only of a number with a plus, brackets or a phone word: E-151673398, OFFICE-1(516)733-3989. */
const LOOSE = 1;
export const ATTACHED = 2;

const isSignBefore = oneOf('#=*%&$€£¥₹₽?^~\\×');
const isSignBeforeBracket = oneOf('=*^/');
const isSignAfter = oneOf('%=*€$£¥°^\\×');

/** @param start of the first digit. */
export function attachmentBefore(scanned: ScannedText, start: number): number {
  const { text } = scanned;
  let at = start - 1;
  while (at >= 0 && scanned.kindAt(at) === HIDDEN) at--;
  if (at < 0) return DETACHED;
  const kind = scanned.kindAt(at);
  const previous = scanned.kindBefore(at);
  if (kind === SPACE) return DETACHED;
  if (kind === LETTER)
    return isPhoneWordBefore(scanned, at + 1) || isCarrierAlone(scanned, at - 1) ? DETACHED : ATTACHED;
  if (kind === OPEN)
    return previous === PLUS
      ? attachmentBefore(scanned, at)
      : at > 0 && isSignBeforeBracket(text.charCodeAt(at - 1))
        ? ATTACHED
        : DETACHED;
  if (kind === PLUS)
    return previous === DIGIT || previous === CLOSE || previous === PLUS ? ATTACHED : DETACHED;
  if (kind === DASH) return previous === SPACE && text[at] !== '-' ? DETACHED : LOOSE;
  if (kind === CLOSE) return previous === DIGIT ? LOOSE : DETACHED;
  if (kind === DOT)
    return previous === DIGIT
      ? ATTACHED
      : previous === LETTER
        ? isInPath(scanned, at)
          ? ATTACHED
          : isPhoneWordBefore(scanned, at)
            ? DETACHED
            : LOOSE
        : DETACHED;
  if (kind === SLASH) return previous === SPACE ? DETACHED : previous === LETTER ? LOOSE : ATTACHED;
  const character = text[at]!;
  // +5511987654321,,81234567890#: dialled after a pause.
  if (character === ',') return text[at - 1] === ',' || isDecimalComma(scanned, at) ? ATTACHED : DETACHED;
  if (character === ':') return previous === DIGIT ? ATTACHED : DETACHED;
  // Ph#4155550132, phone=4155550132
  if ((character === '#' || character === '=') && isPhoneWordBefore(scanned, at)) return DETACHED;
  if (character === '@') return previous === LETTER || previous === DIGIT ? ATTACHED : DETACHED;
  return isSignBefore(text.charCodeAt(at)) ? ATTACHED : DETACHED;
}

const MAX_WORD_LENGTH = 12;
const WORD_ENDS = `,;()\n${BLOCK_BORDER}`;

/** (xx11) 3333-4444: the placeholder for the carrier, without the zero before it. */
const isCarrierAlone = (scanned: ScannedText, mark: number): boolean =>
  scanned.kindBefore(mark) === OPEN && isCarrierMark(scanned.text, mark);

/** WhatsApp11988224177, tel.34567890: the space was left out. A word inside an address or a name is none. */
function isPhoneWordBefore(scanned: ScannedText, end: number): boolean {
  const { text } = scanned;
  let start = end;
  while (start > 0 && end - start <= MAX_WORD_LENGTH && scanned.kindAt(start - 1) === LETTER) start--;
  const kind = scanned.kindBefore(start);
  return (kind === SPACE || kind === OPEN) && isPhoneWord(text.slice(start, end));
}

/** 11988224177WhatsApp */
function isPhoneWordAfter(scanned: ScannedText, start: number): boolean {
  const { text } = scanned;
  let end = start;
  while (end - start <= MAX_WORD_LENGTH && scanned.kindAt(end) === LETTER) end++;
  if (end - start < 3) return false;
  const isWhole = end === text.length || scanned.kindAt(end) === SPACE || WORD_ENDS.includes(text[end]!);
  return isWhole && isPhoneWord(text.slice(start, end));
}

/** 11988224177-Ana, 11988224177/Ana: a name, with a capital and small letters only. */
function isNameAfter(scanned: ScannedText, start: number, sign: number): boolean {
  const { text } = scanned;
  const first = text[start]!;
  if (sign === DOT || first === first.toLowerCase()) return false;
  let end = start + 1;
  while (end - start <= MAX_WORD_LENGTH && scanned.kindAt(end) === LETTER) end++;
  const rest = text.slice(start + 1, end);
  if (rest.length < 2 || rest !== rest.toLowerCase()) return false;
  return end === text.length || scanned.kindAt(end) === SPACE || WORD_ENDS.includes(text[end]!);
}

/** 10.1016/j.cell.2019: the word before the dot is itself behind a dot, slash or at sign. */
function isInPath(scanned: ScannedText, dot: number): boolean {
  const { text } = scanned;
  let at = dot - 1;
  while (dot - at < 24 && scanned.kindAt(at) === LETTER) at--;
  const kind = scanned.kindAt(at);
  return (kind === DOT && scanned.kindAt(at - 1) !== SPACE && at > 0) || kind === SLASH || text[at] === '@';
}

/** @param end of the last digit. */
export function isAttachedAfter(scanned: ScannedText, end: number): boolean {
  const { text } = scanned;
  if (end >= text.length) return false;
  const kind = scanned.kindAt(end);
  const next = scanned.kindAt(end + 1);
  if (kind === SPACE || kind === OPEN) return false;
  if (kind === LETTER) return extensionEnd(scanned, end) === end && !isPhoneWordAfter(scanned, end);
  if (kind === PLUS) return true;
  if (kind === DASH || kind === DOT || kind === SLASH)
    return (
      next === LETTER && extensionEnd(scanned, end + 1) === end + 1 && !isNameAfter(scanned, end + 1, kind)
    );
  if (kind === CLOSE) return next === LETTER;
  const character = text[end]!;
  if (character === ',') return isDecimalComma(scanned, end);
  if (character === ':') return next === DIGIT;
  if (character === '@') return next === LETTER;
  return isSignAfter(text.charCodeAt(end));
}

/** Comma between digits: a decimal (12,5) or thousands (1,032), but not in a list (3456-7890,3456-7891). */
function isDecimalComma(scanned: ScannedText, comma: number): boolean {
  let left = comma;
  while (comma - left < 4 && scanned.kindAt(left - 1) === DIGIT) left--;
  let right = comma + 1;
  while (right - comma < 6 && scanned.kindAt(right) === DIGIT) right++;
  const decimals = right - comma - 1;
  return left < comma && decimals > 0 && (decimals < 3 || (decimals === 3 && comma - left < 4));
}
