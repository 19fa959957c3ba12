/** Where a part of the page's text is on the screen. */
import type { Place } from './tree.ts';

/** One Range for all: each live range slows every change of the page. */
let ruler: Range | undefined;

/** Its boxes in the viewport; none where the page has no such place any more: a text node is gone, or shorter. */
export function boxesOf({ startContainer, startOffset, endContainer, endOffset }: Place): DOMRect[] {
  ruler ??= document.createRange();
  try {
    ruler.setEnd(endContainer, endOffset);
    ruler.setStart(startContainer, startOffset);
    return ruler.endContainer === endContainer ? [...ruler.getClientRects()] : [];
  } catch {
    return [];
  } finally {
    // From anywhere else Chromium would walk all siblings in between the next time.
    ruler.setEnd(document, 0);
  }
}
