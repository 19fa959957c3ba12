/**
 * What a click would dial: a number that we marked, or a `tel:` link of the page. We test hits as the browser does.
 * What the page lays over a number so keeps its own clicks.
 */
import type { NumberInText } from '../../shared/numbers/number-in-text.ts';
import { shortTelephoneAddress } from '../../shared/numbers/text/telephone-address.ts';
import type { JudgedNumber } from '../messages/views.ts';
import type { BackgroundConnection } from './background-connection.ts';
import type { Point } from './overlay-place.ts';
import { pageLanguage } from './page-language.ts';
import { isInside, type Mark, type Marks } from './paint-marks.ts';
import { selectors } from './selectors.ts';
import { shadowRootOf } from './shadow-roots.ts';
import { blockOf, isInsideUntouchable, isTelephoneLink } from './text-blocks.ts';
import { caretAt } from './text-boxes.ts';
import { type Block, elementOfBlock, parentOf, withAncestors, withBox } from './tree.ts';
import { hasDigit } from './words.ts';

interface TargetBase {
  number: JudgedNumber;
  /** The text that the background judges again. */
  source: NumberInText;
  boxes(): DOMRect[];
  /** True while the target is on the page, not hidden by style, and the same as when it was judged. */
  isCurrent(): boolean;
  /** True for the elements that show the target. */
  owns(element: Element): boolean;
}
/** A number that we marked. */
interface MarkTarget extends TargetBase {
  kind: 'mark';
  key: Mark;
}
/** A telephone link of the page. */
export interface LinkTarget extends TargetBase {
  kind: 'link';
  key: Element;
  /** The text of a link that shows another number than its address. */
  differentText?: string;
}
/** A number in a control of the page. The control keeps its own clicks. */
export interface ControlTarget extends TargetBase {
  kind: 'control';
  key: Element;
  differentText?: string;
  /** The boxes that the tip is put beside, and the other boxes that it must not cover. */
  around(): [boxes: DOMRect[], avoid: DOMRect[]];
  /** Whether the number is written at this point of a field. */
  isTextAt?(at: Point): boolean;
  /**
   * True if the field is not for telephones and holds more than this number. The number is then offered only where it
   * is written.
   */
  isInProse?: boolean;
}
/** What a click would dial. Targets with the same key are at the same place. */
export type Target = MarkTarget | LinkTarget | ControlTarget;

/** The control or link, or the element around the text of a marked number. */
export const elementOfTarget = (target: Target): Element =>
  target.kind === 'mark' ? parentOf(target.key.place.startContainer)! : target.key;

/**
 * Innermost element at a point, through shadow roots; undefined on an element with our overlay's name. Where the page
 * has locked the pointer, its events are not at the point that they name.
 */
export function elementUnder(x: number, y: number): Element | undefined {
  let found = document.pointerLockElement ? undefined : (document.elementFromPoint(x, y) ?? undefined);
  while (found?.localName !== 'dialmark-overlay') {
    const root = shadowRootOf(found);
    const inner = root?.elementsFromPoint(x, y).find((element) => root.contains(element));
    if (!inner) return found;
    found = inner;
  }
  return undefined;
}

export const isVisible = (element: Element | null): boolean =>
  !!withBox(element)?.checkVisibility({
    opacityProperty: true,
    visibilityProperty: true,
    contentVisibilityAuto: true,
  });

export function markTarget(mark: Mark, marks: Pick<Marks, 'rects'>): MarkTarget {
  const boxes = () => marks.rects(mark);
  const { startContainer, endContainer } = mark.place;
  const parents = () =>
    [startContainer, endContainer].map(parentOf).flatMap((parent) => [parent, withBox(parent)]);
  return {
    ...mark,
    kind: 'mark',
    key: mark,
    boxes,
    isCurrent: () => parents().every(isVisible) && boxes().length > 0,
    // Any other element of the block covers the number: a stretched link, a layer.
    owns: (element) =>
      parents().includes(element) ||
      (startContainer !== endContainer && parents().includes(element.parentElement)),
  };
}

/**
 * The marked number at a point, if the page does not cover it. Slotted text belongs to a block outside the shadow root.
 */
export function markUnder(x: number, y: number, under: Element, marks: Marks): Target | undefined {
  const markAround = (start: Element | null | undefined): Mark | undefined => {
    // Ends at the document. In Firefox, its `host` may be a form of that name, as if it were a shadow root.
    for (let at = start; at instanceof Element; at = elementOfBlock(at.getRootNode() as Block)) {
      const mark = marks.at(blockOf(at), x, y) ?? marks.at(shadowRootOf(at), x, y);
      if (mark) return mark;
    }
    return undefined;
  };
  const mark = markAround(under) ?? markAround(caretAt(under, x, y)?.offsetNode.parentElement);
  const target = mark && markTarget(mark, marks);
  return target && (target.owns(under) || isHitThrough(mark, under)) && target.isCurrent()
    ? target
    : undefined;
}

/**
 * True if the text lets the pointer through to an element around it, as in SAP's cards and tags. While a menu is open,
 * some pages disable all of their body.
 */
const isHitThrough = ({ place }: Mark, under: Element): boolean =>
  !under.matches('html,body') &&
  withAncestors(parentOf(place.startContainer)).find(
    (element) => getComputedStyle(element).pointerEvents !== 'none',
  ) === under;

/** True for a field, the box of a combobox, and inside a control that may show a number. The number may be slotted. */
export const mayBeControl = (element: Element | null | undefined): boolean =>
  !!element &&
  (element.matches(selectors.comboboxParent) ||
    (isInsideUntouchable(element) &&
      ('required' in element ||
        element.getRootNode() !== document ||
        hasDigit.test(`${element.closest('a')} ${element.textContent}`))));

/** A `tel:` link at or around an element, unless it opted out. */
export function telephoneLinkAround(element: Element | null | undefined): Element | undefined {
  const link = withAncestors(element).find(isTelephoneLink);
  return link?.closest(selectors.optedOut) ? undefined : link;
}

/**
 * The boxes of a link and of the pictures in it, which may be higher than a line. Other positioned children do not
 * count.
 */
const linkBoxes = (link: Element): DOMRect[] =>
  [link, ...link.querySelectorAll('img,svg')].flatMap((element) => [...element.getClientRects()]);

export const isOnLink = (link: Element, x: number, y: number): boolean =>
  linkBoxes(link).some((box) => isInside(box, x, y));

export function linkTarget(link: Element, number: JudgedNumber): LinkTarget {
  const href = link.getAttribute('href')!;
  const differentText = onlyDigits(link.textContent ?? '');
  const dialled = [number.to, onlyDigits(number.display)];
  // The last digits are the same however a number is written: with or without country, area and trunk codes.
  const tail = differentText.slice(-7);
  return {
    kind: 'link',
    key: link,
    number,
    source: sourceAt(addressOf(link)),
    ...(differentText.length >= 3 &&
      !dialled.some((digits) => digits.endsWith(tail)) && { differentText: link.textContent!.trim() }),
    boxes: () => linkBoxes(link),
    isCurrent: () => link.isConnected && link.getAttribute('href') === href && isVisible(link),
    owns: (element) => telephoneLinkAround(element) === link,
  };
}

/** The number in a link's address. The background is asked about this number. */
export const addressOf = (link: Element): string => shortTelephoneAddress(link.getAttribute('href')!) ?? '';
const sourceAt = (address: string): NumberInText => ({
  text: address,
  contextWords: 'phone',
  lang: pageLanguage(),
});

/** @returns the judged number of an address; null if only the page handles the link; undefined without a reply. */
export const judgeAddress = (
  address: string,
  background: BackgroundConnection,
): Promise<JudgedNumber | null | undefined> =>
  background.send('content.judgeLink', { source: sourceAt(address) }).then(({ value }) => value);

const onlyDigits = (text: string) => text.replace(/\D/g, '');
