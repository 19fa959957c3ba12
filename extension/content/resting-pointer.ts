/** Where the pointer is, and whether its target was already there when a hand moved the pointer. */
import { elementUnder, isVisible } from './click-target.ts';
import type { Point } from './overlay-place.ts';
import { caretAt } from './text-boxes.ts';

export type RestingPointer = ReturnType<typeof createRestingPointer>;

export function createRestingPointer() {
  let point: Point | undefined;
  let found: string | undefined;

  return {
    get point() {
      return point;
    },
    /** Notes that a hand moved the pointer to `at`. It is undefined if the pointer has left, or drags. */
    moveTo(at: Point | undefined) {
      point = at;
      found = at && contentAt(at);
    },
    /** True while the pointer is over the text and box that it was moved onto, also if the number is marked later. */
    isStill: (): boolean => point !== undefined && found === contentAt(point),
  };
}

/** Text, box and visibility of what is at a point. They do not change if the page renders the same again. */
function contentAt({ x, y }: Point): string | undefined {
  const under = elementUnder(x, y);
  if (!under) return undefined;
  const { left, top, width, height } = under.getBoundingClientRect();
  const caret = caretAt(document, x, y);
  const text = (caret?.offsetNode as Partial<Text> | undefined)?.data;
  const box = [left, top, width, height].map(Math.round);
  return [text, caret?.offset, under.localName, isVisible(under), ...box].join();
}
