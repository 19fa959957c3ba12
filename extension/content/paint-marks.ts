/**
 * Paints the marked numbers with a CSS Highlight, and records which part of the page is which judged number. The page
 * shares the highlight registry and may fill or clear it. The registry only paints. Our record and the page's text
 * decide what may be clicked.
 */
import type { NumberInText } from '../../shared/numbers/number-in-text.ts';
import type { ContentSettings } from '../messages/content.ts';
import type { JudgedNumber } from '../messages/views.ts';
import { isNear } from './overlay-place.ts';
import { isFirefox } from './shadow-roots.ts';
import { isInsideUntouchable, readPlace } from './text-blocks.ts';
import { boxesOf, isTextAt } from './text-boxes.ts';
import { type Block, boxElementOf, type Place, parentOf } from './tree.ts';

export interface Mark {
  block: Block;
  place: Place;
  /** The page's own text at `place`: the text of `source`, and text that is not rendered. */
  pageText: string;
  /** The text of the block before the number. */
  before: string;
  /** What was judged, white space collapsed. */
  source: NumberInText;
  number: JudgedNumber;
}

/** The most marks in a page. More would slow every change of the page, and a viewport does not show as many. */
const maxMarks = 300;
const highlightName = 'dialmark-number';
/**
 * The most elements of a page with underlined numbers in Chromium. On larger pages they get only a background. If an
 * underline is added or removed, Chromium (156) measures its whole layer again, 13 ms at 30,000 elements. It does so,
 * too, at every change of the page while an underline is painted.
 */
const maxUnderlinedElements = 5_000;

export class Marks {
  /** The marks of each block, in order; all of them are in `painted`. */
  readonly #byBlock = new Map<Block, Mark[]>();
  /** The range of each mark, which is in `highlight`. */
  readonly #painted = new Map<Mark, AbstractRange>();
  readonly #highlight = new Highlight();
  readonly #sheet = new CSSStyleSheet({ media: 'screen' });
  /** Roots that have `sheet`. */
  readonly #roots = new Set<WeakRef<Document | ShadowRoot>>();
  /** The name under which `highlight` is registered. */
  #name = highlightName;

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      this.#unregister();
      for (const root of this.#roots) {
        const sheets = root.deref();
        if (sheets)
          sheets.adoptedStyleSheets = [...sheets.adoptedStyleSheets].filter((other) => other !== this.#sheet);
      }
    });
  }

  get size(): number {
    return this.#painted.size;
  }

  of(block: Block): readonly Mark[] {
    return this.#byBlock.get(block) ?? [];
  }

  /** Replaces the marks of a block, except those whose text changed. An unchanged number keeps mark and range. */
  set(block: Block, marks: readonly Mark[]): void {
    const before = this.of(block);
    const room = maxMarks - this.size + before.length;
    const kept = new Set<Mark>();
    for (const mark of marks) {
      if (kept.size >= room) break;
      const current = before.find((old) => isSameMark(old, mark)) ?? mark;
      if (isUnchanged(current)) kept.add(current);
    }
    // In Firefox, the live range of a node that the page moved has collapsed. The number is painted again.
    for (const mark of before) if (!kept.has(mark) || this.#painted.get(mark)!.collapsed) this.#erase(mark);
    this.#byBlock.delete(block);
    if (kept.size === 0) return;
    this.#byBlock.set(block, [...kept]);
    for (const mark of kept) if (!this.#painted.has(mark)) this.#paint(mark);
    this.#register();
  }

  drop(block: Block): void {
    for (const mark of this.of(block)) this.#erase(mark);
    this.#byBlock.delete(block);
  }

  /**
   * Drops the marks of removed blocks, and marks with new text in `changed` (default: all blocks).
   * @returns true if marks were dropped
   */
  check(changed: Iterable<Block | undefined> = this.#byBlock.keys()): boolean {
    const before = this.size;
    for (const block of this.#byBlock.keys()) if (!block.isConnected) this.drop(block);
    for (const block of new Set(changed)) {
      const marks = this.#byBlock.get(block!);
      if (!marks) continue;
      const kept = marks.filter(isUnchanged);
      for (const mark of marks) if (!kept.includes(mark)) this.#erase(mark);
      this.#byBlock.set(block!, kept);
    }
    return this.size < before;
  }

  /** The mark of this block at a point of the viewport. */
  at(block: Block | null | undefined, x: number, y: number): Mark | undefined {
    return this.under(block, x, y).find(({ place }) => isTextAt(place, x, y));
  }

  /** The marks of this block with a box at a point, whatever lies over them. */
  under(block: Block | null | undefined, x: number, y: number): Mark[] {
    return this.of(block!).filter((mark) => this.rects(mark).some((rect) => isInside(rect, x, y)));
  }

  /** The boxes of a mark. Empty if it was dropped, or if its text has changed or can be edited by now. */
  rects(mark: Mark): DOMRect[] {
    const isMarked = this.of(mark.block).includes(mark) && isUnchanged(mark);
    return isMarked && !isInsideUntouchable(parentOf(mark.place.startContainer))
      ? boxesOf(mark.place).filter((rect) => rect.width > 0)
      : [];
  }

  /** The boxes of the marks whose blocks are within `gapPx` of a box. */
  near(box: DOMRect, gapPx: number): DOMRect[] {
    return [...this.#byBlock]
      .filter(([block]) => isNear(boxElementOf(block).getBoundingClientRect(), box, gapPx))
      .flatMap(([, marks]) => marks.flatMap(({ place }) => boxesOf(place)));
  }

  applySettings({ underline }: ContentSettings): void {
    // `marks.css` is the default; this sheet holds deviations, and the whole style inside Firefox's shadow roots.
    this.#sheet.replaceSync(markStyle(underline));
    if (underline !== 'dotted') this.#addRoot(document);
  }

  /** Firefox (153) paints inside a shadow root only if that root has adopted the rule. */
  adopt(root: Document | ShadowRoot): void {
    if (isFirefox && root !== document) this.#addRoot(root);
  }

  #paint(mark: Mark): void {
    const range = rangeOf(mark.place);
    this.#painted.set(mark, range);
    this.#highlight.add(range);
  }

  #erase(mark: Mark): void {
    this.#highlight.delete(this.#painted.get(mark)!);
    this.#painted.delete(mark);
  }

  #addRoot(root: Document | ShadowRoot): void {
    this.#roots.add(new WeakRef(root));
    this.#addSheet(root);
  }

  #addSheet(root: Document | ShadowRoot): void {
    if (!root.adoptedStyleSheets.includes(this.#sheet))
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.#sheet];
  }

  /** Registers highlight and sheets again: the page may have removed them. */
  #register(): void {
    const isLong = () => document.getElementsByTagName('*').length > maxUnderlinedElements;
    if (!isFirefox && this.#name === highlightName && isLong()) {
      this.#unregister();
      this.#name += '-plain';
    }
    if (CSS.highlights.get(this.#name) !== this.#highlight) CSS.highlights.set(this.#name, this.#highlight);
    for (const reference of this.#roots) {
      const root = reference.deref();
      if (root) this.#addSheet(root);
      else this.#roots.delete(reference);
    }
  }

  #unregister(): void {
    if (CSS.highlights.get(this.#name) === this.#highlight) CSS.highlights.delete(this.#name);
  }
}

const isUnchanged = ({ place, pageText }: Mark): boolean =>
  place.startContainer.isConnected && readPlace(place) === pageText;

/** Style of marked numbers. Firefox (153) does not inherit it from the root. */
function markStyle(underline: ContentSettings['underline']): string {
  const rule = `${isFirefox ? '' : ':root'}::highlight(${highlightName})`;
  const line = underline === 'none' ? 'none' : `underline ${underline} currentcolor`;
  return `${rule}{text-decoration:${line};background-color:#8882}
@media(forced-colors:active){${rule}{color:LinkText;background-color:Canvas;text-decoration:underline}}`;
}

/** True where both start at the same place with the same text and judgement. */
function isSameMark(one: Mark, other: Mark): boolean {
  const judgement = ({ block, place, ...judged }: Mark) => JSON.stringify(judged);
  return (
    one.place.startContainer === other.place.startContainer &&
    one.place.startOffset === other.place.startOffset &&
    judgement(one) === judgement(other)
  );
}

export function isInside({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

/**
 * At each change of a document, Chromium visits every live range (12 ns each), but not static ranges. In Firefox it is
 * the reverse. `check` drops stale text before the page is painted.
 */
function rangeOf(place: Place): AbstractRange {
  if (!isFirefox) return new StaticRange(place);
  const range = document.createRange();
  range.setStart(place.startContainer, place.startOffset);
  range.setEnd(place.endContainer, place.endOffset);
  return range;
}
