/**
 * Reads a root as blocks of text. A block is the nearest element around a text that is not inline; its text runs over the inline
 * elements inside (`<b>+55</b> 11 …` is one number) as far as they are laid out so, with a map back to the text nodes. Changes nothing.
 */
import { readTelephoneAddress } from '../../shared/numbers/text/telephone-address.ts';
import { breakBetween, isNotRendered, keepsLines, type Layouts } from './layout.ts';
import { inlineNames, selectors, untouchableNames } from './selectors.ts';
import { type Block, elementOf, nextNode, type Place, parentOf } from './tree.ts';
import { hasDigit } from './words.ts';

/** A part of `BlockText.text` up to the next one, contiguous in one text node. */
interface Piece {
  at: number;
  node: Text;
  offset: number;
}

export interface BlockText {
  /** White space collapsed as the page shows it; `\n` where a line or another box interrupts. Only what is rendered. */
  text: string;
  pieces: Piece[];
  /** True where digits were left out because they are not rendered now. */
  isPartlyHidden: boolean;
}

export function isTelephoneLink(element: Element): boolean {
  return element.localName === 'a' && !!readTelephoneAddress(element.getAttribute('href') ?? '')?.isCall;
}

/** True for elements whose text is never marked. `tel:` links are links already; their clicks are handled in click.ts. */
export function isUntouchable(element: Element): boolean {
  return (
    untouchableNames.has(element.localName) ||
    (element.hasAttributes() && element.matches(selectors.untouchable))
  );
}

/** True where the block or anything around it is untouchable, through shadow hosts. */
export function isInsideUntouchable(block: Block | null): boolean {
  for (let element = block && elementOf(block); element; element = parentOf(element))
    if (isUntouchable(element)) return true;
  return false;
}

/** Whether elements that are not inline by name were laid out so when the walk came by. */
const inlineByLayout = new WeakMap<Element, boolean>();

function isInline(element: Element, measure?: boolean): boolean {
  if (element.matches(selectors.neverInline)) return false;
  if (inlineNames.has(element.localName)) return true;
  if (measure) inlineByLayout.set(element, /^(inline|contents)$/.test(getComputedStyle(element).display));
  return !!inlineByLayout.get(element);
}

/** Block of a text node, or of an element that may be inline. `measure` reads the page's style, which is to be avoided while it changes. */
export function blockOf(node: Node, measure?: boolean): Block | undefined {
  let at: Node | null = node.nodeType === 3 ? node.parentNode : node;
  while (at instanceof Element && isInline(at, measure)) at = at.parentNode;
  return at instanceof Element || at instanceof ShadowRoot ? at : undefined;
}

/** Digits at the end and the beginning of a text, with no more than punctuation beyond. */
const digitAtEnd = /\p{Nd}[^\p{L}]{0,4}$/u;
const digitAtStart = /^[^\p{L}]{0,4}\p{Nd}/u;

/**
 * Yields every block with a digit under `root`, which may be a control, and undefined now and then for a check of the clock. The page may change between
 * two `next()` calls: a removed node ends the walk, and the change itself has its surroundings walked again.
 */
export function* findBlocks(root: Node, onElement: (element: Element) => void): Generator<Block | undefined> {
  let last: Block | undefined;
  let steps = 0;
  for (let node: Node | null = root, skip = false; node; node = nextNode(node, root, skip)) {
    skip = false;
    if (node.nodeType === 1) {
      skip = node !== root && isUntouchable(node as Element);
      if (!skip) onElement(node as Element);
    } else if (node.nodeType === 3 && hasDigit.test((node as Text).data)) {
      const block = blockOf(node, true);
      if (block && block !== last) {
        last = block;
        yield block;
      }
    }
    if (++steps % 64 === 0) yield undefined; // Lets the caller check the clock.
  }
}

/** Text of a block without that of blocks inside it. @param control of the page in or around the block, to be read like other text. */
export function textOf(block: Block, control?: Element): BlockText {
  const pieces: Piece[] = [];
  const layouts: Layouts = new Map();
  let text = '';
  let space = true; // At the start, after a break or after white space: more white space adds nothing.
  let isPartlyHidden = false;
  /** The last character, where no break follows it. */
  let last: { node: Text; offset: number } | undefined;
  const addBreak = () => {
    text += '\n';
    space = true;
    last = undefined;
  };
  for (let node = nextNode(block, block), skip = false; node; node = nextNode(node, block, skip)) {
    // Slotted into a button, it is the button's.
    skip = !control && isInsideUntouchable((node as Text).assignedSlot);
    if (skip) addBreak();
    else if (node.nodeType === 3) addText(node as Text);
    else if (node.nodeType === 1) {
      const element = node as Element;
      skip = element !== control && (!isInline(element) || isUntouchable(element));
      if (skip) addBreak();
    }
  }
  return { text, pieces, isPartlyHidden };

  function addText(node: Text): void {
    const { data } = node;
    const hasDigits = hasDigit.test(data);
    const isAtDigits = hasDigits || digitAtEnd.test(text.slice(-5));
    if (isAtDigits && isNotRendered(node, block, layouts)) {
      isPartlyHidden ||= hasDigits;
      return;
    }
    const lines = isAtDigits && /[\n\t]|\s{3}/.test(data) && keepsLines(node);
    for (const { index, 0: run, 1: blank } of data.matchAll(/([ \t\r\n\f]+)|[^ \t\r\n\f]+/g)) {
      if (blank && lines && /[\n\t]|\s{3}/.test(run)) addBreak();
      if (blank && space) continue;
      if (
        !blank &&
        last &&
        last.node !== node &&
        (digitAtEnd.test(text.slice(-5)) || digitAtStart.test(run))
      ) {
        const added = breakBetween(last, { node, offset: index }, space, layouts);
        if (added === '\n') addBreak();
        else text += added;
      }
      pieces.push({ at: text.length, node, offset: index });
      text += blank ? ' ' : run;
      space = !!blank;
      if (blank) continue;
      last = { node, offset: index + run.length - 1 };
    }
  }
}

/** Place of `text.slice(start, end)` in the page. */
export function placeOf({ pieces }: BlockText, start: number, end: number): Place {
  const first = pieces.findLast((piece) => piece.at <= start)!;
  const last = pieces.findLast((piece) => piece.at < end)!;
  return {
    startContainer: first.node,
    startOffset: first.offset + start - first.at,
    endContainer: last.node,
    endOffset: last.offset + end - last.at,
  };
}

/** The page's own text at a place, white space collapsed: also what is not rendered. */
export function readPlace({ startContainer, startOffset, endContainer, endOffset }: Place): string {
  let text = '';
  for (let node: Node | null = startContainer; node; node = nextNode(node, document)) {
    if (node.nodeType !== 3) continue;
    const { data } = node as Text;
    text += data.slice(
      node === startContainer ? startOffset : 0,
      node === endContainer ? endOffset : undefined,
    );
    if (node === endContainer) break;
  }
  return text.replace(/[ \t\r\n\f]+/g, ' ');
}
