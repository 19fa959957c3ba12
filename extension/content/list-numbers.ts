/** All numbers of this frame, for the list in popup and side panel: every number can be reached without a pointer. */
import type { NumberOnPage } from '../messages.ts';
import type { NumberFinder } from './number-finder.ts';
import type { PageObserver } from './page-observer.ts';
import { isInsideUntouchable } from './text-blocks.ts';

const maxListed = 200;
/** A few milliseconds of reading. */
const blocksPerBatch = 50;
const contextLength = 80;

export async function listNumbers(observer: PageObserver, finder: NumberFinder): Promise<NumberOnPage[]> {
  const listed = new Map<string, NumberOnPage>();
  const blocks = (await observer.allBlocks()).filter((block) => !isInsideUntouchable(block));
  for (let start = 0; start < blocks.length && listed.size < maxListed; start += blocksPerBatch) {
    for (const [block, numbers] of await finder.find(blocks.slice(start, start + blocksPerBatch))) {
      for (const { text, whole, number } of numbers) {
        if (listed.has(number.display)) continue;
        const around = (block.textContent ?? '').replace(/\s+/g, ' ').trim();
        const from = Math.max(0, around.indexOf(text) - contextLength / 2);
        const context = around.slice(from, from + contextLength);
        // The end of a number by itself would be judged as another number.
        listed.set(number.display, { text: whole ? number.display : text, display: number.display, context });
      }
    }
  }
  return [...listed.values()];
}
