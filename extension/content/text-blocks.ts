/**
 * Finds the blocks of text under a node. A block is the nearest element around a text that is not inline. Changes nothing.
 */
import { readTelephoneAddress } from '../../shared/numbers/text/telephone-address.ts';
import { inlineNames, selectors, untouchableNames } from './selectors.ts';
import { type Block, elementOf, nextNode, type Place, parentOf } from './tree.ts';
import { hasDigit } from './words.ts';

export function isTelephoneLink(element: Element): boolean {
  return element.localName === 'a' && !!readTelephoneAddress(element.getAttribute('href') ?? '')?.isCall;
}

/** True for elements whose text is never marked. `tel:` links are links already; their clicks are handled in click.ts. */
export function isUntouchable(element: Element): boolean {
  return (
    (untouchableNames.has(element.localName) && !element.matches('pre>code')) ||
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

export function isInline(element: Element, measure?: boolean): boolean {
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
