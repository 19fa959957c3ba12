/** A text while it is scanned, with the kinds of its characters. */
import { digitKind, kindOf, otherKind } from './characters.ts';
import { contextLexicon, type WordKind } from './context-words.ts';
import { digitClass } from './digit-class.ts';

/** `lastIndex` is set before each use, so the expression keeps nothing from one text to the next. */
const anyDigit = new RegExp(digitClass, 'g');

const readBefore = 80;
/**
 * How many characters are read ahead. While digits are near each other, the stretch grows. For a lone digit it is
 * short.
 */
const minAhead = 64;
const maxAhead = 4096;

/**
 * Keeps the kind of each character around digits, because it is read many times and a string is far slower. Characters
 * far from all digits are never read.
 */
export class ScannedText {
  readonly text: string;
  readonly #kinds: Uint8Array;
  /** The kinds are known from here to `#readTo`. */
  #readFrom = 0;
  #readTo = 0;
  #ahead = minAhead;
  /** Kinds of the words read so far, because lists of numbers repeat words. Null for a word without a kind. */
  readonly #wordKinds = new Map<string, WordKind | null>();

  constructor(text: string) {
    this.text = text;
    this.#kinds = new Uint8Array(text.length);
  }

  /** Where the next digit at `from` or behind it is; -1 if no digit is left. */
  nextDigit(from: number): number {
    const kinds = this.#kinds;
    let at = from;
    while (at < this.#readTo && kinds[at] !== digitKind) at++;
    if (at < this.#readTo) return at;
    anyDigit.lastIndex = at;
    if (!anyDigit.test(this.text)) return -1;
    at = anyDigit.lastIndex - 1;
    if (at - readBefore > this.#readTo) {
      this.#readFrom = this.#readTo = at - readBefore;
      this.#ahead = minAhead;
    }
    this.#readUpTo(at + this.#ahead);
    return at;
  }

  /** The kind of the character at `at`, `otherKind` beyond the ends of the text. */
  kindAt(at: number): number {
    return at >= this.#readFrom && at < this.#readTo ? this.#kinds[at]! : this.#kindBeyond(at);
  }

  /** The kind of the character before `at`; the start of a text, a line or a block counts as a space. */
  kindBefore(at: number): number {
    const code = at > 0 ? this.text.charCodeAt(at - 1) : 32;
    return kindOf(code < 32 || code === 0x2028 || code === 0x2029 ? 32 : code);
  }

  /** What the word from `start` to `end` says of a number behind it. */
  wordKind(start: number, end: number): WordKind | undefined {
    const word = this.text.slice(start, end);
    let kind = this.#wordKinds.get(word);
    if (kind === undefined) {
      kind = contextLexicon.kindOf(word) ?? null;
      this.#wordKinds.set(word, kind);
    }
    return kind ?? undefined;
  }

  #kindBeyond(at: number): number {
    if (at < 0 || at >= this.text.length) return otherKind;
    if (at < this.#readFrom) return kindOf(this.text.charCodeAt(at));
    this.#readUpTo(at + this.#ahead);
    return this.#kinds[at]!;
  }

  #readUpTo(end: number): void {
    if (this.#ahead < maxAhead) this.#ahead *= 2;
    const { text } = this;
    const kinds = this.#kinds;
    const stop = Math.min(end, text.length);
    for (let at = this.#readTo; at < stop; at++) kinds[at] = kindOf(text.charCodeAt(at));
    this.#readTo = stop;
  }
}
