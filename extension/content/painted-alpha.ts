/** How much of what is under it an element hides: by background, border, letters, shapes and shadows. */
import { alphaOf } from './alpha.ts';
import { isVisible } from './click-target.ts';
import { isInside } from './paint-marks.ts';
import { selectors } from './selectors.ts';
import { boxesOf } from './text-boxes.ts';
import { withAncestors } from './tree.ts';
import { isSet } from './visible-text.ts';

/** A thinner border or outline hides nothing. */
const minThicknessPx = 6;

export interface Spot {
  x: number;
  y: number;
}

/** The boxes of an element that may paint: its own, and those of its pseudo-elements. */
export const boxesNamed = (element: Element): { name: string; style: CSSStyleDeclaration }[] =>
  ['', '::before', '::after', '::backdrop']
    .map((name) => ({ name, style: getComputedStyle(element, name) }))
    .filter(({ name, style }) =>
      name === '::backdrop'
        ? element.matches(selectors.inTopLayer)
        : !name || !/^(none|normal)$/.test(style.content),
    );

/** How much an element that lets the pointer through hides at one of these spots; 0 for one that takes the pointer. */
export function alphaOfLayer(element: Element, box: DOMRect, spots: readonly Spot[]): number {
  const style = getComputedStyle(element);
  if (style.pointerEvents !== 'none' || !isVisible(element)) return 0;
  const isOver = (area: DOMRect) => spots.some(({ x, y }) => isInside(area, x, y));
  const { clientLeft, clientTop, clientWidth, clientHeight } = element;
  const inner = new DOMRect(box.x + clientLeft, box.y + clientTop, clientWidth, clientHeight);
  const isOnBorder = spots.some(({ x, y }) => isInside(box, x, y) && !isInside(inner, x, y));
  const isWritten = [...element.childNodes].some(
    (node) => node.nodeType === 3 && textBoxes(node as Text).some(isOver),
  );
  const alphas = isOver(box) ? boxesNamed(element).map((one) => paintedAlpha(element, one.style)) : [0];
  if (isOnBorder) alphas.push(borderAlpha(style));
  if (isWritten) alphas.push(alphaOf(style.color));
  return Math.max(...alphas) * opacityOf(element);
}

const textBoxes = (node: Text): DOMRect[] =>
  boxesOf({ startContainer: node, startOffset: 0, endContainer: node, endOffset: node.length });

export function paintedAlpha(element: Element, style: CSSStyleDeclaration): number {
  if (isSet(style.backdropFilter)) return 1;
  if (style.backgroundImage !== 'none' || element.matches(selectors.media)) return 1;
  const inner = shadowsOf(style.boxShadow).filter(
    ({ isInset, spread }) => isInset && spread >= minThicknessPx,
  );
  const { fill, fillOpacity, stroke, strokeWidth, backgroundColor } = style;
  const isShape = element.matches('svg *');
  return Math.max(
    alphaOf(backgroundColor),
    isShape && isSet(fill) ? alphaOf(fill) * Number(fillOpacity) : 0,
    isShape && isSet(stroke) && isThick(strokeWidth) ? alphaOf(stroke) : 0,
    ...inner.map(({ alpha }) => alpha),
  );
}

const isThick = (length: string): boolean => Number.parseFloat(length) >= minThicknessPx;

export const borderAlpha = (style: CSSStyleDeclaration): number =>
  Math.max(
    ...(['Top', 'Right', 'Bottom', 'Left'] as const).map((side) =>
      isThick(style[`border${side}Width`]) ? alphaOf(style[`border${side}Color`]) : 0,
    ),
  );

/** Opacity as it is painted: that of the elements around counts, too. */
export function opacityOf(element: Element): number {
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
  return [...computed.matchAll(/([a-z-]+\([^)]*\)|transparent)\s+([^,]*)/g)].map(([, color, rest]) => {
    const [x = 0, y = 0, , spread = 0] = (rest!.match(/-?[\d.e-]+(?=px)/g) ?? []).map(Number);
    return { alpha: alphaOf(color!), x, y, spread, isInset: rest!.includes('inset') };
  });
}

/** What an element paints around its box, where the pointer never hits it. */
export function shadowsAround(element: Element, box: DOMRect): { reach: DOMRect; alpha: number }[] {
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
