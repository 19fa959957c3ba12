/**
 * What a click would dial: a number that we marked, or a `tel:` link of the page. Found by the point that the browser would
 * give the click to, so that whatever the page lays over a number keeps its own clicks.
 */
import type { JudgedNumber } from '../messages.ts';
import { isInside, type Mark, type Marks } from './marks.ts';
import { shadowRootOf } from './shadow-roots.ts';
import { blockOf, isTelephoneLink, parentOf } from './walk.ts';

export interface Target {
  /** The mark, or the page's link: two targets with the same key are the same. */
  key: Mark | Element;
  number: JudgedNumber;
  /** For the background to judge again: the text, or the link's address. */
  text: string;
  cue: 'phone' | 'none';
  /** For a mark on the end of a number: all of it. */
  whole?: string;
  /** Present for a link of the page whose text shows another number than its address. */
  claims?: string;
  boxes(): DOMRect[];
  /** Still there, visible, and still what was judged. */
  stands(): boolean;
}

/** Innermost element that a click there would go to, passing over our own, through shadow roots. */
export function elementUnder(x: number, y: number, ours: Element): Element | undefined {
  let found = document.elementsFromPoint(x, y).find((element) => element !== ours);
  for (let root = found && shadowRootOf(found); root; root = found && shadowRootOf(found)) {
    const inside = root;
    const inner = root.elementsFromPoint(x, y).find((element) => element.getRootNode() === inside);
    if (!inner) break;
    found = inner;
  }
  return found;
}

const visible = (element: Element | null) =>
  element?.checkVisibility({
    opacityProperty: true,
    visibilityProperty: true,
    contentVisibilityAuto: true,
  }) === true;

export function markTarget(mark: Mark, marks: Marks): Target {
  const boxes = () => marks.rects(mark);
  return {
    key: mark,
    number: mark.number,
    text: mark.text,
    cue: mark.cue,
    ...(mark.whole && { whole: mark.whole }),
    boxes,
    stands: () =>
      visible(parentOf(mark.place.startContainer)) &&
      visible(parentOf(mark.place.endContainer)) &&
      boxes().length > 0,
  };
}

/** The marked number under the point, if a click there is the number's own. */
export function markUnder(x: number, y: number, under: Element, marks: Marks): Target | undefined {
  const block = blockOf(under);
  const mark =
    block &&
    (marks.at(block, x, y) ??
      (under.shadowRoot || shadowRootOf(under) ? marks.at(shadowRootOf(under)!, x, y) : undefined));
  if (!mark) return;
  const { startContainer, endContainer } = mark.place;
  // Anything else of the block that lies there covers the number: a stretched link, a layer.
  const owners = [parentOf(startContainer), parentOf(endContainer)];
  const inside =
    owners.includes(under) ||
    (startContainer !== endContainer && under.parentElement !== null && owners.includes(under.parentElement));
  const target = markTarget(mark, marks);
  return inside && target.stands() ? target : undefined;
}

/** A `tel:` link at or around an element, unless it opted out. */
export function telephoneLinkAround(element: Element | null | undefined): Element | undefined {
  for (let at = element ?? null; at; at = parentOf(at))
    if (isTelephoneLink(at)) return at.closest('[data-dialmark=off]') ? undefined : at;
  return undefined;
}

export function linkTarget(link: Element, number: JudgedNumber): Target {
  const href = link.getAttribute('href')!;
  const claims = digitsOf(link.textContent ?? '');
  const dialled = [number.to, digitsOf(number.display)];
  // The last digits are the same however a number is written: with or without country, area and trunk codes.
  const tail = claims.slice(-7);
  return {
    key: link,
    number,
    text: href,
    cue: 'phone',
    ...(claims.length >= 3 &&
      !dialled.some((digits) => digits.endsWith(tail)) && { claims: link.textContent!.trim() }),
    boxes: () => [...link.getClientRects()],
    stands: () => link.isConnected && link.getAttribute('href') === href && visible(link),
  };
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

export const covers = (boxes: readonly DOMRect[], x: number, y: number) =>
  boxes.some((box) => isInside(box, x, y));
