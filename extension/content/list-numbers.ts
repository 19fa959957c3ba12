/** All numbers of this frame, for the list in popup and side panel: every number can be reached without a pointer. */
import type { NumberOnPage } from '../messages.ts';
import { nameOf } from './labels.ts';
import { isRendered } from './layout.ts';
import type { NumberFinder } from './number-finder.ts';
import type { PageObserver } from './page-observer.ts';
import { isInsideUntouchable, parentOf, textOf } from './text-blocks.ts';

const maxListed = 200;
/** A few milliseconds of reading. */
const blocksPerBatch = 50;

export async function listNumbers(observer: PageObserver, finder: NumberFinder): Promise<NumberOnPage[]> {
  const listed = new Map<string, NumberOnPage>();
  const clipped = new Map<Element, boolean>();
  const blocks = (await observer.allBlocks()).filter(
    (block) => !isInsideUntouchable(block) && isRendered(block, clipped),
  );
  for (let start = 0; start < blocks.length && listed.size < maxListed; start += blocksPerBatch) {
    for (const [block, numbers] of await finder.find(blocks.slice(start, start + blocksPerBatch))) {
      const read = numbers.length > 0 ? textOf(block).text : '';
      for (const { text, whole, number, place } of numbers) {
        if (listed.has(number.display)) continue;
        const context = nameOf(parentOf(place.startContainer)!, read.slice(0, read.indexOf(text)));
        // The end of a number by itself would be judged as another number.
        listed.set(number.display, { text: whole ? number.display : text, display: number.display, context });
      }
    }
  }
  return [...listed.values()];
}
