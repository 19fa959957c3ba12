/**
 * What a click would dial: a number that we marked, or a `tel:` link of the page. Hit-tested as the browser would, so that
 * whatever the page lays over a number keeps its own clicks.
 */
import type { JudgedNumber } from '../messages.ts';
import type { Mark, Marks } from './paint-marks.ts';
import { shadowRootOf } from './shadow-roots.ts';
import { blockOf, isTelephoneLink, parentOf } from './text-blocks.ts';

export interface Target {
  /** The mark, or the page's link: targets with the same key are the same. */
  key: Mark | Element;
  number: JudgedNumber;
  /** For the background to judge again: the text, or the link's address. */
  text: string;
  contextWords: 'phone' | 'none';
  /** For a mark on the end of a number: all of it. */
  whole?: string;
  /** For a mark: the country that the text around it names. */
  near?: string;
  /** The text of a page's link that shows another number than its address. */
  differentText?: string;
  boxes(): DOMRect[];
  /** True while it is there, visible, and what was judged. */
  isCurrent(): boolean;
}

/** Innermost element at a point, below our own, through shadow roots. */
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
    contextWords: mark.contextWords,
    ...(mark.whole && { whole: mark.whole }),
    ...(mark.near && { near: mark.near }),
    boxes,
    isCurrent: () =>
      visible(parentOf(mark.place.startContainer)) &&
      visible(parentOf(mark.place.endContainer)) &&
      boxes().length > 0,
  };
}

/** The marked number at a point, unless something else of the page covers it. */
export function markUnder(x: number, y: number, under: Element, marks: Marks): Target | undefined {
  const block = blockOf(under);
  const mark =
    block &&
    (marks.at(block, x, y) ??
      (under.shadowRoot || shadowRootOf(under) ? marks.at(shadowRootOf(under)!, x, y) : undefined));
  if (!mark) return;
  const { startContainer, endContainer } = mark.place;
  // Any other element of the block at that point covers the number: a stretched link, a layer.
  const owners = [parentOf(startContainer), parentOf(endContainer)];
  const isUncovered =
    owners.includes(under) ||
    (startContainer !== endContainer && under.parentElement !== null && owners.includes(under.parentElement));
  const target = markTarget(mark, marks);
  return isUncovered && target.isCurrent() ? target : undefined;
}

/** A `tel:` link at or around an element, unless it opted out. */
export function telephoneLinkAround(element: Element | null | undefined): Element | undefined {
  for (let at = element ?? null; at; at = parentOf(at))
    if (isTelephoneLink(at)) return at.closest('[data-dialmark=off]') ? undefined : at;
  return undefined;
}

export function linkTarget(link: Element, number: JudgedNumber): Target {
  const href = link.getAttribute('href')!;
  const differentText = digitsOf(link.textContent ?? '');
  const dialled = [number.to, digitsOf(number.display)];
  // The last digits are the same however a number is written: with or without country, area and trunk codes.
  const tail = differentText.slice(-7);
  return {
    key: link,
    number,
    text: href,
    contextWords: 'phone',
    ...(differentText.length >= 3 &&
      !dialled.some((digits) => digits.endsWith(tail)) && { differentText: link.textContent!.trim() }),
    boxes: () => [...link.getClientRects()],
    isCurrent: () => link.isConnected && link.getAttribute('href') === href && visible(link),
  };
}

const digitsOf = (text: string) => text.replace(/\D/g, '');
