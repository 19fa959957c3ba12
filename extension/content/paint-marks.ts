/**
 * Paints the marked numbers with a CSS Highlight, and records which part of the page is which judged number. The page shares the
 * highlight registry and may fill or clear it: it only paints. What may be clicked is decided by our record and the page's text.
 */
import type { NumberInText } from '../../shared/numbers/number-in-text.ts';
import type { ContentSettings } from '../messages/content.ts';
import type { JudgedNumber } from '../messages/views.ts';
import { isNear } from './overlay-place.ts';
import { isFirefox } from './shadow-roots.ts';
import { readPlace } from './text-blocks.ts';
import { boxesOf, isTextAt } from './text-boxes.ts';
import { type Block, boxElementOf, type Place } from './tree.ts';

export interface Mark {
  block: Block;
  place: Place;
  /** The page's own text at `place`: that of `source`, and what is not rendered. */
  pageText: string;
  /** The text of its block up to it. */
  before: string;
  /** What was judged, white space collapsed. */
  source: NumberInText;
  number: JudgedNumber;
}

/** More would slow every change the page makes to itself, and no viewport shows as many. */
const maxMarks = 300;
const highlightName = 'dialmark-number';
/**
 * Adding or removing an underline makes Chromium (156) measure its whole layer again, 13 ms at 30,000 elements, as does every change
 * of the page while it is painted; a background does not. Above so many elements the numbers get only a background.
 */
const maxUnderlinedElements = 5_000;

export type Marks = ReturnType<typeof paintMarks>;

export function paintMarks(signal: AbortSignal) {
  const byBlock = new Map<Block, Mark[]>();
  const painted = new Map<Mark, AbstractRange>();
  const highlight = new Highlight();
  const sheet = new CSSStyleSheet();
  const roots = new Set<WeakRef<Document | ShadowRoot>>();
  let name = highlightName;

  const isUnchanged = ({ place, pageText }: Mark) =>
    place.startContainer.isConnected && readPlace(place) === pageText;
  const rects = (mark: Mark) =>
    byBlock.get(mark.block)?.includes(mark) && isUnchanged(mark)
      ? boxesOf(mark.place).filter((rect) => rect.width > 0)
      : [];

  const paint = (mark: Mark) => {
    const range = rangeOf(mark.place);
    painted.set(mark, range);
    highlight.add(range);
  };
  const erase = (mark: Mark) => {
    highlight.delete(painted.get(mark)!);
    painted.delete(mark);
  };
  const drop = (block: Block) => {
    for (const mark of byBlock.get(block) ?? []) erase(mark);
    byBlock.delete(block);
  };
  const adoptIn = (root: Document | ShadowRoot) => {
    if (!root.adoptedStyleSheets.includes(sheet))
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  };
  const addRoot = (root: Document | ShadowRoot) => {
    roots.add(new WeakRef(root));
    adoptIn(root);
  };
  const unregister = () => {
    if (CSS.highlights.get(name) === highlight) CSS.highlights.delete(name);
  };
  /** Registers highlight and sheets again: the page may have removed them. */
  const register = () => {
    if (
      !isFirefox &&
      name === highlightName &&
      document.getElementsByTagName('*').length > maxUnderlinedElements
    ) {
      unregister();
      name += '-plain';
    }
    if (CSS.highlights.get(name) !== highlight) CSS.highlights.set(name, highlight);
    for (const reference of roots) {
      const root = reference.deref();
      if (root) adoptIn(root);
      else roots.delete(reference);
    }
  };

  signal.addEventListener('abort', () => {
    unregister();
    for (const root of roots) {
      const sheets = root.deref();
      if (sheets)
        sheets.adoptedStyleSheets = [...sheets.adoptedStyleSheets].filter((other) => other !== sheet);
    }
  });

  return {
    /** Replaces the marks of a block, without those whose text changed meanwhile. An unchanged number keeps mark and range. */
    set(block: Block, marks: readonly Mark[]) {
      const before = byBlock.get(block) ?? [];
      const room = maxMarks - painted.size + before.length;
      const kept = new Set<Mark>();
      for (const mark of marks) {
        if (kept.size >= room) break;
        const current = before.find((old) => isSame(old, mark)) ?? mark;
        if (isUnchanged(current)) kept.add(current);
      }
      for (const mark of before) if (!kept.has(mark)) erase(mark);
      byBlock.delete(block);
      if (kept.size === 0) return;
      byBlock.set(block, [...kept]);
      for (const mark of kept) if (!painted.has(mark)) paint(mark);
      register();
    },
    drop,
    of: (block: Block): readonly Mark[] => byBlock.get(block) ?? [],
    /** Drops marks of removed blocks, and those in `changed` (default: all) whose text changed. @returns whether any was dropped */
    check(changed: Iterable<Block | undefined> = byBlock.keys()) {
      const before = painted.size;
      for (const block of byBlock.keys()) if (!block.isConnected) drop(block);
      for (const block of new Set(changed)) {
        const marks = block && byBlock.get(block);
        if (!marks) continue;
        const kept = marks.filter(isUnchanged);
        for (const mark of marks) if (!kept.includes(mark)) erase(mark);
        byBlock.set(block, kept);
      }
      return painted.size < before;
    },
    /** The mark of this block at a point of the viewport. */
    at: (block: Block | null | undefined, x: number, y: number) =>
      byBlock
        .get(block!)
        ?.find((mark) => rects(mark).some((rect) => isInside(rect, x, y)) && isTextAt(mark.place, x, y)),
    rects,
    /** The boxes of the marks whose blocks are so close to a box. */
    near: (box: DOMRect, gapPx: number): DOMRect[] =>
      [...byBlock]
        .filter(([block]) => isNear(boxElementOf(block).getBoundingClientRect(), box, gapPx))
        .flatMap(([, marks]) => marks.flatMap(rects)),
    get size() {
      return painted.size;
    },
    applySettings({ underline }: ContentSettings) {
      // `marks.css` is the default; this sheet holds deviations, and the whole style inside Firefox's shadow roots.
      sheet.replaceSync(markStyle(underline));
      if (underline !== 'dotted') addRoot(document);
    },
    /** Firefox paints inside a shadow root only by a rule adopted there (153). */
    adopt(root: Document | ShadowRoot) {
      if (isFirefox && root !== document) addRoot(root);
    },
  };
}

/** Style of marked numbers. Firefox (153) does not inherit it from the root. */
function markStyle(underline: ContentSettings['underline']): string {
  const rule = `${isFirefox ? '' : ':root'}::highlight(${highlightName})`;
  const line = underline === 'none' ? 'none' : `underline ${underline} currentcolor`;
  return `${rule} { text-decoration: ${line}; background-color: #8882; }
    @media (forced-colors: active) {
      ${rule} { color: LinkText; background-color: Canvas; text-decoration: underline; }
    }`;
}

/** True where both start at the same place with the same text and judgement. */
function isSame(one: Mark, other: Mark): boolean {
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
 * Chromium visits every live range of a document at each of its changes (12 ns each) and no static one; Firefox is the reverse.
 * `check` drops stale text before the page is painted.
 */
function rangeOf(place: Place): AbstractRange {
  if (!isFirefox) return new StaticRange(place);
  const range = document.createRange();
  range.setStart(place.startContainer, place.startOffset);
  range.setEnd(place.endContainer, place.endOffset);
  return range;
}
