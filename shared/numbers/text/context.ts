/** Reads the words before and after a number for evidence of what it is. */

import type { Evidence } from '../evidence.ts';
import { candidateEvidence } from './candidate-evidence.ts';
import {
  blockBorder,
  dashKind,
  digitKind,
  dotKind,
  letterKind,
  oneOf,
  otherKind,
  slashKind,
  spaceKind,
} from './characters.ts';
import { contextLexicon, placeLexicon, unitLexicon, type WordKind } from './context-words.ts';
import type { ScannedText } from './scanned-text.ts';

/** Whether a word by itself announces a phone number: "Fax", "cel". */
export const isPhoneWord = (word: string): boolean => {
  const meaning = contextLexicon.kindOf(word);
  return meaning === 'phone' || meaning === 'contact';
};

/** How far back words count, in UTF-16 units: bounded, so that a text costs the same however it is written. */
const maxDistance = 72;
const farDistance = 36;
const maxWordLength = 24;
/** CJK puts no spaces between words: single characters of "telephone", "mobile", "dial", and of "order", "card", "account" below. */
const cjkPhone = '电電话話机機携拨撥폰';
/** Pairs whose characters mean nothing alone: "fax" in Chinese, "telephone" and "fax" in Korean. */
const cjkPhonePairs = '传真傳真전화팩스';
const cjkOther = '单單証证證卡账賬帐帳注訂订邮郵〒票税稅';

const { bit } = candidateEvidence;
/** Evidence of a word that says "phone number", about this one or about another. */
export const phoneWords =
  bit.phoneWord |
  bit.phoneWordFar |
  bit.phoneWordListed |
  bit.phoneWordOfOther |
  bit.contactWord |
  bit.voicemail;
/** Such a word next to the digits. */
export const phoneWordsNext = bit.phoneWord | bit.phoneWordListed | bit.contactWord;

/**
 * Reads the words before `start`, nearest first; the first one with a meaning decides.
 * @param bareDigits how many digits the number has where they are all there is of it, else 0.
 * @param isShort only a word next to the number counts.
 */
export const readContext = (
  scanned: ScannedText,
  start: number,
  bareDigits: number,
  isShort = false,
): Evidence => new WordsBefore(scanned, start, bareDigits, isShort).read();

/** The word read did not decide. */
const undecided = -1;

class WordsBefore {
  readonly #scanned: ScannedText;
  /** Where the number starts. */
  readonly #number: number;
  readonly #bareDigits: number;
  readonly #isShort: boolean;
  /** Only linking words and signs are between here and the number: "org. nr 912 345 678". */
  #linkedFrom: number;
  /** The word next to the number, where the lists do not know it. */
  #unknownWord: { start: number; end: number } | undefined;
  #isNextWordRead = false;
  /** No word but linking ones was read yet. */
  #isNear = true;
  #isWordRead = false;
  /** Another number was read, and whether a word is between the two. */
  #isNumberRead = false;
  #isNumberBehindWord = false;
  /** How many digits the number right before has, with nothing but signs between. */
  #digitsBefore = 0;
  #isLineAbove = false;
  /** A word of the sentence, not a name, is in between. */
  #isDescribed = false;
  /** The evidence where no word decides. */
  #rest: Evidence = 0;

  constructor(scanned: ScannedText, start: number, bareDigits: number, isShort: boolean) {
    this.#isShort = isShort;
    this.#scanned = scanned;
    this.#number = this.#linkedFrom = start;
    this.#bareDigits = bareDigits;
  }

  read(): Evidence {
    const scanned = this.#scanned;
    const stop = Math.max(0, this.#number - maxDistance);
    for (let at = this.#number - 1; at >= stop; at--) {
      const kind = scanned.kindAt(at);
      let evidence = undecided;
      if (kind === letterKind) {
        const end = at + 1;
        at = wordStart(scanned, end);
        evidence = this.#readWord(at, end);
      } else if (kind === digitKind) evidence = this.#readDigit();
      else if (kind === otherKind) evidence = this.#readSign(at);
      if (evidence !== undecided) return evidence;
    }
    return this.#rest;
  }

  #readWord(start: number, end: number): Evidence {
    const { text } = this.#scanned;
    const kind = this.#scanned.wordKind(start, end);
    if ((kind === 'phone' || kind === 'contact') && !isPath(this.#scanned, start))
      return this.#phoneEvidence(kind, start);
    if (kind === 'otherThing' && !this.#isNumberBehindWord) return this.#otherThingEvidence(start, end);
    if (kind === 'label' && this.#isNear) return bit.otherWordFar;
    if (kind === 'person' && !this.#isNumberBehindWord) this.#rest = bit.otherWordFar;
    if (kind === 'between') {
      if (this.#linkedFrom > end && isNextTo(this.#scanned, end, this.#linkedFrom)) this.#linkedFrom = start;
    } else {
      this.#readNextWord(kind, start, end);
      if (this.#isLineAbove) return this.#rest;
      const isUnknown = kind === undefined || kind === 'whose';
      // VAT GB 123 4567 89, Tel. BR 11 3456-7890: a country's two letters separate nothing.
      if (!(isUnknown && end - start === 2 && isAcronym(text, start, end))) this.#isNear = false;
      if (this.#isShort && !this.#isNear) return this.#rest;
      if (isUnknown && text[start] === text[start]!.toLowerCase()) this.#isDescribed = true;
    }
    this.#isWordRead = true;
    return undecided;
  }

  /** Keeps the word next to the number where it may be its label. */
  #readNextWord(kind: WordKind | undefined, start: number, end: number): void {
    if (this.#isNextWordRead || this.#isNumberRead) return;
    this.#isNextWordRead = true;
    const isUnknown = kind === undefined || kind === 'whose';
    if (!isUnknown || !isNextTo(this.#scanned, end, this.#linkedFrom)) return;
    this.#unknownWord = { start, end };
    if (kind === undefined) this.#rest ||= unknownWordEvidence(this.#scanned, start, end, this.#number);
  }

  #phoneEvidence(kind: 'phone' | 'contact', start: number): Evidence {
    const scanned = this.#scanned;
    if (isDenied(scanned, start, Math.max(0, this.#number - maxDistance))) return bit.phoneWordDenied;
    // "Tel. 020 123 4567, KvK 12345678": the word belongs to the number before, and this one has its own.
    if (this.#isNumberBehindWord && this.#unknownWord) {
      const { start: own, end } = this.#unknownWord;
      return isAcronym(scanned.text, own, end) ? bit.otherWordFar : this.#rest;
    }
    if (!this.#isNear)
      return kind === 'contact' || this.#isDescribed ? bit.phoneWordOfOther : bit.phoneWordFar;
    if (kind === 'contact') return bit.contactWord;
    return this.#isNumberRead ? bit.phoneWordListed : bit.phoneWord;
  }

  #otherThingEvidence(start: number, end: number): Evidence {
    const scanned = this.#scanned;
    const number = this.#number;
    if (this.#digitsBefore === 0 && isVoicemail(scanned, start, end, number)) return bit.voicemail;
    if (!this.#isNear) return number - end < farDistance ? bit.otherWordFar : this.#rest;
    if (this.#digitsBefore === 0)
      return isTurkishMobile(scanned, start, end, number) ? bit.phoneWord : bit.otherWordNear;
    // A list of bare ones is of one kind.
    return this.#digitsBefore === this.#bareDigits ? bit.otherWordNear : bit.otherWordTaken;
  }

  #readDigit(): Evidence {
    // A word before another number belongs to that one, unless only commas separate the two.
    if (this.#isWordRead) this.#isNumberBehindWord = true;
    else this.#digitsBefore++;
    this.#isNumberRead = true;
    return this.#isLineAbove ? this.#rest : undecided;
  }

  #readSign(at: number): Evidence {
    const { text } = this.#scanned;
    const character = text[at]!;
    // The line above counts only where it ends with the word: "Phone:" and the number below it.
    if (character === '\n') {
      if (this.#isWordRead || this.#isNumberRead || this.#isLineAbove) return this.#rest;
      this.#isLineAbove = true;
    }
    if (character === blockBorder || character === '!' || character === '?' || character === '。')
      return this.#rest;
    // "Ann @ 555 0100": at.
    if (character === '@' && this.#scanned.kindAt(at + 1) === spaceKind) return bit.phoneWordFar;
    if (text.charCodeAt(at) < 0x2e80) return undecided;
    if (cjkPhone.includes(character) || cjkPhonePairs.includes(text[at - 1] + character)) {
      if (!this.#isNear) return bit.phoneWordFar;
      return this.#isNumberRead ? bit.phoneWordListed : bit.phoneWord;
    }
    return this.#isNear && !this.#isNumberRead && cjkOther.includes(character)
      ? bit.otherWordNear
      : undecided;
  }
}

/** Where the word that ends at `end` starts; a longer one is cut. */
function wordStart(scanned: ScannedText, end: number): number {
  let start = end;
  while (start > 0 && end - start < maxWordLength && scanned.kindAt(start - 1) === letterKind) start--;
  return start;
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
    if (scanned.kindAt(at) === digitKind) digits++;
    else if (scanned.kindAt(at) === letterKind) break;
  return digits;
}

const isLinkingSign = oneOf(':.#');

/** Nothing but spaces, a colon or a stop between the word that ends at `end` and the number at `start`. */
function isNextTo(scanned: ScannedText, end: number, start: number): boolean {
  const { text } = scanned;
  if (start - end > 4) return false;
  for (let at = end; at < start; at++)
    if (scanned.kindAt(at) !== spaceKind && !isLinkingSign(text.charCodeAt(at))) return false;
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
  if (!isCapital(start) || scanned.kindBefore(start) !== spaceKind) return false;
  const before = wordStart(scanned, start - 1);
  return before < start - 1 && isCapital(before);
}

/** GET /api/contacts 200: the word ends a path, which begins with its slash. */
function isPath(scanned: ScannedText, start: number): boolean {
  if (scanned.kindAt(start - 1) !== slashKind) return false;
  let at = start - 1;
  while (start - at < maxDistance && at > 0) {
    const kind = scanned.kindAt(at - 1);
    if (
      kind !== letterKind &&
      kind !== slashKind &&
      kind !== dashKind &&
      kind !== dotKind &&
      kind !== digitKind
    )
      break;
    at--;
  }
  return scanned.kindAt(at) === slashKind && scanned.kindBefore(at) === spaceKind;
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
    for (; at >= stop && scanned.kindAt(at) !== letterKind; at--) {
      if (scanned.kindAt(at) !== spaceKind && text[at] !== "'" && text[at] !== '’') return false;
    }
    const end = at + 1;
    while (at >= stop && end - at < maxWordLength && scanned.kindAt(at) === letterKind) at--;
    if (scanned.wordKind(at + 1, end) === 'not') return true;
  }
  return false;
}

/** Whether the words before the number at `start`, up to the next phone word, number or line, name a street, a house or a room. */
export function isBehindPlace(scanned: ScannedText, start: number): boolean {
  const { text } = scanned;
  for (let at = start - 1; at >= 0 && start - at < farDistance; at--) {
    const kind = scanned.kindAt(at);
    if (kind === digitKind || text[at] === '\n' || text[at] === blockBorder) return false;
    if (kind !== letterKind) continue;
    const end = at + 1;
    at = wordStart(scanned, end);
    const word = text.slice(at, end);
    if (placeLexicon.kindOf(word) || (/^r$/i.test(word) && text[end] === '.')) return true;
    if (isPhoneWord(word)) return false;
  }
  return false;
}

/** 912.345.678 reproducciones: what is counted, in English, French, Portuguese and Spanish. */
const isPluralNoun = (word: string): boolean =>
  word.length > 5 &&
  word.endsWith('s') &&
  word === word.toLowerCase() &&
  contextLexicon.kindOf(word) === undefined;

const isCurrency = oneOf('€$£¥%');

/** Whether a unit or a currency follows at `end`: 1234567 EUR, 12 345 678 Stück. */
export function isUnitAfter(scanned: ScannedText, end: number, isThousands = false): boolean {
  const { text } = scanned;
  let at = end;
  while (at - end < 2 && scanned.kindAt(at) === spaceKind) at++;
  if (at < text.length && isCurrency(text.charCodeAt(at))) return true;
  const start = at;
  while (at - start < maxWordLength && scanned.kindAt(at) === letterKind) at++;
  if (at === start) return false;
  const word = text.slice(start, at);
  return unitLexicon.kindOf(word) !== undefined || (isThousands && isPluralNoun(word));
}
