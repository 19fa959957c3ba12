/** All numbers of this frame, for the list in popup and side panel: the way to every number without a pointer. */
import type { NumberOnPage } from '../messages.ts';
import type { Finder } from './find.ts';
import type { Observer } from './observe.ts';
import { standsInUntouchable } from './walk.ts';

const mostListed = 200;
/** Blocks read at once: a few milliseconds. */
const batch = 50;
const contextLength = 80;

export async function listNumbers(observer: Observer, finder: Finder): Promise<NumberOnPage[]> {
  const listed = new Map<string, NumberOnPage>();
  const blocks = (await observer.everyBlock()).filter((block) => !standsInUntouchable(block));
  for (let start = 0; start < blocks.length && listed.size < mostListed; start += batch) {
    for (const [block, numbers] of await finder.find(blocks.slice(start, start + batch))) {
      for (const { text, whole, number } of numbers) {
        if (listed.has(number.display)) continue;
        const around = (block.textContent ?? '').replace(/\s+/g, ' ').trim();
        const from = Math.max(0, around.indexOf(text) - contextLength / 2);
        const context = around.slice(from, from + contextLength);
        // The end of a number alone would be judged as another one.
        listed.set(number.display, { text: whole ? number.display : text, display: number.display, context });
      }
    }
  }
  return [...listed.values()];
}
