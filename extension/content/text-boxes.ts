/** Where a part of the page's text is on the screen. */
import type { Place } from './tree.ts';

/** One Range for all measurements. Each live range slows every change of the page. */
let ruler: Range | undefined;

/**
 * The boxes of a place in the viewport. Empty if the place does not exist any more: a text node is gone, or shorter.
 */
export const boxesOf = (place: Place): DOMRect[] =>
  measure(place, (range) => [...range.getClientRects()]) ?? [];

/**
 * True if the character at a point belongs to this place. The box around turned text contains other characters, too.
 */
export const isTextAt = (place: Place, x: number, y: number): boolean | undefined =>
  measure(place, (range) => {
    const caret = caretAt(place.startContainer, x, y);
    // The caret is not in a text node if a pseudo-element lies over the text.
    return caret?.offsetNode.nodeType !== 3 || range.isPointInRange(caret.offsetNode, caret.offset);
  });

/** The place in a text at a point, also inside the shadow root of this node. */
export function caretAt(node: Node, x: number, y: number): CaretPosition | null {
  const root = node.getRootNode();
  const shadowRoots = root instanceof ShadowRoot ? [root] : [];
  return document.caretPositionFromPoint?.(x, y, { shadowRoots });
}

function measure<T>(
  { startContainer, startOffset, endContainer, endOffset }: Place,
  read: (range: Range) => T,
): T | undefined {
  ruler ??= document.createRange();
  try {
    ruler.setEnd(endContainer, endOffset);
    ruler.setStart(startContainer, startOffset);
    if (ruler.endContainer === endContainer) return read(ruler);
  } catch {
  } finally {
    // If the range ended elsewhere, Chromium would walk all siblings in between the next time.
    ruler.setEnd(document, 0);
  }
}
