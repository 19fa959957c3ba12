/** Places tip and card inside the viewport, beside their number and, if possible, not over it. */

export interface Point {
  x: number;
  y: number;
}
export type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** The distance of tip or card from its number and from the edge of the viewport. */
const gap = 8;
const end = Number.POSITIVE_INFINITY;
/**
 * How much of a box around the pointer counts. Larger boxes are cut: a tip at the end of a wide link would not be seen.
 */
const nearX = 160;
const nearY = 40;

/**
 * Puts an element below, above or beside boxes, or without boxes into a corner. Large boxes are cut around the pointer.
 * The first place that covers neither the boxes nor `avoid` is used. With `isBeside`, the place after the boxes in the
 * line is tried first.
 */
export function placeWithin(
  element: HTMLElement,
  boxes: readonly Box[],
  avoid: readonly Box[],
  pointer?: Point,
  isBeside?: boolean,
): void {
  const { clientWidth, clientHeight } = document.scrollingElement ?? document.documentElement;
  const { width, height } = element.getBoundingClientRect();
  const near = boxes.map((box) => partAround(box, pointer));
  const [first, last] = [near[0], near.at(-1)!];
  const places = first
    ? [
        [last.left, last.bottom + gap],
        [first.left, first.top - height - gap],
        [last.right + gap, last.top],
        [first.left - width - gap, first.top],
      ]
    : [
        [end, end],
        [end, 0],
        [0, end],
        [0, 0],
      ];
  if (isBeside) places.unshift(places[2]!);
  const fitting = places.map(([x, y]) => {
    const left = Math.max(gap, Math.min(x!, clientWidth - width - gap));
    const top = Math.max(gap, Math.min(y!, clientHeight - height - gap));
    // The place is measured from the corner, so that a growing card stays there.
    const across = x === end ? ['auto', `${gap}px`] : [`${left}px`, 'auto'];
    const down = y === end ? ['auto', `${gap}px`] : [`${top}px`, 'auto'];
    const inset = [down[0], across[1], down[1], across[0]].join(' ');
    return { left, top, right: left + width, bottom: top + height, inset };
  });
  const free = (taken: readonly Box[]) => fitting.find((one) => !taken.some((other) => overlap(one, other)));
  element.style.inset = (free([...near, ...avoid]) ?? free(near) ?? fitting[0]!).inset;
}

/** False if the viewport is smaller than an element, as in a frame with one line of text. */
export function hasRoomFor(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width + gap <= innerWidth && height + gap <= innerHeight;
}

/**
 * True if two boxes overlap. It is asked for every element of a long page, where each property of a box costs a call.
 * For a box far below, a single call is enough.
 */
export const overlap = (one: Box, other: Box): boolean =>
  one.top < other.bottom && one.bottom > other.top && one.left < other.right && one.right > other.left;

/** The part of a box around the pointer. The whole box without a pointer, or if the pointer is left or right of it. */
function partAround(box: Box, pointer: Point | undefined): Box {
  if (!pointer || pointer.x < box.left || pointer.x > box.right) return box;
  return {
    left: Math.max(box.left, pointer.x - nearX),
    right: Math.min(box.right, pointer.x + nearX),
    top: Math.max(box.top, pointer.y - nearY),
    bottom: Math.min(box.bottom, pointer.y + nearY),
  };
}

/** True if two boxes are closer together than `gapPx`. */
export const isNear = ({ left, top, right, bottom }: Box, other: Box, gapPx: number): boolean =>
  overlap({ left: left - gapPx, top: top - gapPx, right: right + gapPx, bottom: bottom + gapPx }, other);
