/** What the page's layout does with pieces of text: which are rendered, which are joined, and which are apart. */
import type { StyleOf } from './style-reader.ts';
import { boxesOf } from './text-boxes.ts';
import { type Block, boxElementOf, dataOf, elementOfBlock, parentOf } from './tree.ts';
import { isInvisible, isMasked, isReversed, minOpacity } from './visible-text.ts';

/**
 * How an element lays out its text: in the line, apart, or not at all. In the line, it may have room or a box around
 * it.
 */
type Layout = 'inline' | 'spaced' | 'box' | 'apart' | 'none';

interface Character {
  node: Text;
  offset: number;
}

/** The least size of readable letters. Smaller letters are dots. */
const minFontPx = 3;
/** Gaps between characters, in ems. A space has a quarter or a third of an em. */
const visibleGap = 0.12;
const wideGap = 0.6;

function layoutOf(element: Element, styleOf: StyleOf): Layout {
  const style = styleOf(element);
  const { display } = style;
  if (display === 'none') return 'none';
  if (/^(inline|ruby|contents)$/.test(display)) {
    if (/^su/.test(style.verticalAlign)) return 'apart'; // A footnote.
    const { marginLeft, marginRight, paddingLeft, paddingRight } = style;
    return /[1-9]/.test(marginLeft + marginRight + paddingLeft + paddingRight) ? 'spaced' : 'inline';
  }
  if (isClipped(element)) return 'none';
  return display.startsWith('inline') ? 'box' : 'apart';
}

/** True if at most a pixel of the element is visible. It is folded, or for screen readers only. */
function isClipped(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  if (Math.min(width, height) > 1) return false;
  const { overflow, display } = getComputedStyle(element);
  // An element without a box of its own cuts nothing.
  return overflow !== 'visible' && display !== 'contents';
}

/**
 * Whether a text inside a rendered block is rendered, too, and can be read as it is written. Unreadable text uses its
 * room, but its digits cannot be seen or are in another order.
 */
export function readabilityOf(
  node: Text,
  block: Block,
  styleOf: StyleOf,
): 'readable' | 'notRendered' | 'unreadable' {
  const parent = parentOf(node)!;
  const own = elementOfBlock(block);
  if (isReversed(own, styleOf)) return 'unreadable';
  if (parent === own) return 'readable';
  const { visibility, fontSize } = styleOf(parent);
  if (visibility !== 'visible' || fontSize === '0px') return 'notRendered';
  let isUnreadable = Number.parseFloat(fontSize) < minFontPx || isInvisible(parent, own, styleOf);
  let opacity = 1;
  for (let element: Element | null = parent; element && element !== own; element = parentOf(element)) {
    if (layoutOf(element, styleOf) === 'none') return 'notRendered';
    isUnreadable ||= isReversed(element, styleOf) || isMasked(element, styleOf);
    opacity *= Number(styleOf(element).opacity);
  }
  return isUnreadable || opacity < minOpacity ? 'unreadable' : 'readable';
}

/** True if the block itself can be seen, scrolled to or not. `clipped` keeps the results of ancestors. */
export function isRendered(block: Block, clipped: Map<Element, boolean>): boolean {
  const own = boxElementOf(block);
  return own.checkVisibility({ visibilityProperty: true }) && !isInsideClipped(own, clipped);
}

function isInsideClipped(element: Element | null, clipped: Map<Element, boolean>): boolean {
  if (!element) return false;
  let is = clipped.get(element);
  if (is === undefined) {
    is = isClipped(element) || isInsideClipped(parentOf(element), clipped);
    clipped.set(element, is);
  }
  return is;
}

/**
 * What is between two characters on the screen. It is a line break if they are apart, a space if a gap looks like it,
 * or nothing. Style decides. Boxes are measured only if style leaves that open.
 */
export function breakBetween(
  last: Character,
  next: Character,
  hasSpace: boolean,
  styleOf: StyleOf,
): '' | ' ' | '\n' {
  const found = layoutsBetween(last.node, next.node, styleOf);
  if (found.includes('apart') || found.includes('none')) return '\n';
  const isBox = found.includes('box');
  if (hasSpace && !isBox && !found.includes('spaced')) return '';
  const [size, other] = [next, last].map(({ node }) => styleOf(parentOf(node)!).fontSize);
  // Digits of another size are apart: "8040" and a small "2 calls" behind it.
  if (!hasSpace && size !== other && isDigitAt(last) && isDigitAt(next)) return '\n';
  const border = hasSpace ? '' : borderBetween(last, next);
  // Digits in the element beside that of a whole number: `<span>800 204 117</span><span>24 h</span>`
  if (/(?:\p{Nd}[ .()-]{0,2}){9}\n\p{Nd}/u.test(border)) return '\n';
  const gap = gapBetween(last, next) / Number.parseFloat(size!);
  // The characters are on different lines. Text that runs on is joined, boxes below each other are not.
  if (gap === Number.POSITIVE_INFINITY) return isBox ? '\n' : '';
  if (gap > (isBox && !hasSpace ? visibleGap : wideGap)) return '\n';
  return !hasSpace && (gap > visibleGap || isBehindLabel(last, next) || twoWords.test(border)) ? ' ' : '';
}

/** True if two texts are in separate boxes, for example if an inline element is laid out as a block. */
export const areApart = (one: Text, other: Text, styleOf: StyleOf): boolean =>
  layoutsBetween(one, other, styleOf).includes('apart');

/** A form's label is a word of its own, also without a gap: `<label>Wife</label><span>555 0132</span>` */
function isBehindLabel(last: Character, next: Character): boolean {
  const label = last.node.parentElement?.closest('label');
  return !!label && !label.contains(next.node);
}

/** A word and a number in two elements side by side: `<span>02 41 88 42 10</span><small>ADELI 491004188</small>` */
const twoWords = /\p{Nd}\n\p{L}{2}|\p{L}{2}\n[\p{Nd}+]/u;

/**
 * The adjoining ends of two elements, with a line break between. Empty if one element is in the other, except for a
 * number behind a whole word: `Yildiz<span>0176 44120937</span>`
 */
function borderBetween(last: Character, next: Character): string {
  const end = dataOf(last.node, Math.max(0, last.offset - 24), last.offset + 1);
  const isNested =
    last.node.parentElement?.contains(next.node) || next.node.parentElement?.contains(last.node);
  if (isNested && !/\p{Ll}{2}$/u.test(end)) return '';
  return `${end}\n${dataOf(next.node, next.offset, next.offset + 2)}`;
}

/** Layouts of the elements that are around only one of two texts. */
const layoutsBetween = (one: Text, other: Text, styleOf: StyleOf): Layout[] => [
  ...layoutsAround(one, other, styleOf),
  ...layoutsAround(other, one, styleOf),
];

/** Layouts of the elements around `text` that are not around `other`. */
function layoutsAround(text: Text, other: Text, styleOf: StyleOf): Layout[] {
  const found: Layout[] = [];
  for (let at = text.parentElement; at && !at.contains(other); at = at.parentElement)
    found.push(layoutOf(at, styleOf));
  return found;
}

const isDigitAt = ({ node, offset }: Character) => /\p{Nd}/u.test(dataOf(node, offset, offset + 1));

/** Pixels between the boxes of two characters. Infinite if they are not on one line. */
function gapBetween(last: Character, next: Character): number {
  const one = boxOf(last);
  const other = boxOf(next);
  if (!one || !other) return 0;
  if (Math.min(one.bottom, other.bottom) <= Math.max(one.top, other.top)) return Number.POSITIVE_INFINITY;
  return Math.max(other.left - one.right, one.left - other.right, 0);
}

function boxOf({ node, offset }: Character): DOMRect | undefined {
  return boxesOf({
    startContainer: node,
    startOffset: offset,
    endContainer: node,
    endOffset: offset + 1,
  })[0];
}

/**
 * True for `white-space: pre-line` and the like, as in mails and notes. Numbers on separate lines must not become one
 * long number.
 */
export function keepsLines(node: Text, styleOf: StyleOf): boolean {
  return /preserve/.test(styleOf(parentOf(node)!).getPropertyValue('white-space-collapse'));
}
