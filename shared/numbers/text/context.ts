/** Reads the words before and after a number for evidence of what it is. */

import type { Evidence } from '../evidence.ts';
import { candidateEvidence } from './candidate-evidence.ts';
import { BLOCK_BORDER, DASH, DIGIT, DOT, LETTER, OTHER, oneOf, SLASH, SPACE } from './characters.ts';
import {
  BETWEEN,
  CONTACT,
  contextLexicon,
  LABEL,
  NOT,
  OTHER_THING,
  PERSON,
  PHONE,
  placeLexicon,
  unitLexicon,
  WHOSE,
} from './context-words.ts';
import type { ScannedText } from './scanned-text.ts';

/** Whether a word by itself announces a phone number: "Fax", "cel". */
export const isPhoneWord = (word: string): boolean => {
  const meaning = contextLexicon.kindOf(word);
  return meaning === PHONE || meaning === CONTACT;
};

/** How far back words count, in UTF-16 units: bounded, so that a text costs the same however it is written. */
const MAX_DISTANCE = 72;
const FAR = 36;
const MAX_WORD_LENGTH = 24;
/** CJK puts no spaces between words: single characters of "telephone", "mobile", "dial", and of "order", "card", "account" below. */
const CJK_PHONE = '电電话話机機携拨撥폰';
/** Pairs whose characters mean nothing alone: "fax" in Chinese, "telephone" and "fax" in Korean. */
const CJK_PHONE_PAIRS = '传真傳真전화팩스';
const CJK_OTHER = '单單証证證卡账賬帐帳注訂订邮郵〒票税稅';

const { bit } = candidateEvidence;
/** Of the word next to a number: none was read yet, or one that is listed or not next to it. */
const UNSEEN = -1;
const LISTED = -2;
/** Evidence of a word that says "phone number", about this one or about another. */
export const PHONE_WORDS =
  bit.phoneWord |
  bit.phoneWordFar |
  bit.phoneWordListed |
  bit.phoneWordOfOther |
  bit.contactWord |
  bit.voicemail;
/** Such a word next to the digits. */
export const PHONE_WORDS_NEXT = bit.phoneWord | bit.phoneWordListed | bit.contactWord;

/**
 * Reads the words before `start`, nearest first; the first one with a meaning decides.
 * @param bareDigits how many digits the number has where they are all there is of it, else 0.
 */
export function readContext(scanned: ScannedText, start: number, bareDigits: number): Evidence {
  const { text } = scanned;
  const stop = Math.max(0, start - MAX_DISTANCE);
  let near = true;
  let wordSeen = false;
  let numberBetween = false;
  let numberBefore = false;
  let lineAbove = false;
  /** Of the number right before, with nothing but signs between. */
  let digitsBefore = 0;
  /** The word next to the number, where the lists do not know it. */
  let neighbour = UNSEEN;
  let neighbourEnd = 0;
  /** The number, or the first of the words before it that only link: "org. nr 912 345 678". */
  let linked = start;
  /** A word of the sentence, not a name, is in between. */
  let describes = false;
  let undecided: Evidence = 0;
  for (let at = start - 1; at >= stop; at--) {
    const kind = scanned.kindAt(at);
    if (kind === LETTER) {
      const end = at + 1;
      while (at > 0 && end - at < MAX_WORD_LENGTH && scanned.kindAt(at - 1) === LETTER) at--;
      const listed = contextLexicon.kindOf(text.slice(at, end));
      const meaning = listed === WHOSE ? 0 : listed;
      if ((meaning === PHONE || meaning === CONTACT) && !isPath(scanned, at)) {
        if (isDenied(scanned, at, stop)) return bit.phoneWordDenied;
        // "Tel. 020 123 4567, KvK 12345678": the word belongs to the number before, and this one has its own.
        if (numberBetween && neighbour >= 0)
          return isAcronym(text, neighbour, neighbourEnd) ? bit.otherWordFar : undecided;
        if (near)
          return meaning === CONTACT ? bit.contactWord : numberBefore ? bit.phoneWordListed : bit.phoneWord;
        return meaning === CONTACT || describes ? bit.phoneWordOfOther : bit.phoneWordFar;
      }
      if (meaning === OTHER_THING && !numberBetween) {
        if (digitsBefore === 0 && isVoicemail(scanned, at, end, start)) return bit.voicemail;
        if (near && digitsBefore === 0 && isTurkishMobile(scanned, at, end, start)) return bit.phoneWord;
        // A list of bare ones is of one kind.
        if (near && digitsBefore > 0 && digitsBefore !== bareDigits) return bit.otherWordTaken;
        return near ? bit.otherWordNear : start - end < FAR ? bit.otherWordFar : undecided;
      }
      if (meaning === LABEL && near) return bit.otherWordFar;
      if (meaning === PERSON && !numberBetween) undecided = bit.otherWordFar;
      if (meaning === BETWEEN) {
        if (linked > end && isNextTo(scanned, end, linked)) linked = at;
      } else if (neighbour === UNSEEN && !numberBefore) {
        neighbour = meaning === 0 && isNextTo(scanned, end, linked) ? at : LISTED;
        neighbourEnd = end;
        if (neighbour >= 0 && listed !== WHOSE) undecided ||= unknownWordEvidence(scanned, at, end, start);
      }
      if (lineAbove && meaning !== BETWEEN) break;
      // VAT GB 123 4567 89, Tel. BR 11 3456-7890: a country's two letters separate nothing.
      if (meaning !== BETWEEN && !(meaning === 0 && end - at === 2 && isAcronym(text, at, end))) near = false;
      if (meaning === 0 && text[at] === text[at]!.toLowerCase()) describes = true;
      wordSeen = true;
    } else if (kind === DIGIT) {
      // A word before another number belongs to that one, unless only commas separate the two.
      if (wordSeen) numberBetween = true;
      else digitsBefore++;
      numberBefore = true;
      if (lineAbove) break;
    } else if (kind === OTHER) {
      const character = text[at]!;
      // The line above counts only where it ends with the word: "Phone:" and the number below it.
      if (character === '\n') {
        if (wordSeen || numberBefore || lineAbove) break;
        lineAbove = true;
      }
      if (character === BLOCK_BORDER || character === '!' || character === '?' || character === '。') break;
      // "Ann @ 555 0100": at.
      if (character === '@' && scanned.kindAt(at + 1) === SPACE) return bit.phoneWordFar;
      if (text.charCodeAt(at) < 0x2e80) continue;
      if (CJK_PHONE.includes(character) || CJK_PHONE_PAIRS.includes(text[at - 1] + character))
        return near ? (numberBefore ? bit.phoneWordListed : bit.phoneWord) : bit.phoneWordFar;
      if (near && !numberBefore && CJK_OTHER.includes(character)) return bit.otherWordNear;
    }
  }
  return undecided;
}

/** "Caixa postal" before a whole number is where its caller left a message: a P.O. box has six digits at most. */
function isVoicemail(scanned: ScannedText, start: number, end: number, number: number): boolean {
  const { text } = scanned;
  if (end - start !== 6 || text.slice(start, end).toLowerCase() !== 'postal') return false;
  if (text.slice(Math.max(0, start - 6), start).toLowerCase() !== 'caixa ') return false;
  return digitsUpToLetter(scanned, number) > 7;
}

/** "Cep" is a mobile in Turkish; in Portuguese a postal code, which has eight digits. */
const isTurkishMobile = (scanned: ScannedText, start: number, end: number, number: number): boolean =>
  end - start === 3 &&
  scanned.text.slice(start, end).toLowerCase() === 'cep' &&
  digitsUpToLetter(scanned, number) > 9;

function digitsUpToLetter(scanned: ScannedText, number: number): number {
  const { text } = scanned;
  let digits = 0;
  for (let at = number; at < text.length && at - number < 24 && text[at] !== '\n'; at++)
    if (scanned.kindAt(at) === DIGIT) digits++;
    else if (scanned.kindAt(at) === LETTER) break;
  return digits;
}

const isLinkingSign = oneOf(':.#');

/** Nothing but spaces, a colon or a stop between the word that ends at `end` and the number at `start`. */
function isNextTo(scanned: ScannedText, end: number, start: number): boolean {
  const { text } = scanned;
  if (start - end > 4) return false;
  for (let at = end; at < start; at++)
    if (scanned.kindAt(at) !== SPACE && !isLinkingSign(text.charCodeAt(at))) return false;
  return true;
}

/** Evidence of a word that the lists do not know, next to the number. */
const unknownWordEvidence = (scanned: ScannedText, start: number, end: number, number: number): Evidence =>
  isVowelless(scanned.text, start, end)
    ? bit.otherWordFar
    : isLabel(scanned, start, end, number)
      ? bit.unknownLabel
      : 0;

/** `Meter: 4711`, `PO # 4711`, `Permit No. 4711`: the sign of a label stands behind the word. A full name before a colon is a person's. */
function isLabel(scanned: ScannedText, start: number, end: number, number: number): boolean {
  const signs = scanned.text.slice(end, number);
  if (/#|\bN[or]\b|\bn[or]\./.test(signs)) return true;
  return /^\s?[#.]*:\s*$/.test(signs) && !isNameBefore(scanned, start);
}

/** Whether the word at `start` and the one before it have a capital each: Ana Souza. */
function isNameBefore(scanned: ScannedText, start: number): boolean {
  const { text } = scanned;
  const isCapital = (at: number) => text[at] !== text[at]!.toLowerCase();
  if (!isCapital(start) || scanned.kindBefore(start) !== SPACE) return false;
  let at = start - 1;
  while (at > 0 && start - at < MAX_WORD_LENGTH && scanned.kindAt(at - 1) === LETTER) at--;
  return at < start - 1 && isCapital(at);
}

/** GET /api/contacts 200: the word ends a path, which begins with its slash. */
function isPath(scanned: ScannedText, start: number): boolean {
  if (scanned.kindAt(start - 1) !== SLASH) return false;
  let at = start - 1;
  while (start - at < MAX_DISTANCE && at > 0) {
    const kind = scanned.kindAt(at - 1);
    if (kind !== LETTER && kind !== SLASH && kind !== DASH && kind !== DOT && kind !== DIGIT) break;
    at--;
  }
  return scanned.kindAt(at) === SLASH && scanned.kindBefore(at) === SPACE;
}

/** KvK, CUI, ЄДРПОУ: two to six letters, with a capital after the first. */
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
function isDenied(scanned: ScannedText, wordStart: number, stop: number): boolean {
  const { text } = scanned;
  let at = wordStart - 1;
  for (let word = 0; word < 3 && at >= stop; word++) {
    for (; at >= stop && scanned.kindAt(at) !== LETTER; at--) {
      if (scanned.kindAt(at) !== SPACE && text[at] !== "'" && text[at] !== '’') return false;
    }
    const end = at + 1;
    while (at >= stop && end - at < MAX_WORD_LENGTH && scanned.kindAt(at) === LETTER) at--;
    if (contextLexicon.kindOf(text.slice(at + 1, end)) === NOT) return true;
  }
  return false;
}

/** Whether the words before the number at `start`, up to the next phone word, number or line, name a street, a house or a room. */
export function isBehindPlace(scanned: ScannedText, start: number): boolean {
  const { text } = scanned;
  for (let at = start - 1; at >= 0 && start - at < FAR; at--) {
    const kind = scanned.kindAt(at);
    if (kind === DIGIT || text[at] === '\n' || text[at] === BLOCK_BORDER) return false;
    if (kind !== LETTER) continue;
    const end = at + 1;
    while (at > 0 && end - at < MAX_WORD_LENGTH && scanned.kindAt(at - 1) === LETTER) at--;
    const word = text.slice(at, end);
    if (placeLexicon.kindOf(word) > 0 || (/^r$/i.test(word) && text[end] === '.')) return true;
    if (isPhoneWord(word)) return false;
  }
  return false;
}

/** 912.345.678 reproducciones: what is counted, in English, French, Portuguese and Spanish. */
const isPluralNoun = (word: string): boolean =>
  word.length > 5 && word.endsWith('s') && word === word.toLowerCase() && contextLexicon.kindOf(word) === 0;

const isCurrency = oneOf('€$£¥%');

/** Whether a unit or a currency follows at `end`: 1234567 EUR, 12 345 678 Stück. */
export function isUnitAfter(scanned: ScannedText, end: number, isThousands = false): boolean {
  const { text } = scanned;
  let at = end;
  while (at - end < 2 && scanned.kindAt(at) === SPACE) at++;
  if (at < text.length && isCurrency(text.charCodeAt(at))) return true;
  const start = at;
  while (at - start < MAX_WORD_LENGTH && scanned.kindAt(at) === LETTER) at++;
  if (at === start) return false;
  const word = text.slice(start, at);
  return unitLexicon.kindOf(word) > 0 || (isThousands && isPluralNoun(word));
}
