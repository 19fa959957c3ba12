/**
 * Reads a root as blocks of text. A block is the nearest element around a text that is not inline by name; its text runs over the
 * inline elements inside (`<b>+55</b> 11 …` is one number), with a map back to the text nodes. Changes nothing.
 */

/** A shadow root may hold text directly. */
export type Block = Element | ShadowRoot;

/** A part of `BlockText.text` that is contiguous in one text node. */
interface Piece {
  at: number;
  length: number;
  node: Text;
  offset: number;
}

export interface BlockText {
  /** White space collapsed as the page shows it; `\n` where a line or another block interrupts. */
  text: string;
  pieces: Piece[];
}

/** A part of the page, from text node to text node. */
export interface Place {
  startContainer: Text;
  startOffset: number;
  endContainer: Text;
  endOffset: number;
}

const names = (list: string) => new Set(list.split(' '));

const inline = names(
  'a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q rp rt ruby s slot small span strike strong sub sup time tt u var wbr',
);

/** Code, fields, editors, drawings and media: texts that are not meant to be called, or that are being edited. */
const untouchable = names(
  'script style noscript template textarea input select option button code pre kbd samp svg math canvas video audio iframe object embed head title dialmark-overlay',
);

/** Attributes that make an element an editor or a link of the page's own, or that opt out (`data-dialmark="off"`). */
const untouchableSelector =
  'a[href],[contenteditable]:not([contenteditable=false]),[role=textbox],[role=button],[role=link],[data-dialmark=off]';

const telephoneLink = /^\s*(tel|callto|sip):/i;

export function isTelephoneLink(element: Element): boolean {
  return element.localName === 'a' && telephoneLink.test(element.getAttribute('href') ?? '');
}

/** True for elements whose text is never marked. `tel:` links are links already; their clicks are handled in click.ts. */
export function isUntouchable(element: Element): boolean {
  return (
    untouchable.has(element.localName) || (element.hasAttributes() && element.matches(untouchableSelector))
  );
}

/** True where the block or anything around it is untouchable, through shadow hosts. */
export function isInsideUntouchable(block: Block): boolean {
  for (let element = elementOf(block); element; element = parentOf(element))
    if (isUntouchable(element)) return true;
  return false;
}

export function elementOf(block: Block): Element | null {
  return block instanceof ShadowRoot ? block.host : block;
}

/** Parent element, through the shadow host where there is one. */
export function parentOf(node: Node): Element | null {
  const parent = node.parentNode;
  return parent instanceof ShadowRoot
    ? parent.host
    : (parent as Element | null)?.nodeType === 1
      ? (parent as Element)
      : null;
}

/** Block of a text node, or of an element that may be inline. */
export function blockOf(node: Node): Block | undefined {
  let at: Node | null = node.nodeType === 3 ? node.parentNode : node;
  while (at instanceof Element && inline.has(at.localName)) at = at.parentNode;
  return at instanceof Element || at instanceof ShadowRoot ? at : undefined;
}

/** Next node in document order inside `root`; `skip` passes over the children. */
export function nextNode(node: Node, root: Node, skip = false): Node | null {
  if (!skip && node.firstChild) return node.firstChild;
  for (let at: Node | null = node; at && at !== root; at = at.parentNode)
    if (at.nextSibling) return at.nextSibling;
  return null;
}

/** A digit that the background's scan knows. */
export const hasDigit = /[0-9０-９]/;

/**
 * Yields every block with a digit under `root`, and undefined now and then for a check of the clock. The page may change between
 * two `next()` calls: a removed node ends the walk, and the change itself has its surroundings walked again.
 */
export function* findBlocks(root: Node, onElement: (element: Element) => void): Generator<Block | undefined> {
  let last: Block | undefined;
  let steps = 0;
  for (let node: Node | null = root, skip = false; node; node = nextNode(node, root, skip)) {
    skip = false;
    if (node.nodeType === 1) {
      skip = isUntouchable(node as Element);
      if (!skip) onElement(node as Element);
    } else if (node.nodeType === 3 && hasDigit.test((node as Text).data)) {
      const block = blockOf(node);
      if (block && block !== last) {
        last = block;
        yield block;
      }
    }
    if (++steps % 64 === 0) yield undefined; // Lets the caller check the clock.
  }
}

/** Text of a block without that of blocks inside it. `cuts`: text nodes before which the text must break. */
export function textOf(block: Block, cuts?: ReadonlySet<Node>): BlockText {
  const pieces: Piece[] = [];
  let text = '';
  let space = true; // At the start, after a break or after white space: more white space adds nothing.
  const addBreak = (string: string) => {
    text += string;
    space = true;
  };
  for (let node = nextNode(block, block), skip = false; node; node = nextNode(node, block, skip)) {
    skip = false;
    if (node.nodeType === 3) {
      if (cuts?.has(node)) addBreak('\n');
      const { data } = node as Text;
      for (const match of data.matchAll(/[ \t\r\n\f]+|[^ \t\r\n\f]+/g)) {
        const blank = match[0].trimStart() === '' && /^[ \t\r\n\f]/.test(match[0]);
        if (blank && match[0].includes('\n') && /[\d)]$/.test(text) && keepsLines(node as Text))
          addBreak('\n');
        if (blank && space) continue;
        const piece = {
          at: text.length,
          length: blank ? 1 : match[0].length,
          node: node as Text,
          offset: match.index,
        };
        const last = pieces.at(-1);
        if (
          last &&
          last.node === node &&
          last.at + last.length === piece.at &&
          last.offset + last.length === piece.offset
        )
          last.length += piece.length;
        else pieces.push(piece);
        text += blank ? ' ' : match[0];
        space = blank;
      }
    } else if (node.nodeType === 1) {
      const element = node as Element;
      skip = !inline.has(element.localName) || isUntouchable(element);
      if (skip) addBreak('\n');
    }
  }
  return { text, pieces };
}

/** `white-space: pre-line` and the like, as notes in a CRM have: one number a line must not become one long number. */
function keepsLines(node: Text): boolean {
  const parent = parentOf(node);
  return !!parent && /preserve/.test(getComputedStyle(parent).getPropertyValue('white-space-collapse'));
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

/** Text nodes that hold `text.slice(start, end)`. */
export function nodesOf({ pieces }: BlockText, start: number, end: number): Text[] {
  const nodes = new Set<Text>();
  for (const piece of pieces) if (piece.at < end && piece.at + piece.length > start) nodes.add(piece.node);
  return [...nodes];
}
