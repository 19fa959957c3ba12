/** Treats the page as one tree, through shadow hosts. */

/** A shadow root may hold text directly. */
export type Block = Element | ShadowRoot;

/** A part of the page, from text node to text node. */
export interface Place {
  startContainer: Text;
  startOffset: number;
  endContainer: Text;
  endOffset: number;
}

export function elementOfBlock(block: Block): Element {
  return block instanceof ShadowRoot ? block.host : block;
}

/** Parent element as rendered: a slot, or the shadow host. The slots of a closed root are hidden from us. */
export function parentOf(node: Node): Element | null {
  const slot = (node as Text).assignedSlot;
  const parent = ofNode(node, 'parentNode');
  return slot?.localName === 'slot'
    ? slot
    : parent instanceof ShadowRoot
      ? parent.host
      : ofNode(node, 'parentElement');
}

/** The element and all that it is rendered in, from the inside out. */
export function withAncestors(element: Element | null | undefined): Element[] {
  const found: Element[] = [];
  for (let at = element; at; at = parentOf(at)) found.push(at);
  return found;
}

/** The element if it has a box, else the nearest element around it with a box. A slot does not have a box. */
export const withBox = (element: Element | null): Element | null =>
  element && getComputedStyle(element).display === 'contents' ? withBox(parentOf(element)) : element;

/** The element whose box shows a block. */
export const boxElementOf = (block: Block): Element =>
  block instanceof ShadowRoot ? withBox(block.host)! : block;

/** A property of a node, also of a form with a field of that name. In Chromium, the field hides the own property. */
export const ofNode = <Name extends keyof Node>(node: Node, name: Name): Node[Name] =>
  Reflect.get(Node.prototype, name, node);

/** Next node in document order inside `root`; `skip` passes over the children. */
export function nextNode(node: Node, root: Node, skip?: boolean): Node | null {
  let next = skip ? null : ofNode(node, 'firstChild');
  for (let at: Node | null = node; at && !next && at !== root; at = ofNode(at, 'parentNode'))
    next = ofNode(at, 'nextSibling');
  return next;
}

/** A part of a text node. Firefox copies the whole `data` at each reading, even 10 MB. */
export const dataOf = (node: Text, start: number, end = node.length): string =>
  start < node.length ? node.substringData(start, end - start) : '';
