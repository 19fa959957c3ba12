/** Where tip and card go: inside the viewport, beside what they are about, over none of it. */

export interface Point {
  x: number;
  y: number;
}
export type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** The distance to what it is about, and to the edge of the viewport. */
const gap = 8;
const end = Number.POSITIVE_INFINITY;
/** Boxes larger than this are cut to what is around the pointer: a tip at the end of a wide link would not be seen. */
const nearX = 160;
const nearY = 40;

/**
 * Puts an element below, above or beside boxes, at the pointer where they are large, or without boxes into a corner: at
 * the first place that covers neither them nor anything in `avoid`. With `isBeside` the place after them in the line is
 * the first to be tried.
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
    // Measured from its corner, where a card that grows stays.
    const across = x === end ? ['auto', `${gap}px`] : [`${left}px`, 'auto'];
    const down = y === end ? ['auto', `${gap}px`] : [`${top}px`, 'auto'];
    const inset = [down[0], across[1], down[1], across[0]].join(' ');
    return { left, top, right: left + width, bottom: top + height, inset };
  });
  const free = (taken: readonly Box[]) => fitting.find((one) => !taken.some((other) => overlap(one, other)));
  element.style.inset = (free([...near, ...avoid]) ?? free(near) ?? fitting[0]!).inset;
}

/** False where the viewport, as that of a frame with one line of text, is smaller than an element. */
export function hasRoomFor(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width + gap <= innerWidth && height + gap <= innerHeight;
}

/** Asked for every element of a long page, each property of whose box costs a call: what is far below costs one. */
export const overlap = (one: Box, other: Box): boolean =>
  one.top < other.bottom && one.bottom > other.top && one.left < other.right && one.right > other.left;

/** The part of a box around the pointer; all of it where the pointer is not in it. */
function partAround(box: Box, pointer: Point | undefined): Box {
  if (!pointer || pointer.x < box.left || pointer.x > box.right) return box;
  return {
    left: Math.max(box.left, pointer.x - nearX),
    right: Math.min(box.right, pointer.x + nearX),
    top: Math.max(box.top, pointer.y - nearY),
    bottom: Math.min(box.bottom, pointer.y + nearY),
  };
}

/** True where two boxes are closer together than this. */
export const isNear = ({ left, top, right, bottom }: Box, other: Box, gapPx: number): boolean =>
  overlap({ left: left - gapPx, top: top - gapPx, right: right + gapPx, bottom: bottom + gapPx }, other);
