/** Where a part of the page's text is on the screen. */
import type { Place } from './tree.ts';

/** One Range for all: each live range slows every change of the page. */
let ruler: Range | undefined;

/** Its boxes in the viewport; none where the page has no such place any more: a text node is gone, or shorter. */
export const boxesOf = (place: Place): DOMRect[] =>
  measure(place, (range) => [...range.getClientRects()]) ?? [];

/** True where the character at a point belongs to this place: the box around turned text holds others, too. */
export const isTextAt = (place: Place, x: number, y: number): boolean | undefined =>
  measure(place, (range) => {
    const root = place.startContainer.getRootNode();
    const shadowRoots = root instanceof ShadowRoot ? [root] : [];
    const caret = document.caretPositionFromPoint(x, y, { shadowRoots });
    // There is none where a pseudo-element lies over the text.
    return caret?.offsetNode.nodeType !== 3 || range.isPointInRange(caret.offsetNode, caret.offset);
  });

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
