/** All numbers of this frame, for the list in popup and side panel: every number can be reached without a pointer. */
import type { NumberInText } from '../../shared/numbers/number-in-text.ts';
import type { JudgedNumber, ListedNumber } from '../messages/views.ts';
import { textOf } from './block-text.ts';
import { addressOf, judgeAddress, linkTarget, type Target } from './click-target.ts';
import type { Controls, FrameParts } from './frame.ts';
import { clean, labelIn } from './labels.ts';
import { isRendered } from './layout.ts';
import { selectors } from './selectors.ts';
import { isInsideUntouchable, isTelephoneLink } from './text-blocks.ts';
import { parentOf } from './tree.ts';
import { hasDigit } from './words.ts';

const maxListed = 200;
/** A few milliseconds of reading. */
const placesPerBatch = 50;

export async function listNumbers(
  { finder, background, labelOf }: FrameParts,
  controls: Controls,
): Promise<ListedNumber[]> {
  const listed = new Map<string, ListedNumber>();
  const clipped = new Map<Element, boolean>();
  const places = (await controls.findBlocksAndControls()).filter(
    (place) => (controls.isControl(place) || !isInsideUntouchable(place)) && isRendered(place, clipped),
  );
  const add = (
    { source, number }: { source: NumberInText; number: JudgedNumber },
    element: Element,
    before: string,
  ) => {
    if (!listed.has(number.display))
      listed.set(number.display, { source, context: nameOf(element, before, labelOf) });
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
      for (const target of inControls[index]!) {
        const control = target.key as HTMLInputElement;
        const own = (control.labels?.[0] ?? control).textContent.split(target.source.text)[0]!;
        // A link that shows its number has its words before it.
        const isNumber = isTelephoneLink(control) && hasDigit.test(own);
        const before = isNumber ? (control.previousSibling?.textContent ?? '') : own;
        if (target.isCurrent()) add(target, control, before);
      }
      const numbers = found.get(place) ?? [];
      const read = numbers.length > 0 ? textOf(place).text : '';
      for (const mark of numbers)
        add(mark, parentOf(mark.place.startContainer)!, read.slice(0, read.indexOf(mark.source.text)));
    }
  }
  return [...listed.values()];
}

/**
 * Name for people of the number in an element: the words before it in its line, the name in its row, or its label.
 * @param before the text of its block up to the number.
 */
function nameOf(element: Element, before: string, labelOf: FrameParts['labelOf']): string {
  const lines = before.split('\n').map((line) => clean(/[^.,;!?|·\p{Nd}]*$/u.exec(line)![0]));
  const row = element.closest('tr,li,[role=row]');
  const named = row?.querySelector(selectors.rowName);
  const name = named?.contains(element) ? '' : labelIn(named);
  return lines.at(-1) || name || labelOf(element) || lines.findLast(Boolean) || '';
}
