/** The words and signs that introduce the extension behind a number. */
import { extensionWords, maxExtensionDigits } from '../plan/extension-words.ts';
import { closeKind, digitKind, kindIn, letterKind, spaceKind } from './characters.ts';
import { digitClass } from './digit-class.ts';
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
const signsBefore = '[\\p{Zs}\\p{Cf},;(-]{0,4}?';
/** A word, and the bracket that may be before it. */
const word = '(\\(?)(\\p{L}{1,12})';
/** A dash is only behind a word: Extn- 3172. In x-200, it is part of a name. */
const signsBehind = '(?:[\\p{Zs}\\p{Cf}.:=#]{0,4}|(?<=\\p{L}{3})-\\p{Zs}?)';
const digits = `(${digitClass}{1,${maxExtensionDigits}})(?!${digitClass}|[\\p{L}_])`;
const extensionForm = new RegExp(`^${signsBefore}(?:${word}|#)${signsBehind}${digits}`, 'u');
const maxExtensionLength = 32;
/** Durchwahl 0711 123-4567, ext. 415-555-0132: a whole number follows the mark. */
const numberItself = /^(?:.{2,}-|0.{2,} )$/;

/**
 * The end of the extension behind a number that ends at `end`: `x 123`, ` ext. 503`, `;ext=12`, ` ramal 1105`, ` #12`.
 * Without an extension, `end` itself.
 */
export function extensionEnd({ text }: ScannedText, end: number): number {
  const form = extensionForm.exec(text.slice(end, end + maxExtensionLength));
  if (!form) return end;
  const [whole, bracket, mark, own] = form as unknown as [string, string, string | undefined, string];
  if (mark !== undefined && !isMark(mark)) return end;
  const at = end + whole.length;
  if (kindIn(text, at + 1) === digitKind && numberItself.test(own + text[at])) return end;
  return bracket && kindIn(text, at) === closeKind ? at + 1 : at;
}

/** Whether the word is an extension mark, also in full-width letters. */
const isMark = (word: string): boolean => marks.has(word.normalize('NFKC').toLowerCase());

/** The largest step between two extensions of a list. With a larger step, the groups are another thing. */
const maxRange = 100;

/**
 * Whether each group is a short number of its own, and all have the same few digits. Behind a slash: Tel. 4001/4002.
 * Behind the word for an extension, also 201/202/203 and a range, ext. 4101-4109.
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
  return end > start && isMark(text.slice(start, end)) ? text.slice(start, end) : '';
}

/**
 * Ext. 12 912 34 56 78: an extension before a whole number. In `R 11 98765-4321`, the 11 is the area code of that
 * number.
 */
export const isExtensionBeforeNumber = (groups: DigitGroups, from: number, to: number): boolean =>
  lengthOf(groups, from) < 5 &&
  lengthOf(groups, from + 1) < 5 &&
  digitsIn(groups, from + 1, to) >= minWholeDigits &&
  extensionMarkBefore(groups, from).length > 2;
