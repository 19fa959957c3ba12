/**
 * Reads the text of a block as the page shows it, with a map back to the text nodes. The text continues across elements
 * that are laid out inline: `<b>+55</b> 11 …` is one number. Time and memory grow with the length of the text, even if
 * it is split into many nodes.
 */
import { areApart, breakBetween, keepsLines, readabilityOf } from './layout.ts';
import { createStyleReader } from './style-reader.ts';
import { isInline, isInsideUntouchable, isUntouchable } from './text-blocks.ts';
import { type Block, dataOf, nextNode, type Place } from './tree.ts';
import { hasDigit } from './words.ts';

/** A part of `BlockText.text` whose characters are the same in one text node. It ends where the next piece begins. */
interface Piece {
  at: number;
  node: Text;
  offset: number;
}

interface Stretch {
  at: number;
  end: number;
}

export interface BlockText {
  /**
   * Only the rendered text, with white space as the page shows it. It has `\n` where a line ends or another box
   * interrupts.
   */
  text: string;
  pieces: Piece[];
  /** Parts of the text that are invisible or shown in another order. They are sorted by their start. */
  unreadable: Stretch[];
  /** True where digits were left out because they are not rendered now. */
  isPartlyHidden: boolean;
}

/** How many nodes, or words in one node, are read between two pauses. This takes less than a millisecond. */
const stepsPerPause = 256;
/** Match a digit at the end or the start of a text. At most four characters, but not letters, may be beyond it. */
const digitAtEnd = /\p{Nd}[^\p{L}]{0,4}$/u;
const digitAtStart = /^[^\p{L}]{0,4}\p{Nd}/u;
/** How many characters at the edge of a text these two patterns look at. */
const edgeLength = 5;
/** How close to a number unreadable text must be to count as part of it, in characters. */
const closeLength = 3;
const lineBreakOrGap = /[\n\t]|\s{3}/;
/** Characters that begin or end an embedding, an override or an isolate. */
const bidiControl = /[\u202a-\u202e\u2066-\u2069]/;
const rightToLeftOverride = '\u202e';
/** Matches a word, or at most 64 characters of it, with the white space or directional character after it. */
const wordAndNext =
  /([^ \t\r\n\f\u202a-\u202e\u2066-\u2069]{0,64})([ \t\r\n\f]+|[\u202a-\u202e\u2066-\u2069]|)/y;

/**
 * Reads the text of a block without the text of blocks inside it. Yields now and then so that the clock can be checked.
 * The page may change meanwhile.
 * @param control a control in or around the block that is read like other text.
 */
export function* readBlock(block: Block, control?: Element): Generator<undefined, BlockText> {
  const reader = new BlockReader(block);
  let steps = 0;
  for (let node = nextNode(block, block), skip = false; node; node = nextNode(node, block, skip)) {
    // A node that is slotted into a button belongs to the button.
    skip = !control && isInsideUntouchable((node as Text).assignedSlot);
    if (skip) reader.addBreak();
    else if (node.nodeType === 3) yield* reader.addText(node as Text);
    else if (node.nodeType === 1) {
      const element = node as Element;
      skip = element !== control && (!isInline(element) || isUntouchable(element));
      if (skip) reader.addBreak();
      // A `<br>` ends the paragraph, and with it every override.
      if (element.localName === 'br') reader.endOverrides();
    }
    if (++steps % stepsPerPause === 0) yield;
  }
  return reader.result();
}

class BlockReader {
  readonly #block: Block;
  readonly #parts: string[] = [];
  readonly #pieces: Piece[] = [];
  readonly #unreadable: Stretch[] = [];
  readonly #styleOf = createStyleReader();
  #length = 0;
  /** The last characters of the text. Joining all parts each time to look at them would take quadratic time. */
  #tail = '';
  /** True at the start, after a break and after white space, where more white space adds nothing. */
  #hasSpace = true;
  /** The place of the last character. Undefined at the start and after a break. */
  #last: { node: Text; offset: number } | undefined;
  #isPartlyHidden = false;
  /** The directional characters that are still in force. */
  #bidi = '';

  constructor(block: Block) {
    this.#block = block;
  }

  result(): BlockText {
    return {
      text: this.#parts.join(''),
      pieces: this.#pieces,
      unreadable: this.#unreadable,
      isPartlyHidden: this.#isPartlyHidden,
    };
  }

  addBreak(): void {
    this.#append('\n');
    this.#hasSpace = true;
    this.#last = undefined;
  }

  endOverrides(): void {
    this.#bidi = '';
  }

  *addText(node: Text): Generator<undefined, void> {
    const { data } = node;
    const hasDigits = hasDigit.test(data);
    const isAtDigits = hasDigits || digitAtEnd.test(this.#tail);
    const readability = isAtDigits ? readabilityOf(node, this.#block, this.#styleOf) : 'readable';
    if (readability !== 'readable') this.#isPartlyHidden ||= hasDigits;
    if (readability === 'notRendered') return;
    const lines = isAtDigits && lineBreakOrGap.test(data) && keepsLines(node, this.#styleOf);
    const start = this.#length;
    yield* this.#addCharacters(node, data, lines, readability === 'readable');
    if (readability === 'unreadable') this.#unreadable.push({ at: start, end: this.#length });
  }

  #readBidi(character: string): void {
    if (character === '\u202c') this.#bidi = this.#bidi.replace(/[\u202a-\u202e]$/, '');
    else if (character === '\u2069') this.#bidi = this.#bidi.replace(/[\u2066-\u2068][\u202a-\u202e]*$/, '');
    // Browsers ignore embeddings that are deeper.
    else if (bidiControl.test(character) && this.#bidi.length < 125) this.#bidi += character;
  }

  *#addCharacters(node: Text, data: string, lines: boolean, isVisible: boolean): Generator<undefined, void> {
    const step = new RegExp(wordAndNext);
    let start = 0;
    let orderedFrom = this.#length;
    /** Ends a part of the text. If a right-to-left override is active, the screen shows its digits in another order. */
    const endOrder = () => {
      if (isVisible && this.#bidi.includes(rightToLeftOverride))
        this.#unreadable.push({ at: orderedFrom, end: this.#length });
      orderedFrom = this.#length;
    };
    for (let at = 0, steps = 1; at < data.length; at = step.lastIndex) {
      if (++steps % stepsPerPause === 0) yield;
      step.lastIndex = at;
      const [, word, next] = step.exec(data)!;
      const end = at + word!.length;
      // A single space between two words stays as it is.
      if (!next || (next === ' ' && end > start)) continue;
      this.#addWords(node, data, start, end);
      start = end;
      if (bidiControl.test(next)) {
        endOrder();
        this.#readBidi(next);
        continue;
      }
      start += next.length;
      if (lines) this.#addBlankOfLine(node, end, next);
      else if (!this.#hasSpace) this.#add(node, end, ' ');
      this.#hasSpace = true;
    }
    this.#addWords(node, data, start, data.length);
    endOrder();
  }

  /** Blanks of a text that keeps its lines stay as they are: they show the columns of a table. */
  #addBlankOfLine(node: Text, at: number, blank: string): void {
    const lineEnd = blank.lastIndexOf('\n');
    if (lineEnd >= 0) this.addBreak();
    if (lineEnd + 1 < blank.length) this.#add(node, at + lineEnd + 1, blank.slice(lineEnd + 1));
  }

  /** Adds words that have one space between them, and perhaps a space at the end. */
  #addWords(node: Text, data: string, from: number, to: number): void {
    if (from === to) return;
    const last = this.#last;
    if (last && last.node !== node) {
      const [word] = data.slice(from, Math.min(from + edgeLength, to)).split(' ', 1);
      if (digitAtEnd.test(this.#tail) || digitAtStart.test(word!)) {
        const added = breakBetween(last, { node, offset: from }, this.#hasSpace, this.#styleOf);
        if (added === '\n') this.addBreak();
        else this.#append(added);
      } else if (hasDigit.test(data) && areApart(last.node, node, this.#styleOf)) this.addBreak();
    }
    this.#add(node, from, data.slice(from, to));
    this.#hasSpace = data[to - 1] === ' ';
    this.#last = { node, offset: this.#hasSpace ? to - 2 : to - 1 };
  }

  #add(node: Text, offset: number, text: string): void {
    const last = this.#pieces.at(-1);
    if (last?.node !== node || this.#length - last.at !== offset - last.offset)
      this.#pieces.push({ at: this.#length, node, offset });
    this.#append(text);
  }

  #append(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    this.#tail = (this.#tail + text.slice(-edgeLength)).slice(-edgeLength);
  }
}

/** Place of `text.slice(start, end)` in the page. */
export function placeOf({ pieces }: BlockText, start: number, end: number): Place {
  const first = pieceAt(pieces, start);
  const last = pieceAt(pieces, end - 1);
  return {
    startContainer: first.node,
    startOffset: first.offset + start - first.at,
    endContainer: last.node,
    endOffset: last.offset + end - last.at,
  };
}

/** True if a person reads `text.slice(start, end)` as it is written, and unreadable text is not close to it. */
export function isReadableText({ unreadable }: BlockText, start: number, end: number): boolean {
  const nearest = unreadable[lastIndexAt(unreadable, end + closeLength)];
  return !nearest || nearest.at > end + closeLength || nearest.end < start - closeLength;
}

/** True while the page's text nodes have what was read as `text.slice(start, end)`; white space is not compared. */
export function isStillThere({ text, pieces }: BlockText, start: number, end: number): boolean {
  const blank = /\s/g;
  for (let index = lastIndexAt(pieces, start); index < pieces.length; index++) {
    const { at, node, offset } = pieces[index]!;
    if (at >= end) break;
    const from = Math.max(start, at);
    const to = Math.min(end, pieces[index + 1]?.at ?? end);
    const now = dataOf(node, offset + from - at, offset + to - at);
    if (now.replace(blank, '') !== text.slice(from, to).replace(blank, '')) return false;
  }
  return true;
}

const pieceAt = (pieces: readonly Piece[], at: number): Piece => pieces[lastIndexAt(pieces, at)]!;

/** Index of the last entry that begins at or before `at`. If there is not such an entry, 0. */
function lastIndexAt(entries: readonly { at: number }[], at: number): number {
  let low = 0;
  let high = entries.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.at <= at) low = middle;
    else high = middle;
  }
  return low;
}
