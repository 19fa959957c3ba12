/**
 * Whether a person can see a number or our tip. Layers that let clicks through may hide them, too. Such a layer takes
 * the pointer for a moment, so that the browser itself shows the order of the layers.
 */

import { elementUnder, isVisible, type Target } from './click-target.ts';
import { alphaOf } from './color-alpha.ts';
import { hasInertAttribute } from './elements.ts';
import type { Cover } from './gesture-state.ts';
import { type Box, hasRoomFor, overlap } from './overlay-place.ts';
import { isInside } from './paint-marks.ts';
import { selectors } from './selectors.ts';
import { closedRootOf, isFirefox } from './shadow-roots.ts';
import type { TimeSlicer } from './time-slicer.ts';
import { withAncestors } from './tree.ts';

/** The least width and height of a readable box. */
const minReadablePx = 6;
/** The least share that layers must let through. If they let less through, they hide what is under them. */
const minSeenThrough = 0.6;
/** The least alpha of a layer that counts. A more transparent layer hides little, but many may add up. */
const minCountedAlpha = 0.04;
/** The least thickness of an outline or inset shadow that may hide something. */
const minThicknessPx = 6;
/**
 * The screen with room around it. The shadows of elements that are farther away do not reach the screen. Reading the
 * styles of a long page's elements takes a second.
 */
const reachable: Box = { left: -10_000, top: -10_000, right: 20_000, bottom: 20_000 };

interface Spot {
  x: number;
  y: number;
}

/** The elements of the page that may hide something. */
export interface Layers {
  /** The elements whose boxes are not far from the screen. */
  near: readonly Element[];
  inTopLayer: readonly Element[];
}

/**
 * Reads every element of the page except ours, in slices. Else a page of 200,000 elements would stand still for
 * seconds.
 */
export async function readLayers(ours: Element, slicer: TimeSlicer): Promise<Layers> {
  const near: Element[] = [];
  const inTopLayer: Element[] = [];
  for (const element of elementsIn(document, ours)) {
    if (slicer.isDue()) await slicer.yieldToPage();
    if (overlap(element.getBoundingClientRect(), reachable)) near.push(element);
    if (element.matches(selectors.inTopLayer)) inTopLayer.push(element);
  }
  return { near, inTopLayer };
}

/** True where a person can see a number: in the viewport, not clipped, of a readable size and not covered. */
export function isSeen({ boxes, owns }: Target, { near }: Layers): boolean {
  const pairs = boxes()
    .filter(({ width, height }) => width >= minReadablePx && height >= minReadablePx)
    .flatMap(({ left, top, width, height }) =>
      [0.1, 0.5, 0.9].map((share) => {
        // The two spots are so far apart that a slit of some pixels shows one at most.
        const apart = Math.min(height / 5, 4);
        const [x, y] = [left + width * share, top + height / 2];
        return [
          { x, y: y - apart },
          { x, y: y + apart },
        ];
      }),
    );
  return withLayers(near, pairs.flat(), owns, elementUnder, (isUncovered) =>
    pairs.some((pair) => pair.every(isUncovered)),
  );
}

/** Whether something of the page lies over a part of ours, which is in the top layer. */
export function coverOf(part: HTMLElement, host: Element, { inTopLayer }: Layers): Cover {
  if (document.documentElement.matches(':active-view-transition')) return 'covered';
  // The frame is too small: its edge cuts the part off.
  if (!hasRoomFor(part)) return 'unknown';
  const spots = spotsOf(part.getBoundingClientRect());
  const over = inTopLayer.flatMap((element) => [element, ...elementsIn(element, host)]);
  if (over.length > 0) {
    // If the pointer cannot hit an element, the order of the layers is not known.
    if (over.some((element) => isInertLayer(element, host) || paintsUnhit(element, spots))) return 'unknown';
    const before = part.style.pointerEvents;
    part.style.pointerEvents = 'auto';
    const root = host.getRootNode() as Document | ShadowRoot;
    const isClear = isClearAt(spots, over, root, (element) => element === host);
    part.style.pointerEvents = before;
    if (!isClear) return 'covered';
  }
  return coverOfFrame(spots);
}

/**
 * Whether a page around this frame covers it. Chromium reports that elsewhere. In Firefox, we cannot read pages of
 * other sites.
 */
function coverOfFrame(spots: readonly Spot[]): Cover {
  if (!isFirefox) return 'clear';
  let inner: Window = window;
  let moved = spots;
  while (inner !== inner.parent) {
    const frame = frameElementOf(inner);
    if (!frame) return 'unknown';
    const { left, top } = frame.getBoundingClientRect();
    moved = moved.map(({ x, y }) => ({ x: x + left + frame.clientLeft, y: y + top + frame.clientTop }));
    const page = frame.ownerDocument;
    const isClear = isClearAt(moved, [...elementsIn(page)], page, (element) => element === frame);
    if (!isClear || page.documentElement.matches(':active-view-transition')) return 'covered';
    inner = inner.parent;
  }
  return 'clear';
}

/** True if the pointer would hit an owned element at every spot, not covered by the elements of `over`. */
const isClearAt = (
  spots: readonly Spot[],
  over: readonly Element[],
  root: DocumentOrShadowRoot,
  owns: (element: Element) => boolean,
): boolean =>
  withLayers(
    over,
    spots,
    owns,
    (x, y) => root.elementFromPoint(x, y),
    (isUncovered) => spots.every(isUncovered),
  );

function frameElementOf(inner: Window): HTMLElement | null {
  try {
    return inner.frameElement as HTMLElement | null;
  } catch {
    return null;
  }
}

/** Nine spots inside a box. */
const spotsOf = ({ left, top, width, height }: DOMRect): Spot[] =>
  [0.1, 0.5, 0.9].flatMap((across) =>
    [0.15, 0.5, 0.85].map((down) => ({ x: left + width * across, y: top + height * down })),
  );

/** The elements in a node and in every shadow root inside it, also closed ones; not those inside `ours`. */
function* elementsIn(node: Document | Element, ours?: Element): Generator<Element> {
  const own = 'localName' in node && closedRootOf(node);
  const roots: ParentNode[] = own ? [node, own] : [node];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) {
      if (element === ours) continue;
      yield element;
      const inner = closedRootOf(element);
      if (inner) roots.push(inner);
    }
}

/** While `look` runs, the pointer also hits what lets it through: layers over a spot, and what is looked for. */
function withLayers(
  elements: readonly Element[],
  spots: readonly Spot[],
  owns: (element: Element) => boolean,
  hit: (x: number, y: number) => Element | null | undefined,
  look: (isUncovered: (spot: Spot) => boolean) => boolean,
): boolean {
  const hits = new Map<Element, { animation: Animation; alpha: number }>();
  const unhittable: { at: (spot: Spot) => boolean; alpha: number }[] = [];
  for (const element of elements) {
    const box = element.getBoundingClientRect();
    if (!overlap(box, reachable)) continue;
    if (spots.some(({ x, y }) => isInside(box, x, y))) {
      const alpha = alphaOfLayer(element);
      if (alpha >= (owns(element) ? 0 : minCountedAlpha)) {
        const timing = { duration: 1, fill: 'both' } as const;
        hits.set(element, { animation: element.animate({ pointerEvents: ['auto', 'auto'] }, timing), alpha });
      }
    }
    for (const { reach, alpha } of shadowsAround(element, box))
      unhittable.push({ alpha, at: ({ x, y }) => isInside(reach, x, y) && !isInside(box, x, y) });
  }
  // The page's `!important` wins over the animation. The pointer cannot hit this element.
  for (const [element, { alpha }] of hits)
    if (getComputedStyle(element).pointerEvents === 'none')
      unhittable.push({ alpha, at: ({ x, y }) => isInside(element.getBoundingClientRect(), x, y) });
  try {
    return look((spot) => {
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

/**
 * How much an element that lets the pointer through hides of what is under it. Negative if it takes the pointer or is
 * invisible.
 */
function alphaOfLayer(element: Element): number {
  const style = getComputedStyle(element);
  if (style.pointerEvents !== 'none' || !isVisible(element)) return -1;
  return paintedAlpha(element, style) * opacityOf(element);
}

/** True if the box of an element paints almost nothing over what is under it. Its text may cover something. */
export const isTransparent = (element: Element): boolean =>
  paintedAlpha(element, getComputedStyle(element)) < minCountedAlpha;

function paintedAlpha(element: Element, style: CSSStyleDeclaration): number {
  if (style.backdropFilter && style.backdropFilter !== 'none') return 1;
  if (style.backgroundImage !== 'none' || element.matches(selectors.media)) return 1;
  const inner = shadowsOf(style.boxShadow).filter(
    ({ isInset, spread }) => isInset && spread >= minThicknessPx,
  );
  return Math.max(alphaOf(style.backgroundColor), ...inner.map(({ alpha }) => alpha));
}

/** The opacity as it is painted. The opacity of the elements around counts, too. */
function opacityOf(element: Element): number {
  return withAncestors(element).reduce((opacity, at) => opacity * Number(getComputedStyle(at).opacity), 1);
}

interface Shadow {
  alpha: number;
  x: number;
  y: number;
  spread: number;
  isInset: boolean;
}
/** Computed shadows: a colour, two offsets, the blur and the spread, each with `px`. */
function shadowsOf(computed: string): Shadow[] {
  if (!computed || computed === 'none') return [];
  return [...computed.matchAll(/([a-z-]+\([^)]*\))\s+([^,]*)/g)].map(([, color, rest]) => {
    const [x = 0, y = 0, , spread = 0] = (rest!.match(/-?[\d.e-]+(?=px)/g) ?? []).map(Number);
    return { alpha: alphaOf(color!), x, y, spread, isInset: rest!.includes('inset') };
  });
}

/** The shadows and the outline of an element, around its box. The pointer never hits them. */
function shadowsAround(element: Element, box: DOMRect): { reach: DOMRect; alpha: number }[] {
  const { boxShadow, outlineWidth, outlineStyle, outlineColor, outlineOffset } = getComputedStyle(element);
  const shadows = shadowsOf(boxShadow).filter(({ isInset }) => !isInset);
  const outline = Number.parseFloat(outlineWidth);
  if (outlineStyle !== 'none' && outline >= minThicknessPx) {
    const spread = outline + Number.parseFloat(outlineOffset);
    shadows.push({ alpha: alphaOf(outlineColor), x: 0, y: 0, spread, isInset: false });
  }
  if (shadows.length === 0 || !isVisible(element)) return [];
  const opacity = opacityOf(element);
  return shadows.map(({ alpha, x, y, spread }) => {
    const [left, top] = [box.left + x - spread, box.top + y - spread];
    const reach = new DOMRect(left, top, box.width + 2 * spread, box.height + 2 * spread);
    return { reach, alpha: alpha * opacity };
  });
}

/** True for a painted element that is inert. It lets the pointer through whatever its style says. */
const isInertLayer = (element: Element, host: Element): boolean =>
  isVisible(element) && (withAncestors(element).some(hasInertAttribute) || isOutsideDialog(element, host));

/**
 * True for an element in a shadow root outside the modal dialog that we are in. The dialog makes the element inert. We
 * are known to be above elements outside of shadow roots.
 */
function isOutsideDialog(element: Element, { parentElement: home }: Element): boolean {
  if (!home || home === document.documentElement || element.getRootNode() === document) return false;
  return !withAncestors(element).includes(home);
}

/** True where a pseudo-element or backdrop in the top layer may hide a spot, and the pointer cannot hit it. */
function paintsUnhit(element: Element, spots: readonly Spot[]): boolean {
  return ['::before', '::after', '::backdrop'].some((name) => {
    const isBackdrop = name === '::backdrop';
    if (isBackdrop && !element.matches(selectors.inTopLayer)) return false;
    const style = getComputedStyle(element, name);
    if (!isBackdrop && (style.content === 'none' || style.content === 'normal')) return false;
    if (style.display === 'none' || style.pointerEvents !== 'none') return false;
    if (!isBackdrop && !/absolute|fixed/.test(style.position)) return false;
    const [width, height] = [style.width, style.height].map(Number.parseFloat) as [number, number];
    const isLarge = isBackdrop || (width >= spots.at(-1)!.x - spots[0]!.x && height >= minReadablePx);
    const alpha = paintedAlpha(element, style) * Number(style.opacity) * opacityOf(element);
    return isLarge && 1 - alpha < minSeenThrough;
  });
}
