/**
 * The numbers we marked: our own record of which stretch of the page is which judged number, and the Highlight that paints
 * them. The registry of highlights is shared with the page, which may fill or clear it: paint only. What may be clicked is
 * decided by this record alone, and by what the page's text says at the click.
 */
import type { Cue } from '../../shared/numbers/number.ts';
import type { ContentSettings, JudgedNumber } from '../messages.ts';
import { isFirefox } from './shadow-roots.ts';
import type { Block, Place } from './walk.ts';

export interface Mark {
  block: Block;
  place: Place;
  /** What stands at `place`, white space collapsed: what was judged. */
  text: string;
  cue: Cue;
  /** The number in full, where `text` is only its end: 3456-7890/7891. */
  whole?: string;
  number: JudgedNumber;
}

export interface Marks {
  /**
   * Marks of a block, replacing those it had; what the page has changed meanwhile is left out. A number that was read again as it
   * stood keeps its mark: pointer, keyboard and clicks hold on to that.
   */
  set(block: Block, marks: Mark[]): void;
  drop(block: Block): void;
  of(block: Block): readonly Mark[];
  /**
   * Drops marks of blocks that the page has taken away, and those in `changed` (absent: anywhere) whose text is no longer what
   * was judged. -> there were some
   */
  check(changed?: Iterable<Block | undefined>): boolean;
  /** The mark under a point of the viewport, in this block. */
  at(block: Block, x: number, y: number): Mark | undefined;
  /** True while the mark stands and its text is what was judged. */
  holds(mark: Mark): boolean;
  rects(mark: Mark): DOMRect[];
  readonly size: number;
  paint(settings: ContentSettings): void;
  /** Firefox paints inside a shadow root only by a rule adopted there (153). */
  adopt(root: Document | ShadowRoot): void;
}

/** More would tax every change the page makes to itself, and no viewport shows as many. */
const mostMarks = 300;
const highlightName = 'dialmark-number';
/**
 * An underline that comes or goes makes Chromium (156) measure everything its layer holds again, 13 ms at 30,000 elements, and so
 * does every change of the page while it stands; a background does not. Above so many elements the numbers get a background alone.
 */
const mostUnderlined = 5_000;

export function keepMarks(signal: AbortSignal): Marks {
  const byBlock = new Map<Block, Mark[]>();
  const painted = new Map<Mark, AbstractRange>();
  const highlight = new Highlight();
  const sheet = new CSSStyleSheet();
  const roots = new Set<WeakRef<Document | ShadowRoot>>();
  // One Range for every reading: a live one costs the page at each of its changes.
  const ruler = document.createRange();
  const letGo = () => ruler.setEnd(document, 0);
  let size = 0;
  let differs = false;
  let name = highlightName;

  const collapsed = (text: string) => text.replace(/[ \t\r\n\f]+/g, ' ');
  /** False where the page has no such place any more: a text node is gone, or shorter. */
  const lay = ({ startContainer, startOffset, endContainer, endOffset }: Place): boolean => {
    if (!startContainer.isConnected) return false;
    try {
      // From anywhere else Chromium would count its way through all siblings in between.
      letGo();
      ruler.setEnd(endContainer, endOffset);
      ruler.setStart(startContainer, startOffset);
      return ruler.endContainer === endContainer;
    } catch {
      return false;
    }
  };
  const read = (place: Place): string => {
    const { startContainer, startOffset, endContainer, endOffset } = place;
    if (startContainer !== endContainer) return lay(place) ? collapsed(ruler.toString()) : '';
    const { data } = startContainer;
    return startContainer.isConnected && endOffset <= data.length
      ? collapsed(data.slice(startOffset, endOffset))
      : '';
  };
  const reading = <T>(use: () => T): T => {
    try {
      return use();
    } finally {
      letGo();
    }
  };
  const stillReads = (mark: Mark) => read(mark.place) === mark.text;
  const holds = (mark: Mark) => byBlock.get(mark.block)?.includes(mark) === true && stillReads(mark);
  const rects = (mark: Mark) =>
    holds(mark) && lay(mark.place) ? [...ruler.getClientRects()].filter((rect) => rect.width > 0) : [];

  const erase = (mark: Mark) => {
    const range = painted.get(mark);
    if (range) highlight.delete(range);
    painted.delete(mark);
    size--;
  };
  const drop = (block: Block) => {
    for (const mark of byBlock.get(block) ?? []) erase(mark);
    byBlock.delete(block);
  };
  const adoptIn = (root: Document | ShadowRoot) => {
    if (!root.adoptedStyleSheets.includes(sheet))
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  };
  const unregister = () => {
    if (CSS.highlights.get(name) === highlight) CSS.highlights.delete(name);
  };
  /** The page may have cleared the registry or set its own sheets: put ours back. */
  const reassert = () => {
    if (!isFirefox && name === highlightName && document.getElementsByTagName('*').length > mostUnderlined) {
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
    for (const block of [...byBlock.keys()]) drop(block);
    unregister();
    for (const root of roots) {
      const sheets = root.deref();
      if (sheets)
        sheets.adoptedStyleSheets = [...sheets.adoptedStyleSheets].filter((other) => other !== sheet);
    }
  });

  return {
    set(block, marks) {
      const before = byBlock.get(block) ?? [];
      drop(block);
      const standing = marks.map((mark) => before.find((old) => isSame(old, mark)) ?? mark);
      const kept = reading(() => standing.filter(stillReads)).slice(0, Math.max(0, mostMarks - size));
      if (kept.length === 0) return;
      byBlock.set(block, kept);
      size += kept.length;
      for (const mark of kept) {
        const range = rangeOf(mark.place);
        painted.set(mark, range);
        highlight.add(range);
      }
      reassert();
    },
    drop,
    of: (block) => byBlock.get(block) ?? [],
    check: (changed = byBlock.keys()) =>
      reading(() => {
        const before = size;
        for (const block of [...byBlock.keys()]) if (!block.isConnected) drop(block);
        for (const block of new Set(changed)) {
          const marks = block && byBlock.get(block);
          if (!marks) continue;
          const standing = marks.filter(stillReads);
          if (standing.length === marks.length) continue;
          for (const mark of marks) if (!standing.includes(mark)) erase(mark);
          byBlock.set(block, standing);
        }
        return size < before;
      }),
    at: (block, x, y) =>
      reading(() => byBlock.get(block)?.find((mark) => rects(mark).some((rect) => isInside(rect, x, y)))),
    holds: (mark) => reading(() => holds(mark)),
    rects: (mark) => reading(() => rects(mark)),
    get size() {
      return size;
    },
    paint({ underline }) {
      // `marks.css` is the usual look; this sheet says what differs, and everything inside Firefox's shadow roots.
      const rule = `${isFirefox ? '' : ':root'}::highlight(${highlightName})`;
      const line = underline === 'none' ? 'none' : `underline ${underline} currentcolor`;
      sheet.replaceSync(
        `${rule}{text-decoration:${line};background-color:#8882}@media(forced-colors:active){${rule}{color:LinkText;background-color:Canvas;text-decoration:underline}}`,
      );
      if (underline === 'dotted' && !differs) return;
      differs = true;
      adoptIn(document);
      roots.add(new WeakRef(document));
    },
    adopt(root) {
      if (!isFirefox || root === document) return;
      roots.add(new WeakRef(root));
      adoptIn(root);
    },
  };
}

/** Both read the same text from the same place: they end at the same one. */
function isSame(one: Mark, other: Mark): boolean {
  const said = ({ text, cue, whole, number }: Mark) => JSON.stringify([text, cue, whole, number]);
  return (
    one.place.startContainer === other.place.startContainer &&
    one.place.startOffset === other.place.startOffset &&
    said(one) === said(other)
  );
}

export function isInside({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}

/**
 * Chromium visits every live range of a document at each change of it (12 ns each) and no static one; Firefox is the other
 * way round. We look after stale text ourselves, before the page is painted.
 */
function rangeOf(place: Place): AbstractRange {
  if (!isFirefox) return new StaticRange(place);
  const range = document.createRange();
  range.setStart(place.startContainer, place.startOffset);
  range.setEnd(place.endContainer, place.endOffset);
  return range;
}
