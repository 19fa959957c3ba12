/** All numbers of this frame, for the list in popup and side panel: every number can be reached without a pointer. */
import type { JudgedNumber, NumberOnPage } from '../messages.ts';
import type { Controls, FrameParts } from './frame.ts';
import { nameOf } from './labels.ts';
import { isRendered } from './layout.ts';
import { isInsideUntouchable, parentOf, textOf } from './text-blocks.ts';

const maxListed = 200;
/** A few milliseconds of reading. */
const placesPerBatch = 50;

export async function listNumbers({ finder }: FrameParts, controls: Controls): Promise<NumberOnPage[]> {
  const listed = new Map<string, NumberOnPage>();
  const clipped = new Map<Element, boolean>();
  const places = (await controls.findPlaces()).filter(
    (place) => (controls.isControl(place) || !isInsideUntouchable(place)) && isRendered(place, clipped),
  );
  const add = (
    { text, whole, number }: { text: string; whole?: string | undefined; number: JudgedNumber },
    element: Element,
    before: string,
  ) => {
    if (listed.has(number.display)) return;
    // The end of a number by itself would be judged as another number.
    const own = whole ? number.display : text;
    listed.set(number.display, { text: own, display: number.display, context: nameOf(element, before) });
  };
  for (let start = 0; start < places.length && listed.size < maxListed; start += placesPerBatch) {
    const batch = places.slice(start, start + placesPerBatch);
    const found = new Map(await finder.find(batch.filter((place) => !controls.isControl(place))));
    const inControls = await Promise.all(
      batch.map((place) => (controls.isControl(place) ? controls.read(place) : [])),
    );
    for (const [index, place] of batch.entries()) {
      for (const target of inControls[index]!) {
        const control = target.key as HTMLInputElement;
        const before = (control.labels?.[0] ?? control).textContent.split(target.text)[0]!;
        if (target.isCurrent()) add(target, control, before);
      }
      const numbers = found.get(place) ?? [];
      const read = numbers.length > 0 ? textOf(place).text : '';
      for (const mark of numbers)
        add(mark, parentOf(mark.place.startContainer)!, read.slice(0, read.indexOf(mark.text)));
    }
  }
  return [...listed.values()];
}
