/**
 * Whether a person can see a number, or our tip: under nothing that hides it, not even what lets clicks through. Each layer is
 * hit by the pointer for a moment, so that the browser itself says what lies over what.
 */
import { elementUnder, type Target } from './click-target.ts';
import type { Cover } from './gesture-state.ts';
import { isInside } from './paint-marks.ts';
import {
  alphaOfLayer,
  borderAlpha,
  boxesNamed,
  opacityOf,
  paintedAlpha,
  type Spot,
  shadowsAround,
} from './painted-alpha.ts';
import { selectors } from './selectors.ts';
import { closedRootOf, isFirefox, shadowRootOf } from './shadow-roots.ts';
import { withAncestors, withBox } from './tree.ts';
import { isSet } from './visible-text.ts';

/** Something smaller cannot be read. */
const minReadablePx = 6;
/** Layers that let less than this through hide what is under them. */
const minSeenThrough = 0.6;
/** A thinner layer hides little, but many of them may add up. */
const minCountedAlpha = 0.04;
/** A frame that is paler, or smaller, cannot be read. */
const minFrameOpacity = 0.9;
const minFrameZoom = 0.75;
/** So far around a box, shadows and the like may hide what the pointer would hit there. */
const farReach = /url\(|gradient|e\+|(?:[4-9]\d|\d{3})[\d.]*px/;

/**
 * True where a person can see a number: in the viewport, not clipped, of a readable size and not covered. Reads every element's
 * box once, 20 ms at 25,000: for the moment of a call.
 */
export function isSeen({ boxes, owns }: Target, ours: Element): boolean {
  const pairs = boxes()
    .filter(({ width, height }) => width >= minReadablePx && height >= minReadablePx)
    .flatMap(({ left, top, width, height }) =>
      [0.1, 0.5, 0.9].map((share) => {
        // Far enough from each other that a slit of some pixels shows neither or one.
        const apart = Math.min(height / 5, 4);
        const [x, y] = [left + width * share, top + height / 2];
        return [
          { x, y: y - apart },
          { x, y: y + apart },
        ];
      }),
    );
  return withLayers(elementsIn(document, ours), pairs.flat(), (isUncovered) =>
    pairs.some((pair) => pair.every((spot) => isUncovered(spot, owns))),
  );
}

/**
 * Whether something of the page lies over a part of ours, which is in the top layer. Whatever is above us there counts, seen through
 * or not: our element is then put on top again.
 */
export function coverOf(part: HTMLElement, host: Element): Cover {
  if (document.documentElement.matches(':active-view-transition')) return 'covered';
  const spots = spotsOf(part.getBoundingClientRect());
  const over = elementsIn(document)
    .filter((element) => element !== host && element.matches(selectors.inTopLayer))
    .flatMap((element) => [element, ...elementsIn(element)]);
  if (over.length > 0) {
    const before = part.style.pointerEvents;
    part.style.pointerEvents = 'auto';
    const animations = over.flatMap((element) =>
      boxesNamed(element)
        .filter(({ style }) => style.pointerEvents === 'none')
        .map(({ name }) => letHit(element, name)),
    );
    const isClear = spots.every(({ x, y }) => document.elementFromPoint(x, y) === host);
    const isUnhit = !isClear || over.some((element) => paintsUnhit(element, spots));
    for (const animation of animations) animation.cancel();
    part.style.pointerEvents = before;
    if (!isClear) return 'covered';
    // The order of what the pointer cannot hit is not known.
    if (isUnhit) return 'unknown';
  }
  return coverOfFrame(spots);
}

/** Lets the pointer hit an element, or a pseudo-element of it, until the animation is cancelled. */
const letHit = (element: Element, name = ''): Animation =>
  element.animate(
    { pointerEvents: ['auto', 'auto'] },
    { duration: 1, fill: 'both', ...(name && { pseudoElement: name }) },
  );

/** Whether a page around this frame covers it. Chromium reports that itself; Firefox cannot look into a page of another site. */
function coverOfFrame(spots: readonly Spot[]): Cover {
  if (!isFirefox) return 'clear';
  let inner: Window = window;
  let moved = spots;
  while (inner !== inner.parent) {
    const frame = frameElementOf(inner);
    if (!frame) return 'unknown';
    if (isDistorted(frame)) return 'unknown';
    const { left, top } = frame.getBoundingClientRect();
    moved = moved.map(({ x, y }) => ({ x: x + left + frame.clientLeft, y: y + top + frame.clientTop }));
    const page = frame.ownerDocument;
    const isClear = isClearAt(moved, elementsIn(page), page, (element) => element === frame);
    if (!isClear || page.documentElement.matches(':active-view-transition')) return 'covered';
    inner = inner.parent;
  }
  return 'clear';
}

/** True where style shows a frame otherwise than it is, but for its place. */
function isDistorted(frame: Element): boolean {
  if (opacityOf(frame) < minFrameOpacity || (frame.currentCSSZoom ?? 1) < minFrameZoom) return true;
  return withAncestors(frame).some((element) => {
    const { filter, maskImage, clipPath, mixBlendMode, rotate, scale, transform } = getComputedStyle(element);
    return (
      [filter, maskImage, clipPath, rotate, scale].some(isSet) ||
      mixBlendMode !== 'normal' ||
      !/^(none|matrix\(1, 0, 0, 1,)/.test(transform)
    );
  });
}

/** True where the pointer would hit what is asked for at every spot, under none of these elements. */
const isClearAt = (
  spots: readonly Spot[],
  over: readonly Element[],
  page: Document,
  owns: (element: Element) => boolean,
): boolean =>
  withLayers(over, spots, (isUncovered) =>
    spots.every((spot) => isUncovered(spot, owns, (x, y) => page.elementFromPoint(x, y))),
  );

function frameElementOf(inner: Window): HTMLElement | null {
  try {
    return inner.frameElement as HTMLElement | null;
  } catch {
    return null;
  }
}

/** Nine spots all over a box, at random: a page cannot leave holes there in what it paints. */
const spotsOf = ({ left, top, width, height }: DOMRect): Spot[] =>
  [0.1, 0.4, 0.7].flatMap((across) =>
    [0.15, 0.4, 0.65].map((down) => ({
      x: left + width * (across + 0.2 * Math.random()),
      y: top + height * (down + 0.2 * Math.random()),
    })),
  );

/** Every element inside a node, also in closed shadow roots; without `left`, and what is in it. */
function elementsIn(node: Document | Element, left?: Element): Element[] {
  const found: Element[] = [];
  const own = 'localName' in node && (shadowRootOf(node) ?? closedRootOf(node));
  const roots: ParentNode[] = own ? [node, own] : [node];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) {
      if (element === left) continue;
      found.push(element);
      const inner = element.shadowRoot ?? closedRootOf(element);
      if (inner) roots.push(inner);
    }
  return found;
}

type IsUncovered = (
  spot: Spot,
  owns: (element: Element) => boolean,
  hit?: (x: number, y: number) => Element | null | undefined,
) => boolean;

/** Lets the pointer hit each of these elements that paints over a spot but lets it through, while `look` looks. */
function withLayers(
  elements: readonly Element[],
  spots: readonly Spot[],
  look: (isUncovered: IsUncovered) => boolean,
): boolean {
  const hits = new Map<Element, { animation: Animation; alpha: number }>();
  const unhittable: { at: (spot: Spot) => boolean; alpha: number }[] = [];
  for (const element of elements) {
    const box = element.getBoundingClientRect();
    const alpha = alphaOfLayer(element, box, spots);
    if (alpha >= minCountedAlpha) hits.set(element, { animation: letHit(element), alpha });
    for (const { reach, alpha } of shadowsAround(element, box))
      unhittable.push({ alpha, at: ({ x, y }) => isInside(reach, x, y) && !isInside(box, x, y) });
  }
  // The page insists, by `!important`.
  for (const [element, { alpha }] of hits)
    if (getComputedStyle(element).pointerEvents === 'none')
      unhittable.push({ alpha, at: ({ x, y }) => isInside(element.getBoundingClientRect(), x, y) });
  try {
    return look((spot, owns, hit = elementUnder) => {
      let seen = 1;
      for (const { at, alpha } of unhittable) if (at(spot)) seen *= 1 - alpha;
      const peeled: Animation[] = [];
      let found = hit(spot.x, spot.y);
      while (found && !owns(found) && seen >= minSeenThrough) {
        const layer = hits.get(found);
        if (!layer || peeled.includes(layer.animation)) break;
        seen *= 1 - layer.alpha;
        layer.animation.cancel();
        peeled.push(layer.animation);
        found = hit(spot.x, spot.y);
      }
      for (const animation of peeled) animation.play();
      return !!found && owns(found) && seen >= minSeenThrough;
    });
  } finally {
    for (const { animation } of hits.values()) animation.cancel();
  }
}

/** True where something in the top layer may hide a spot by what the pointer never hits, whatever style we give it. */
function paintsUnhit(element: Element, spots: readonly Spot[]): boolean {
  if (!withBox(element)?.checkVisibility({ opacityProperty: true })) return false;
  const box = element.getBoundingClientRect();
  const hides = (alpha: number) => 1 - alpha < minSeenThrough;
  return (
    shadowsAround(element, box).some(
      ({ reach, alpha }) =>
        hides(alpha) && spots.some(({ x, y }) => isInside(reach, x, y) && !isInside(box, x, y)),
    ) ||
    boxesNamed(element).some(({ name, style }) => {
      const around = [style.filter, style.textShadow, style.webkitTextStrokeWidth, style.borderImageSource];
      if (farReach.test(around + style.textDecorationThickness + style.markerStart)) return true;
      // The page insists, by `!important`; and the browser, on the backdrop of a popover.
      if (style.pointerEvents !== 'none' && !element.closest('[inert]')) return false;
      if (name === '::backdrop')
        return hides(Math.max(paintedAlpha(element, style), borderAlpha(style)) * Number(style.opacity));
      return name !== '' || spots.some(({ x, y }) => isInside(box, x, y));
    })
  );
}
