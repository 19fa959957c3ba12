// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest';
import { overlap, placeWithin } from './overlay-place.ts';

const box = (left: number, top: number, width: number, height: number) =>
  ({ left, top, right: left + width, bottom: top + height, width, height }) as DOMRect;
const viewport = { width: 800, height: 600 };
const card = { width: 220, height: 90 };

let element: HTMLElement;
beforeEach(() => {
  element = document.createElement('div');
  element.getBoundingClientRect = () => box(0, 0, card.width, card.height);
  Object.defineProperties(document.documentElement, {
    clientWidth: { value: viewport.width, configurable: true },
    clientHeight: { value: viewport.height, configurable: true },
  });
});

/** Where the element was put. */
function placed(
  ...[boxes, avoid, pointer, isBeside]: Parameters<typeof placeWithin> extends [unknown, ...infer Rest]
    ? Rest
    : never
) {
  placeWithin(element, boxes, avoid, pointer, isBeside);
  const [top, right, bottom, left] = element.style.inset
    .split(' ')
    .map((length) => Number.parseFloat(length));
  const x = left! >= 0 ? left! : viewport.width - right! - card.width;
  const y = top! >= 0 ? top! : viewport.height - bottom! - card.height;
  return box(x, y, card.width, card.height);
}
const isInViewport = ({ left, top, right, bottom }: DOMRect) =>
  left >= 0 && top >= 0 && right <= viewport.width && bottom <= viewport.height;

describe('the boxes of the overlay', () => {
  test.each([
    ['the middle', box(300, 250, 120, 18)],
    ['each corner: top left', box(0, 0, 120, 18)],
    ['top right', box(680, 0, 120, 18)],
    ['bottom left', box(0, 582, 120, 18)],
    ['bottom right', box(680, 582, 120, 18)],
    ['the edge, half of it outside', box(740, 300, 120, 18)],
  ])('are in the viewport beside the number, in %s', (_where, number) => {
    const at = placed([number], []);
    expect(isInViewport(at)).toBe(true);
    expect(overlap(at, number)).toBe(false);
  });

  test('cover neither the number nor the tip of another', () => {
    const number = box(300, 250, 120, 18);
    const tip = box(300, 276, 220, 90);
    const at = placed([number], [tip]);
    expect(overlap(at, tip)).toBe(false);
    expect(overlap(at, number)).toBe(false);
  });

  test('are beside the pointer where the boxes are far larger', () => {
    const wide = box(-5_000, 200, 10_000, 300);
    const at = placed([wide], [], { x: 400, y: 350 });
    expect(isInViewport(at)).toBe(true);
    expect(overlap(at, box(350, 250, 100, 200))).toBe(true);
  });

  test('without a number are in the corner that is free', () => {
    const at = placed([], [box(500, 400, 300, 200)]);
    expect(overlap(at, box(500, 400, 300, 200))).toBe(false);
    expect(isInViewport(at)).toBe(true);
    placed([], []);
    expect(element.style.inset, 'measured from the corner, where a growing card stays').toMatch(
      /^auto \S+ \S+ auto$/,
    );
  });
});
