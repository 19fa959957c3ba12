/**
 * Text -> stretches that have the shape of a phone number, by shape and by the words around them. No metadata, no
 * regular expression over the text but the one for the next digit, one pass: every character is read a bounded number
 * of times, even in a hostile text.
 *
 * Runs of digit groups are read; dates in them are excluded; the rest is split into segments, one number each; a
 * segment with the shape of another thing (card, document, price …), or after the word for one, is dropped.
 */

import type { Evidence } from '../evidence.ts';
import type { Candidate, DroppedDigits } from '../number.ts';
import { addAbbreviated, type Separator, withAreaOf } from './abbreviated-numbers.ts';
import {
  attached,
  attachmentBefore,
  detached,
  isAttachedAfter,
  isBetweenMarkup,
  isNumberEnd,
  isTimeOrShare,
} from './adjacent-characters.ts';
import {
  candidateEvidence,
  minCandidatePoints,
  minWordPoints,
  minWordPointsForDigits,
} from './candidate-evidence.ts';
import { hiddenKind, letterKind, openKind, otherKind, plusKind, spaceKind } from './characters.ts';
import { ContextReader, phoneWords, phoneWordsNext } from './context.ts';
import { markDates } from './dates.ts';
import {
  bracketCloses,
  cutGap,
  DigitGroups,
  digitsIn,
  isFreephone,
  isInThousands,
  lengthOf,
  slashGap,
  spaceGap,
  startsWithZero,
} from './digit-groups.ts';
import { extensionEnd, isShortNumberList } from './extension-mark.ts';
import { leadingSize } from './leading-groups.ts';
import { markListNumbers } from './list-item-numbers.ts';
import {
  isAccountGroup,
  isBankAccount,
  isPalletCode,
  isParcelCode,
  isPaymentSlip,
  isSerialBehindCode,
  shapeEvidence,
} from './non-phone-shapes.ts';
import { evidenceAfter, isCurrencyBefore, isUnitAfter } from './place-and-unit.ts';
import { isInRow } from './program-text.ts';
import { ScannedText } from './scanned-text.ts';
import { hasBrackets, segmentEnd } from './segment.ts';
import { markVersions } from './versions.ts';

const { bit } = candidateEvidence;
const labelOfOther = bit.unknownLabel | bit.numberedLabel | bit.otherWordFar;

/**
 * Every candidate in `text`, in order, never overlapping; spans in UTF-16 units. Never throws.
 * @param dropped gets the stretches of digits that were weighed and dropped.
 */
export const scan = (text: string, dropped?: DroppedDigits[]): Candidate[] => new Scan(text, dropped).run();

/** + 373603 fix: a plus before a space and so few digits is the sign of a list, and not of a calling code. */
const isShortAlone = (groups: DigitGroups): boolean => groups.count === 1 && lengthOf(groups, 0) < 8;

/** One pass over one text. */
class Scan {
  readonly #scanned: ScannedText;
  /** The run of digit groups that is read now. */
  readonly #groups: DigitGroups;
  readonly #context: ContextReader;
  readonly #found: Candidate[] = [];
  readonly #dropped: DroppedDigits[] | undefined;
  /** The separator behind the candidate found last, if a local number may follow it. */
  #separator: Separator | undefined;

  constructor(text: string, dropped: DroppedDigits[] | undefined) {
    this.#scanned = new ScannedText(text);
    this.#groups = new DigitGroups(this.#scanned);
    this.#context = new ContextReader(this.#scanned);
    this.#dropped = dropped;
  }

  run(): Candidate[] {
    let free = 0;
    for (let at = this.#scanned.nextDigit(0); at >= 0; at = this.#scanned.nextDigit(at)) {
      const end = this.#groups.read(at);
      if (end - at > 2) free = this.#splitGroups(free);
      at = Math.max(end, free);
    }
    return this.#found;
  }

  #drop(start: number, end: number, evidence: Evidence): 0 {
    this.#dropped?.push({ start, end, evidence });
    return 0;
  }

  /** Adds the numbers of the groups just read. @returns the first position behind the last number. */
  #splitGroups(free: number): number {
    const groups = this.#groups;
    const scanned = this.#scanned;
    const { starts, ends, gaps, count } = groups;
    const isCode = isParcelCode(groups) || isPalletCode(groups);
    if (isBankAccount(groups) || isCode || isPaymentSlip(groups)) return free;
    let from = 0;
    let to = count - 1;
    const isMarkedUp = isBetweenMarkup(groups);
    const attachment = isMarkedUp ? detached : attachmentBefore(scanned, starts[0]!, count > 1);
    if (attachment === attached) {
      do from++;
      while (from <= to && (!(gaps[from]! & cutGap) || isAccountGroup(groups, from)));
    }
    if (!isMarkedUp && isAttachedAfter(scanned, ends[to]!)) {
      // +52 1 442 318 60754:22: the number itself continues. A time or a percentage behind a number does not continue
      // it.
      if (from <= to && this.#hasPlus(starts[from]!) && !isTimeOrShare(groups, to)) return free;
      while (to >= from && !(gaps[to]! & cutGap)) to--;
      to--;
    }
    if (to - from > 1) markDates(groups);
    if (to > from) markVersions(groups);
    markListNumbers(groups);
    while (from <= to && groups.isApart[from]) from++;
    if (from < to && !this.#hasPlus(starts[from]!)) {
      const leading = leadingSize(groups, from, to);
      from += leading;
      // 4.8 (12) (415) 555-0132: a rating, and how many people gave it.
      if (leading > 1 && from < to) from += leadingSize(groups, from, to);
      if (leading < 1 && this.#isTakenByWord(from, to)) from++;
    }
    if (from < to && !this.#hasPlus(starts[from]!) && isShortNumberList(groups, from, to)) {
      for (let group = from; group <= to; group++)
        free = this.#candidateAt(group, group, detached, free, true) || free;
      return free;
    }
    while (from <= to) {
      const last = segmentEnd(groups, from, to, this.#hasPlus(starts[from]!));
      if (last >= from) {
        const end = this.#candidateAt(from, last, from === 0 ? attachment : detached, free);
        if (end > 0) free = end;
      }
      from = last < -1 ? -last : Math.max(last, from) + 1;
      while (from <= to && (!(gaps[from]! & cutGap) || starts[from]! < free)) from++;
    }
    return free;
  }

  /**
   * Nota 4711 0800 025 2102: the first digits are the number of the word before them, and a whole phone number follows.
   */
  #isTakenByWord(from: number, to: number): boolean {
    const groups = this.#groups;
    const { text, starts, ends, gaps } = groups;
    const own = lengthOf(groups, from);
    if (own < 4 || gaps[from + 1] !== spaceGap) return false;
    const digits = digitsIn(groups, from + 1, to);
    if (digits < 9 || digits > 13) return false;
    const next = lengthOf(groups, from + 1);
    const isWhole =
      startsWithZero(groups, from + 1) ||
      (from + 1 === to ? own > 4 && own !== next : text[ends[to]! - 5] === '-' && lengthOf(groups, to) === 4);
    return isWhole && (this.#context.read(starts[from]!, own) & bit.otherWordNear) !== 0;
  }

  /**
   * Adds the segment `from..last` if it may be a number.
   * @returns where the last number added ends, or 0 if the segment is not a number.
   */
  #candidateAt(from: number, last: number, attachment: number, free: number, isListed = false): number {
    const groups = this.#groups;
    const scanned = this.#scanned;
    const found = this.#found;
    const { text, starts, ends } = groups;
    const digits = digitsIn(groups, from, last);
    // Short numbers are internal extensions. They count only if they are alone behind their word.
    const isAlone = groups.count < 3 || isListed;
    if (digits < 3 || (digits < 6 && !isAlone)) return 0;
    const plus = this.#hasPlus(starts[from]!);
    const isShort = digits < (plus ? 6 : 7);
    if (isShort && !isAlone) return 0;
    const start = this.#startOf(from, last, free);
    const strong = plus || hasBrackets(groups, from, last);
    const bare = from === last && !strong;
    let evidence = this.#context.read(start, bare ? digits : 0, isShort);
    evidence |= evidenceAfter(text, ends[last]!);
    if (isCurrencyBefore(scanned, start)) evidence |= bit.amount;
    if (isShort && !(evidence & phoneWordsNext)) evidence |= bit.short;
    if (strong) evidence |= plus ? bit.plus : bit.brackets;
    if (last > from) evidence |= bit.grouped;
    if (attachment !== detached && !this.#isBehindSign(start)) {
      // PRLV FREE MOBILE MDT FM-45919845-1: a phone word that is far away does not make a code a phone number.
      const isCode =
        bare ||
        (evidence & bit.phoneWordFar) !== 0 ||
        (!(evidence & bit.phoneWord) && isSerialBehindCode(groups, from));
      evidence |= isCode ? bit.joinedBySign | bit.bareJoinedBySign : bit.joinedBySign;
    }
    if (!(evidence & phoneWords)) evidence |= this.#evidenceWithoutWord(from, last, start, plus, strong);
    if (candidateEvidence.sum(evidence) < minCandidatePoints) return this.#drop(start, ends[last]!, evidence);
    const previous = found[found.length - 1];
    const whole =
      previous && !strong && digits > 6 && !startsWithZero(groups, from)
        ? withAreaOf(previous, this.#separator, text.slice(start, ends[last]), start, last - from + 1)
        : undefined;
    if (whole !== undefined) evidence |= bit.areaOfNumberBefore;
    const shape = plus ? 0 : shapeEvidence(groups, from, last, (evidence & bit.phoneWordListed) !== 0);
    if (shape !== 0) {
      evidence |= shape;
      if (candidateEvidence.sum(evidence) < minCandidatePoints)
        return this.#drop(start, ends[last]!, evidence);
    }
    const words = evidence & phoneWords;
    const enough = bare ? minWordPointsForDigits : minWordPoints;
    const isPhone = words !== 0 && candidateEvidence.sum(words) >= enough;
    const announced = evidence & bit.mobileWord ? 'mobile' : 'phone';
    const contextWords = isPhone ? announced : evidence & labelOfOther ? 'label' : 'none';
    const end = extensionEnd(scanned, ends[last]!);
    const own = text.slice(start, end);
    found.push(
      whole === undefined
        ? { start, end, text: own, contextWords, evidence }
        : { start, end, text: own, contextWords, evidence, whole: whole + text.slice(ends[last]!, end) },
    );
    this.#separator = digits > 6 && end === ends[last] ? addAbbreviated(scanned, found) : undefined;
    return found[found.length - 1]!.end;
  }

  /** The evidence that counts only if no word announces a phone number. */
  #evidenceWithoutWord(from: number, last: number, start: number, plus: boolean, strong: boolean): Evidence {
    const groups = this.#groups;
    const { scanned, text, ends, gaps, count } = groups;
    const isBehindLetter = scanned.kindAt(start - 1) === letterKind && text[start - 1] !== '_';
    if (plus && scanned.kindAt(start) === plusKind && isBehindLetter) return bit.plusOfWord;
    if (strong) return 0;
    if (last > from && isFreephone(groups, from)) return bit.freephone;
    let evidence = isUnitAfter(scanned, ends[last]!, isInThousands(groups, from, last)) ? bit.amount : 0;
    if (last > from) return evidence;
    // 02060023/24: a file of a year. 912847193/612 84 71 93: the digits behind the slash are the next number.
    const isAnotherNext = last + 2 < count && gaps[last + 2]! !== slashGap;
    if (last + 1 < count && gaps[last + 1]! === slashGap && lengthOf(groups, last + 1) < 4 && !isAnotherNext)
      evidence |= bit.serialOfYear;
    // In code and data a bare figure behind a name and a colon can be anything: z-index:2147483647;
    if (text[start - 1] === ':' && ';}"'.includes(text[ends[last]!] ?? ' ')) evidence |= bit.dataField;
    if (isInRow(text, start)) evidence |= bit.dataField;
    return evidence;
  }

  #hasPlus(first: number): boolean {
    const scanned = this.#scanned;
    const kind = scanned.kindAt(first - 1);
    if (kind === plusKind) return true;
    if ((kind !== spaceKind && kind !== openKind) || scanned.kindAt(first - 2) !== plusKind) return false;
    if (kind === spaceKind && isShortAlone(this.#groups)) return false;
    // 030 901820 + 48 99127-6304: the sign is between two numbers.
    return kind === openKind || scanned.kindAt(first - 3) !== spaceKind || !isNumberEnd(scanned, first - 4);
  }

  /** A dash behind a sign, as in `#Name#-123 456 7890`, is a dash between words. */
  #isBehindSign(start: number): boolean {
    return this.#scanned.kindBefore(start - 1) === otherKind;
  }

  /** Where the number begins, with its plus and a bracket that closes inside it. */
  #startOf(from: number, last: number, free: number): number {
    const groups = this.#groups;
    const scanned = this.#scanned;
    const { starts } = groups;
    let start = starts[from]!;
    let plus = false;
    for (let at = start - 1; at >= free && starts[from]! - at < 5; at--) {
      const kind = scanned.kindAt(at);
      if (kind === plusKind && !plus) {
        const previous = at > 0 ? scanned.kindAt(at - 1) : spaceKind;
        const isBehindNumber = isNumberEnd(scanned, previous === spaceKind ? at - 2 : at - 1);
        const isOfOther = previous === plusKind || previous === letterKind || isBehindNumber;
        if (at < starts[from]! - 1 && (isOfOther || isShortAlone(this.#groups))) break;
        plus = true;
        start = at;
      } else if (kind === openKind) {
        if (bracketCloses(groups, from, last)) start = at;
        break;
      } else if (kind !== spaceKind && kind !== hiddenKind) break;
    }
    return start;
  }
}
