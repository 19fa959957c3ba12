/**
 * Text -> stretches that have the shape of a phone number, by shape and by the words around them. No metadata, no
 * regular expressions over the text, one pass: every character is looked at a bounded number of times however hostile
 * the text is.
 *
 * A chain is a run of digit groups; dates in it are set aside; the rest is cut into segments, one number each; a segment
 * that has the shape of another thing (card, document, price …) or follows the word for one is dropped.
 */

import type { Candidate } from '../number.ts';
import { addTails, closeJoint, withAreaOf } from './alternatives.ts';
import { CLOSE, DIGIT, HIDDEN, isDigit, kindAt, LETTER, OPEN, OTHER, PLUS, SPACE } from './characters.ts';
import { contextBefore, isUnitAfter } from './context.ts';
import { markDates } from './dates.ts';
import {
  bracketCloses,
  type Chain,
  HAS_SLASH,
  IS_CUT,
  lengthOf,
  readChain,
  startsWithZero,
} from './digit-groups.ts';
import { extensionEnd } from './extension-mark.ts';
import { CLEAN, isSpoiltAfter, kindBefore, SPOILT, touchBefore } from './neighbours.ts';
import { looksLikeOtherThing } from './other-shapes.ts';
import { hasBrackets, segmentEnd } from './segment.ts';

const chain: Chain = { text: '', starts: [], ends: [], gaps: [], dated: [], count: 0 };

/** Every candidate in `text`, in order, never overlapping; spans in UTF-16 units. Never throws. */
export function scan(text: string): Candidate[] {
  const found: Candidate[] = [];
  const length = text.length;
  let free = 0;
  closeJoint();
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || (code > 57 && (code < 0x660 || !isDigit(code)))) continue;
    const end = readChain(chain, text, at);
    if (end - at > 2) free = cutChain(free, found);
    at = Math.max(end, free) - 1;
  }
  chain.text = '';
  return found;
}

/** Adds the numbers of the chain just read. @returns the first place that is not part of one. */
function cutChain(free: number, found: Candidate[]): number {
  const { text, starts, ends, gaps, count } = chain;
  let from = 0;
  let to = count - 1;
  const touch = touchBefore(text, starts[0]!);
  if (touch === SPOILT) {
    do from++;
    while (from <= to && !(gaps[from]! & IS_CUT));
  }
  if (isSpoiltAfter(text, ends[to]!)) {
    while (to >= from && !(gaps[to]! & IS_CUT)) to--;
    to--;
  }
  if (to - from > 1) markDates(chain);
  while (from <= to) {
    const last = segmentEnd(chain, from, to, hasPlus(text, starts[from]!));
    if (last >= from) {
      const end = candidateAt(from, last, from === 0 ? touch : CLEAN, free, found);
      if (end > 0) free = end;
    }
    from = last < -1 ? -last : Math.max(last, from) + 1;
    while (from <= to && (!(gaps[from]! & IS_CUT) || starts[from]! < free)) from++;
  }
  return free;
}

/** Adds the segment `from..last` where it may be a number. @returns where it ends, 0 where it is none. */
function candidateAt(from: number, last: number, touch: number, free: number, found: Candidate[]): number {
  const { text, starts, ends } = chain;
  let digits = 0;
  for (let group = from; group <= last; group++) digits += lengthOf(chain, group);
  const start = startOf(from, last, free);
  const plus = hasPlus(text, starts[from]!);
  const strong = plus || hasBrackets(chain, from, last);
  // Short ones are internal extensions, and only where they stand alone behind their word.
  if (digits < (plus ? 6 : 7) && (digits < 3 || chain.count > 2)) return 0;
  const before = contextBefore(text, start);
  if (digits < (plus ? 6 : 7) && !before.adjacent) return 0;
  if (before.other === 'near' && !strong) return 0;
  // ZIP+4 94103-1234
  if (
    plus &&
    before.contextWords === 'none' &&
    kindAt(text, start) === PLUS &&
    kindAt(text, start - 1) === LETTER
  )
    return 0;
  const plain = from === last && !strong;
  if (before.other === 'far' && plain) return 0;
  // 02060023/24: a file of a year.
  if (
    plain &&
    before.contextWords === 'none' &&
    chain.gaps[last + 1]! === HAS_SLASH &&
    lengthOf(chain, last + 1) < 4 &&
    last + 1 < chain.count
  )
    return 0;
  // In code and data a name, a colon and a bare figure mean anything: z-index:2147483647;
  if (
    plain &&
    before.contextWords === 'none' &&
    text[start - 1] === ':' &&
    ';}"'.includes(text[ends[last]!] ?? ' ')
  )
    return 0;
  if (touch !== CLEAN && !strong && (plain || before.contextWords === 'none') && !isBehindSign(text, start))
    return 0;
  const previous = found[found.length - 1];
  const whole =
    previous && !strong && digits > 6 && !startsWithZero(chain, from)
      ? withAreaOf(previous, text, start, ends[last]!, last - from + 1)
      : undefined;
  const clear = (before.contextWords === 'phone' && !before.listed && !before.hinted) || whole !== undefined;
  if (!plus && looksLikeOtherThing(chain, from, last, clear, before.listed)) return 0;
  if (!strong && before.contextWords === 'none' && isUnitAfter(text, ends[last]!)) return 0;
  const contextWords = plain && before.hinted ? 'none' : before.contextWords;
  const end = extensionEnd(text, ends[last]!);
  const own = text.slice(start, end);
  found.push(
    whole === undefined
      ? { start, end, text: own, contextWords }
      : { start, end, text: own, contextWords, whole: whole + text.slice(ends[last]!, end) },
  );
  if (digits > 6 && end === ends[last]) return Math.max(end, addTails(text, found));
  closeJoint();
  return end;
}

function hasPlus(text: string, first: number): boolean {
  const kind = kindAt(text, first - 1);
  if (kind === PLUS) return true;
  return (kind === SPACE || kind === OPEN) && kindAt(text, first - 2) === PLUS;
}

/** A dash behind a sign, as in `#Name#-123 456 7890`, is a dash between words. */
function isBehindSign(text: string, start: number): boolean {
  return kindBefore(text, start - 1) === OTHER;
}

/** Where the number begins: its plus, and a bracket that closes inside it, belong to it. */
function startOf(from: number, last: number, free: number): number {
  const { text, starts } = chain;
  let start = starts[from]!;
  let plus = false;
  for (let at = start - 1; at >= free && starts[from]! - at < 5; at--) {
    const kind = kindAt(text, at);
    if (kind === PLUS && !plus) {
      const previous = at > 0 ? kindAt(text, at - 1) : SPACE;
      if (
        at < starts[from]! - 1 &&
        (previous === PLUS || previous === LETTER || previous === DIGIT || previous === CLOSE)
      )
        break;
      plus = true;
      start = at;
    } else if (kind === OPEN) {
      if (bracketCloses(chain, from, last)) start = at;
      break;
    } else if (kind !== SPACE && kind !== HIDDEN) break;
  }
  return start;
}
