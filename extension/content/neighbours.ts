/** Finds what is near a number and must not be covered by its tip. */
import { isNear } from './overlay-place.ts';
import type { Marks } from './paint-marks.ts';
import { selectors } from './selectors.ts';
import { isTelephoneLink } from './text-blocks.ts';

/** How far around a number other numbers and controls are looked for. Its tip does not reach farther. */
const nearPx = 400;

/** Other numbers: the agent's next click may be on one of them. */
export const numbersNear = (box: DOMRect, marks: Pick<Marks, 'near'>): DOMRect[] => [
  ...marks.near(box, nearPx),
  ...boxesNear(box, [...document.querySelectorAll('a[href]')].filter(isTelephoneLink)),
];

/** Other controls of the page: the agent's way may lead to one of them. */
export function controlsNear(control: Element): DOMRect[] {
  const all = [...(control.getRootNode() as Document).querySelectorAll(selectors.control)];
  const others = all.filter((other) => !other.contains(control) && !control.contains(other));
  return boxesNear(control.getBoundingClientRect(), others);
}

const boxesNear = (box: DOMRect, elements: readonly Element[]): DOMRect[] =>
  elements.map((element) => element.getBoundingClientRect()).filter((other) => isNear(other, box, nearPx));
