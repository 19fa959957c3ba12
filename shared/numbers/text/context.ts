/** Reads the words before a number for evidence of what it is. */

import type { Evidence } from '../evidence.ts';
import { candidateEvidence } from './candidate-evidence.ts';
import { blockBorder, digitKind, letterKind, openKind, otherKind, spaceKind } from './characters.ts';
import type { WordKind } from './context-words.ts';
import { isTelephoneSign } from './place-and-unit.ts';
import { isOfProgram, isPath, maxDistance } from './program-text.ts';
import type { ScannedText } from './scanned-text.ts';
import { isAcronym, isNextTo, maxWordLength, unknownWordEvidence, wordStart } from './unknown-word.ts';
import {
  isAccount,
  isCompound,
  isLocalMobile,
  isNoPhoneWord,
  isThingOfClient,
  isVoicemail,
} from './word-pairs.ts';

const farDistance = 36;
/**
 * CJK text has no spaces between words. These are single characters of "telephone", "mobile" and "dial". `cjkOther` has
 * characters of "order", "card" and "account".
 */
const cjkPhone = '电電话話机機携拨撥폰';
/** Pairs whose characters mean nothing alone: "fax" in Chinese, "telephone" and "fax" in Korean. */
const cjkPhonePairs = '传真傳真전화팩스';
const cjkOther = '单單証证證卡账賬帐帳注訂订邮郵〒票税稅';

const { bit } = candidateEvidence;
/** Evidence of a word for phone numbers, whether it is about this number or about another. */
export const phoneWords =
  bit.phoneWord |
  bit.phoneWordFar |
  bit.phoneWordListed |
  bit.phoneWordOfOther |
  bit.contactWord |
  bit.voicemail;
/** A word for telephones or contacts next to the digits. */
export const phoneWordsNext = bit.phoneWord | bit.phoneWordListed | bit.contactWord;

/** Tel./Cel.: the word at `start` shares the number with the word before it. */
const isShared = (text: string, start: number): boolean =>
  /\p{L}\.? ?[/|] ?$/u.test(text.slice(Math.max(0, start - 5), start));

/** The word or sign that was read does not decide. */
const undecided = -1;

/** Reads the words before the numbers of one text, one number after the other. */
export class ContextReader {
  readonly #scanned: ScannedText;
  /** Where the number starts, and where the first number of its list starts. */
  #number = 0;
  #first = 0;
  #bareDigits = 0;
  #isShort = false;
  /** Only linking words and signs are between this position and the number: "org. nr 912 345 678". */
  #linkedFrom = 0;
  /** Where the word next to the number is, if it may be the number's label. Otherwise the end is 0. */
  #unknownStart = 0;
  #unknownEnd = 0;
  #isNextWordRead = false;
  /** Only linking words were read so far. */
  #isNear = true;
  #isWordRead = false;
  /** Whether another number was read, and whether a word is between the two numbers. */
  #isNumberRead = false;
  #isNumberBehindWord = false;
  /** How many digits the numbers right before this number have. Only signs are between them. */
  #digitsBefore = 0;
  #isLineAbove = false;
  /** A word of the sentence, not a name, is between: its first letter is small. */
  #isDescribed = false;
  /** The evidence where no word decides. */
  #rest: Evidence = 0;

  constructor(scanned: ScannedText) {
    this.#scanned = scanned;
  }

  /**
   * Reads the words before `start`, nearest first; the first one with a meaning decides.
   * @param bareDigits how many digits the number has if it is bare digits, else 0.
   * @param isShort only a word next to the number counts.
   */
  read(start: number, bareDigits: number, isShort = false): Evidence {
    this.#number = this.#first = this.#linkedFrom = start;
    this.#bareDigits = bareDigits;
    this.#isShort = isShort;
    this.#unknownStart = this.#unknownEnd = this.#digitsBefore = this.#rest = 0;
    this.#isNear = true;
    this.#isNextWordRead = this.#isWordRead = this.#isNumberRead = false;
    this.#isNumberBehindWord = this.#isLineAbove = this.#isDescribed = false;
    return this.#readWords();
  }

  #readWords(): Evidence {
    const scanned = this.#scanned;
    const stop = Math.max(0, this.#number - maxDistance);
    for (let at = this.#number - 1; at >= stop; at--) {
      const kind = scanned.kindAt(at);
      let evidence = undecided;
      if (kind === letterKind) {
        const end = at + 1;
        at = wordStart(scanned, end);
        evidence = this.#readWord(at, end);
      } else if (kind === digitKind) {
        const start = labelDigits(scanned, at, this.#linkedFrom);
        if (start < 0) evidence = this.#readDigit(at);
        else at = this.#linkedFrom = start;
      } else if (kind === otherKind) evidence = this.#readSign(at);
      if (evidence !== undecided) return evidence;
    }
    return this.#rest;
  }

  #readWord(start: number, end: number): Evidence {
    const { text } = this.#scanned;
    const kind = this.#kindOf(start, end);
    if ((kind === 'phone' || kind === 'mobile' || kind === 'contact') && !isPath(this.#scanned, start))
      return this.#phoneEvidence(kind, start);
    if (kind === 'otherThing' && !this.#isNumberBehindWord) return this.#otherThingEvidence(start, end);
    if (kind === 'label' && this.#isNear) return bit.numberedLabel;
    if (kind === 'orders' && this.#isNear) return bit.clientWord;
    if (kind === 'person' && !this.#isNumberBehindWord) {
      if (this.#isNear && isThingOfClient(this.#scanned, start, end, this.#number)) return bit.otherWordNear;
      this.#rest = bit.clientWord;
    }
    if (kind === 'between' && !isPath(this.#scanned, start)) {
      if (this.#linkedFrom > end && isNextTo(this.#scanned, end, this.#linkedFrom)) this.#linkedFrom = start;
    } else {
      this.#readNextWord(kind, start, end);
      if (this.#isLineAbove) return this.#rest;
      const isUnknown = isUnlisted(kind);
      // VAT GB 123 4567 89, Tel. BR 11 3456-7890: a country's two letters do not separate the word from the number.
      if (!(isUnknown && end - start === 2 && isAcronym(text, start, end))) this.#isNear = false;
      if (this.#isShort && !this.#isNear) return this.#rest;
      if (isUnknown && text[start] === text[start]!.toLowerCase()) this.#isDescribed = true;
    }
    this.#isWordRead = true;
    return undecided;
  }

  /**
   * OS: 4711, OP 4711: two capitals without a word before them do not link. The letter of a code (M1) does not link
   * either.
   */
  #kindOf(start: number, end: number): WordKind | undefined {
    const { text } = this.#scanned;
    const kind = this.#scanned.wordKind(start, end);
    if (kind === 'phone' && isNoPhoneWord(this.#scanned, start, end)) return undefined;
    if (isAccount(this.#scanned, start, end)) return 'otherThing';
    // A postal code farther away says nothing.
    if ((this.#isNear || kind !== 'otherThing') && isLocalMobile(this.#scanned, start, end, this.#first))
      return 'mobile';
    // CLI is a caller's number, "cod. cli." a client's.
    if (kind === 'contact' && /^cli\.$/i.test(text.slice(start, end + 1))) return 'person';
    const isAcronymAlone =
      kind === 'between' &&
      end - start === 2 &&
      /^(?!N[OR])[A-Z]{2}$/.test(text.slice(start, end)) &&
      !/\p{L} $/u.test(text.slice(Math.max(0, start - 2), start));
    const isOfCode = kind === 'between' && this.#scanned.kindAt(end) === digitKind;
    return isAcronymAlone || isOfCode || (kind === 'otherThing' && this.#isBehindLink(start))
      ? undefined
      : kind;
  }

  /**
   * In-charge, on-call: behind a linking word and a hyphen, a word has another meaning. But an E-Rechnung is an
   * invoice.
   */
  #isBehindLink(start: number): boolean {
    if (this.#scanned.text[start - 1] !== '-') return false;
    const before = wordStart(this.#scanned, start - 1);
    return start - before > 2 && this.#scanned.wordKind(before, start - 1) === 'between';
  }

  /** Keeps the word next to the number if it may be the number's label. */
  #readNextWord(kind: WordKind | undefined, start: number, end: number): void {
    if (this.#isNextWordRead) return;
    this.#isNextWordRead = true;
    // VF1 612345678: the digits follow a code.
    const isCode = this.#digitsBefore > 0 && this.#number - end - this.#digitsBefore === 1;
    if (kind === undefined && isCode && this.#bareDigits > 0) this.#rest ||= bit.unknownLabel;
    if (this.#isNumberRead && !this.#isInList()) return;
    if (!(isUnlisted(kind) || kind === 'between') || !isNextTo(this.#scanned, end, this.#linkedFrom)) return;
    this.#unknownStart = start;
    this.#unknownEnd = end;
    const isBare = this.#bareDigits > 0;
    if ((isBare || kind === undefined) && isOfProgram(this.#scanned, start)) this.#rest ||= bit.numberedLabel;
    if (kind === undefined)
      this.#rest ||= unknownWordEvidence(this.#scanned, start, end, this.#first, isBare);
  }

  /** Bare numbers of one length with only signs between them are of one kind. */
  #isInList(): boolean {
    return this.#bareDigits > 0 && this.#digitsBefore > 0 && this.#digitsBefore % this.#bareDigits === 0;
  }

  #phoneEvidence(kind: 'phone' | 'mobile' | 'contact', start: number): Evidence {
    const scanned = this.#scanned;
    if (isDenied(scanned, start, Math.max(0, this.#number - maxDistance))) return bit.phoneWordDenied;
    // "Tel. 020 123 4567, KvK 12345678": the phone word belongs to the number before, and this number has its own word.
    if (this.#isNumberBehindWord && this.#unknownEnd > 0)
      return isAcronym(scanned.text, this.#unknownStart, this.#unknownEnd) ? bit.otherWordFar : this.#rest;
    if (!this.#isNear)
      return kind === 'contact' || this.#isDescribed ? bit.phoneWordOfOther : bit.phoneWordFar;
    if (kind === 'contact') return bit.contactWord;
    if (this.#isNumberRead) return bit.phoneWordListed;
    return kind === 'mobile' && !isShared(scanned.text, start)
      ? bit.phoneWord | bit.mobileWord
      : bit.phoneWord;
  }

  #otherThingEvidence(start: number, end: number): Evidence {
    const scanned = this.#scanned;
    const number = this.#number;
    if (this.#digitsBefore === 0 && isVoicemail(scanned, start, end, number)) return bit.voicemail;
    if (isCompound(scanned, start, end, number)) return bit.otherWordNear;
    // In der Agentur (030 901820): brackets hold what a word adds to its thing, and not the id of the thing.
    if (this.#bareDigits === 0 && this.#isNear && scanned.kindAt(number - 1) === openKind)
      return bit.otherWordFar;
    // A nearer word says more if it is certainly a label.
    const isFar = number - end >= farDistance;
    if (!this.#isNear) return isFar || this.#rest === bit.numberedLabel ? this.#rest : bit.otherWordFar;
    if (this.#digitsBefore === 0) return bit.otherWordNear;
    return this.#isInList() ? bit.otherWordNear : bit.otherWordTaken;
  }

  /** "Ann @ 555 0100": the sign means "at" a number. In "0-100 @ 4.43 | 18.50742 N", it means a price. */
  #isAtPlace(at: number): boolean {
    const scanned = this.#scanned;
    const isBehindName = scanned.kindBefore(at - 1) === letterKind;
    return isBehindName && !this.#isNumberRead && scanned.kindAt(at + 1) === spaceKind;
  }

  #readDigit(at: number): Evidence {
    // A word before another number belongs to that number, unless only signs separate the two numbers.
    if (this.#isWordRead) this.#isNumberBehindWord = true;
    else {
      this.#digitsBefore++;
      this.#linkedFrom = this.#first = at;
    }
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
    if (character === '@' && this.#isAtPlace(at)) return bit.phoneWordFar;
    if (isTelephoneSign(text, at)) return this.#isNear ? this.#phoneEvidence('phone', at) : undecided;
    if (text.charCodeAt(at) < 0x2e80) return undecided;
    if (cjkPhone.includes(character) || cjkPhonePairs.includes(text[at - 1] + character))
      return this.#isNear || this.#isNumberBehindWord ? this.#phoneEvidence('phone', at) : bit.phoneWordFar;
    return this.#isNear && !this.#isNumberRead && cjkOther.includes(character)
      ? bit.otherWordNear
      : undecided;
  }
}

const isUnlisted = (kind: WordKind | undefined): boolean =>
  kind === undefined || kind === 'whose' || kind === 'name';

/** Where the digits up to `at` start, if they end a label: Ref 2: 4711, VIN (last 10): 4711. Else -1. */
function labelDigits(scanned: ScannedText, at: number, number: number): number {
  const { text } = scanned;
  const distance = number - at;
  if (distance < 3 || distance > 4 || !/^\)?:\s$/.test(text.slice(at + 1, number))) return -1;
  let start = at;
  while (at - start < 3 && scanned.kindAt(start - 1) === digitKind) start--;
  const before = scanned.kindAt(start - 1);
  return at - start < 2 && (before === spaceKind || before === openKind) ? start : -1;
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
