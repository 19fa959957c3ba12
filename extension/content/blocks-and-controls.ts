/** Finds everything on the page that may hold a number, also far from the viewport. */
import { mayBeControl } from './click-target.ts';
import { selectors } from './selectors.ts';
import { shadowRootOf } from './shadow-roots.ts';
import { findBlocks } from './text-blocks.ts';
import type { TimeSlicer } from './time-slicer.ts';
import { type Block, elementOfBlock } from './tree.ts';

/** @returns blocks with a digit and the page's controls, in document order. Those in shadow roots are last. */
export async function findBlocksAndControls(slicer: TimeSlicer): Promise<Block[]> {
  const places: Block[] = [];
  const roots: ParentNode[] = [document];
  for (const root of roots) {
    const blocks = new Set<Block>();
    const enter = (element: Element) => {
      const inner = shadowRootOf(element);
      if (inner) roots.push(inner);
    };
    for (const block of findBlocks(root, enter)) {
      if (block) blocks.add(block);
      else if (slicer.isDue()) await slicer.yieldToPage();
    }
    const controls = [...root.querySelectorAll(selectors.control)].filter(mayBeControl);
    let index = 0;
    for (const block of blocks) {
      while (controls[index] && isBefore(controls[index]!, block)) places.push(controls[index++]!);
      places.push(block);
    }
    places.push(...controls.slice(index));
  }
  return places;
}

const isBefore = (one: Element, other: Block) =>
  (one.compareDocumentPosition(elementOfBlock(other)) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
