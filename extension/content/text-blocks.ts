/**
 * Finds the blocks of text under a node. A block is the nearest element around a text that is not inline. Changes
 * nothing.
 */
import { readTelephoneAddress } from '../../shared/numbers/text/telephone-address.ts';
import { inlineNames, neverInlineNames, selectors, untouchableNames } from './selectors.ts';
import { createStyleReader, type StyleOf } from './style-reader.ts';
import { type Block, dataOf, elementOfBlock, nextNode, ofNode, type Place, withAncestors } from './tree.ts';
import { hasDigit } from './words.ts';

export function isTelephoneLink(element: Element): boolean {
  return element.localName === 'a' && !!readTelephoneAddress(element.getAttribute('href') ?? '')?.isCall;
}

/** True for elements whose text is never marked. `tel:` links are links already; click.ts handles their clicks. */
export function isUntouchable(element: Element): boolean {
  return (
    (untouchableNames.has(element.localName) && !element.matches('pre>code')) ||
    (element.hasAttributes() && element.matches(selectors.untouchable))
  );
}

/** True while the whole page is an editor, as the frame of a mail that is being written. */
export const isPageEditor = (): boolean => document.designMode === 'on';

/** True where the block or anything around it is untouchable, through shadow hosts. */
export const isInsideUntouchable = (block: Block | null): boolean =>
  !!block && (isPageEditor() || withAncestors(elementOfBlock(block)).some(isUntouchable));

/**
 * Elements that were inline only by layout when the walk read them. They are few. Each entry slows every garbage
 * collection.
 */
const inlineByLayout = new WeakSet<Element>();

/**
 * @param styleOf reads styles. Without it, the last result of the walk counts: styles must not be read while the page
 * changes.
 */
export function isInline(element: Element, styleOf?: StyleOf): boolean {
  if (element.hasAttributes() && element.matches(selectors.neverInline)) return false;
  if (inlineNames.has(element.localName)) return true;
  if (neverInlineNames.has(element.localName)) return false;
  if (!styleOf) return inlineByLayout.has(element);
  const isByLayout = /^(inline|contents)$/.test(styleOf(element).display);
  if (isByLayout) inlineByLayout.add(element);
  else inlineByLayout.delete(element);
  return isByLayout;
}

/** Block of a text node, or of an element that may be inline. @param styles as for `isInline` */
export function blockOf(node: Node, styleOf?: StyleOf): Block | undefined {
  let at: Node | null = node.nodeType === 3 ? node.parentNode : node;
  while (at instanceof Element && isInline(at, styleOf)) at = ofNode(at, 'parentNode');
  return at instanceof Element || at instanceof ShadowRoot ? at : undefined;
}

/**
 * Yields every block with a digit under `root`, which may be a control. Now and then it yields undefined, so that the
 * clock can be checked. The page may change between two `next()` calls. A removed node ends the walk, but the change
 * causes a new walk of its surroundings.
 */
export function* findBlocks(root: Node, onElement: (element: Element) => void): Generator<Block | undefined> {
  const styleOf = createStyleReader();
  let last: Block | undefined;
  let steps = 0;
  for (let node: Node | null = root, skip = false; node; node = nextNode(node, root, skip)) {
    skip = false;
    if (node.nodeType === 1) {
      skip = node !== root && isUntouchable(node as Element);
      if (!skip) onElement(node as Element);
    } else if (node.nodeType === 3 && hasDigit.test((node as Text).data)) {
      const block = blockOf(node, styleOf);
      if (block && block !== last) {
        last = block;
        yield block;
      }
    }
    if (++steps % 64 === 0) yield undefined; // Lets the caller check the clock.
  }
}

/** The page's own text at a place, with white space collapsed. It includes text that is not rendered. */
export function readPlace({ startContainer, startOffset, endContainer, endOffset }: Place): string {
  let text = '';
  for (let node: Node | null = startContainer; node; node = nextNode(node, document)) {
    if (node.nodeType !== 3) continue;
    const start = node === startContainer ? startOffset : 0;
    text += dataOf(node as Text, start, node === endContainer ? endOffset : undefined);
    if (node === endContainer) break;
  }
  return text.replace(/[ \t\r\n\f]+/g, ' ');
}
