/** All numbers of this frame, for the list in popup and side panel: every number can be reached without a pointer. */
import type { NumberInList } from '../messages/views.ts';
import { addressOf, judgeAddress, linkTarget, markTarget, type Target } from './click-target.ts';
import type { Controls, FrameParts } from './frame-parts.ts';
import { isRendered } from './layout.ts';
import { linksInRow, nameBeside } from './name-beside.ts';
import { selectors } from './selectors.ts';
import { isInsideUntouchable, isTelephoneLink } from './text-blocks.ts';

const maxListed = 200;
/** How many places are read together. This takes a few milliseconds. */
const placesPerBatch = 50;

export async function listNumbers(
  { finder, background, marks }: FrameParts,
  controls: Controls,
): Promise<NumberInList[]> {
  const listed = new Map<string, NumberInList>();
  const clipped = new Map<Element, boolean>();
  const places = (await controls.findBlocksAndControls()).filter(
    (place) => (controls.isControl(place) || !isInsideUntouchable(place)) && isRendered(place, clipped),
  );
  const add = (target: Target) => {
    const { source, number } = target;
    if (listed.has(number.display)) return;
    listed.set(number.display, { source, context: nameBeside(target), links: linksInRow(target) });
  };
  const numbersIn = async (control: Element): Promise<Target[]> => {
    if (!isTelephoneLink(control)) return controls.read(control);
    if (control.closest(selectors.optedOut)) return [];
    const number = await judgeAddress(addressOf(control), background);
    return number ? [linkTarget(control, number)] : [];
  };
  for (let start = 0; start < places.length && listed.size < maxListed; start += placesPerBatch) {
    const batch = places.slice(start, start + placesPerBatch);
    const found = new Map(await finder.find(batch.filter((place) => !controls.isControl(place))));
    const inControls = await Promise.all(
      batch.map((place) => (controls.isControl(place) ? numbersIn(place) : [])),
    );
    for (const [index, place] of batch.entries()) {
      for (const target of inControls[index]!) if (target.isCurrent()) add(target);
      for (const mark of found.get(place) ?? []) add(markTarget(mark, marks));
    }
  }
  return [...listed.values()];
}
