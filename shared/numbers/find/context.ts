/** What the words before a number say of it, and the words after it. */

import type { ContextWords } from '../number.ts';
import { BLOCK_BORDER, DIGIT, kindAt, kindOf, LETTER, OTHER, SPACE } from './characters.ts';
import { BETWEEN, before, CONTACT, LABEL, NOT, OTHER_THING, PERSON, PHONE, units } from './context-words.ts';

/** Whether a word by itself says that a phone number follows: "Fax", "cel". */
export const isPhoneWord = (word: string): boolean => {
  const says = before.kindOf(word);
  return says === PHONE || says === CONTACT;
};

/** How far back words count, in UTF-16 units: bounded, so that a text costs the same however it is written. */
const REACH = 72;
const FAR = 36;
const LONGEST_WORD = 24;
/** CJK has no spaces between words: single characters of "telephone", "mobile", "dial"; of "order", "card", "account". */
const CJK_PHONE = '电電话話机機携拨撥폰';
/** Of pairs whose characters say nothing alone: "fax" in Chinese, "telephone" and "fax" in Korean. */
const CJK_PHONE_PAIRS = '传真傳真전화팩스';
const CJK_OTHER = '单單証证證卡账賬帐帳注訂订邮郵〒票税稅';

export interface Context {
  contextWords: ContextWords;
  /** A word of another thing stands before the number; `near`: nothing but "number", "no." or "is" between. */
  other: '' | 'near' | 'far';
  /** The phone word is near in the same sense. */
  adjacent: boolean;
  /** Another number stands between the word and this one. */
  listed: boolean;
  /** The word may as well be of something else: "calls handled", "phones sold", "contact 48213377". */
  hinted: boolean;
}

const context = (
  contextWords: ContextWords,
  other: Context['other'],
  adjacent = false,
  listed = false,
  hinted = false,
): Context => ({ contextWords, other, adjacent, listed, hinted });
const NOTHING_SAID = context('none', '');
const PHONE_SAID = context('phone', '');
const PHONE_HINTED = context('phone', '', false, false, true);
const CONTACT_SAID = context('phone', '', true, false, true);
const LISTED_PHONE = context('phone', '', true, true);
const ADJACENT_PHONE = context('phone', '', true);
const NEAR_OTHER = context('none', 'near');
const FAR_OTHER = context('none', 'far');

/** Reads the words before `start`, nearest first; the first that says something decides. */
export function contextBefore(text: string, start: number): Context {
  const stop = Math.max(0, start - REACH);
  let near = true;
  let wordSeen = false;
  let numberBetween = false;
  let numberBefore = false;
  let lineAbove = false;
  /** The word next to the number, where the lists do not know it: -1 until a word was seen. */
  let neighbour = -1;
  let neighbourEnd = 0;
  /** The number, or the first of the words before it that only link: "org. nr 912 345 678". */
  let linked = start;
  /** A word of the sentence stands between, not a name. */
  let describes = false;
  let undecided = NOTHING_SAID;
  for (let at = start - 1; at >= stop; at--) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === LETTER) {
      const end = at + 1;
      while (at > 0 && end - at < LONGEST_WORD && kindAt(text, at - 1) === LETTER) at--;
      const says = before.kindOf(text.slice(at, end));
      if (says === PHONE || says === CONTACT) {
        if (isDenied(text, at, stop)) return NOTHING_SAID;
        // "Tel. 020 123 4567, KvK 12345678": said of the number before, and this one has a word of its own.
        if (numberBetween && neighbour > 0)
          return isAcronym(text, neighbour, neighbourEnd) ? FAR_OTHER : undecided;
        if (near) return says === CONTACT ? CONTACT_SAID : numberBefore ? LISTED_PHONE : ADJACENT_PHONE;
        return says === CONTACT || describes ? PHONE_HINTED : PHONE_SAID;
      }
      if (says === OTHER_THING && !numberBetween) {
        return near ? NEAR_OTHER : start - end < FAR ? FAR_OTHER : undecided;
      }
      if (says === LABEL && near) return FAR_OTHER;
      if (says === PERSON && !numberBetween) undecided = FAR_OTHER;
      if (says === BETWEEN) {
        if (linked > end && isNextTo(text, end, linked)) linked = at;
      } else if (neighbour < 0 && !numberBefore) {
        neighbour = says === 0 && isNextTo(text, end, linked) ? at : 0;
        neighbourEnd = end;
        if (neighbour > 0 && isVowelless(text, at, end)) undecided = FAR_OTHER;
      }
      if (lineAbove && says !== BETWEEN) break;
      // VAT GB 123 4567 89, Tel. BR 11 3456-7890: a country's two letters part nothing.
      if (says !== BETWEEN && !(says === 0 && end - at === 2 && isAcronym(text, at, end))) near = false;
      if (says === 0 && text[at] === text[at]!.toLowerCase()) describes = true;
      wordSeen = true;
    } else if (kind === DIGIT) {
      // What was said before another number was said of that one, unless only commas stand between the two.
      if (wordSeen) numberBetween = true;
      numberBefore = true;
      if (lineAbove) break;
    } else if (kind === OTHER) {
      const character = text[at]!;
      // The line above speaks only where it ends with the word: "Phone:" and the number below it.
      if (character === '\n') {
        if (wordSeen || numberBefore || lineAbove) break;
        lineAbove = true;
      }
      if (character === BLOCK_BORDER || character === '!' || character === '?' || character === '。') break;
      // "Ann @ 555 0100": at.
      if (character === '@' && kindAt(text, at + 1) === SPACE) return PHONE_SAID;
      if (code < 0x2e80) continue;
      if (CJK_PHONE.includes(character) || CJK_PHONE_PAIRS.includes(text[at - 1] + character))
        return near ? (numberBefore ? LISTED_PHONE : ADJACENT_PHONE) : PHONE_SAID;
      if (near && !numberBefore && CJK_OTHER.includes(character)) return NEAR_OTHER;
    }
  }
  return undecided;
}

/** Nothing but spaces, a colon or a stop between the word that ends at `end` and the number at `start`. */
function isNextTo(text: string, end: number, start: number): boolean {
  if (start - end > 3) return false;
  for (let at = end; at < start; at++)
    if (kindAt(text, at) !== SPACE && !':.'.includes(text[at]!)) return false;
  return true;
}

/** KvK, CUI, ЄДРПОУ: two to six letters, a capital among the later ones. */
function isAcronym(text: string, start: number, end: number): boolean {
  if (end - start < 2 || end - start > 6) return false;
  for (let at = start + 1; at < end; at++) if (text[at]! !== text[at]!.toLowerCase()) return true;
  return false;
}

/** TRN, MRN: no name, and no word. */
function isVowelless(text: string, start: number, end: number): boolean {
  if (!isAcronym(text, start, end)) return false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at) | 32;
    if (code < 97 || code > 122 || 'aeiouy'.includes(String.fromCharCode(code))) return false;
  }
  return true;
}

/** "not a phone number", "kein Telefon": one of the three words before a phone word denies it. */
function isDenied(text: string, wordStart: number, stop: number): boolean {
  let at = wordStart - 1;
  for (let word = 0; word < 3 && at >= stop; word++) {
    for (; at >= stop && kindAt(text, at) !== LETTER; at--) {
      if (kindAt(text, at) !== SPACE && text[at] !== "'" && text[at] !== '’') return false;
    }
    const end = at + 1;
    while (at >= stop && end - at < LONGEST_WORD && kindAt(text, at) === LETTER) at--;
    if (before.kindOf(text.slice(at + 1, end)) === NOT) return true;
  }
  return false;
}

/** Whether a unit or a currency follows at `end`: 1234567 EUR, 12 345 678 Stück. */
export function isUnitAfter(text: string, end: number): boolean {
  let at = end;
  while (at - end < 2 && kindAt(text, at) === SPACE) at++;
  if ('€$£¥%'.includes(text[at] ?? ' ')) return true;
  const start = at;
  while (at - start < LONGEST_WORD && kindAt(text, at) === LETTER) at++;
  return at > start && units.kindOf(text.slice(start, at)) > 0;
}
