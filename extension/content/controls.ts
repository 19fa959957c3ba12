/**
 * The numbers in the page's own links, buttons and fields. Every event there stays the page's: on hover and focus our tip appears
 * beside the control, with a button that calls. Nothing is written to a field, and secret ones are never read.
 */

import { readTelephoneAddress } from '../../shared/numbers/text/telephone-address.ts';
import { findBlocksAndControls } from './blocks-and-controls.ts';
import {
  addressOf,
  type ControlTarget,
  isVisible,
  judgeAddress,
  linkTarget,
  markTarget,
} from './click-target.ts';
import { deepActiveElement } from './elements.ts';
import type { Controls, FrameParts } from './frame.ts';
import { labelOf } from './labels.ts';
import { listen } from './listen.ts';
import { isNear, overlap, type Point } from './overlay-place.ts';
import { pageLanguage } from './page-language.ts';
import { isInside, type Mark } from './paint-marks.ts';
import { selectors } from './selectors.ts';
import { findBlocks, isTelephoneLink, isUntouchable, readPlace } from './text-blocks.ts';
import { boxesOf } from './text-boxes.ts';
import { parentOf, withAncestors } from './tree.ts';
import { hasDigit, phoneField } from './words.ts';

/** A control that is higher is more than a line: the tip goes beside the number in it. */
const maxLineHeightPx = 64;
/** Room around the way from a number to its tip. */
const slackPx = 8;
/** Controls so near may be in the tip's way. */
const nearPx = 400;
const maxNeighbours = 2_000;
const maxFieldLength = 200;
/** Settings and the words around a number may have changed after so long. */
const rereadMs = 10_000;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function createControls(
  { finder, observer, clicks, overlay, background }: FrameParts,
  signal: AbortSignal,
): Controls {
  const known = new WeakMap<Element, { shown: string; readAt: number; targets: readonly ControlTarget[] }>();
  /** Fields that were passwords before the page showed what is in them. */
  const passwords = new WeakSet<Element>();
  let neighbours: { of: string; boxes: DOMRect[] } | undefined;
  /** The control whose tip was closed by Escape. */
  let dismissed: unknown;

  const isCallable = (control: Element): boolean => {
    const { type } = control as Field;
    if (type === 'password') passwords.add(control);
    if (passwords.has(control) || control.matches(selectors.secretControl) || isTelephoneLink(control))
      return false;
    if (control.localName === 'input' && !/^(text|tel|search|number)$/.test(type)) return false;
    return !withAncestors(parentOf(control)).some(
      (at) => isUntouchable(at) && (!at.matches(selectors.control) || at.matches(selectors.secretControl)),
    );
  };
  const controlAround = (element: Element | null | undefined): Element | undefined => {
    const control = withAncestors(element).find((at) => at.matches(selectors.control));
    return control && isCallable(control) ? control : undefined;
  };

  const around = (control: Element, boxes: () => DOMRect[]) => (): [DOMRect[], DOMRect[]] => {
    const own = [...control.getClientRects()];
    const isLine = isField(control) || own.every(({ height }) => height <= maxLineHeightPx);
    return [isLine ? own : boxes(), neighboursOf(control)];
  };
  const neighboursOf = (control: Element): DOMRect[] => {
    const own = control.getBoundingClientRect();
    const of = [own.x, own.y, innerWidth, shownIn(control)].join();
    if (neighbours?.of !== of) {
      const all = (control.getRootNode() as Document).querySelectorAll(selectors.control);
      const boxes = [...all]
        .slice(0, maxNeighbours)
        .filter((other) => !other.contains(control) && !control.contains(other))
        .map((other) => other.getBoundingClientRect())
        .filter((box) => isNear(box, own, nearPx));
      neighbours = { of, boxes };
    }
    return neighbours.boxes;
  };

  const numbersInText = async (control: Element): Promise<ControlTarget[]> => {
    const holder = holderOf(control);
    const blocks = new Set([...findBlocks(holder, () => {})].filter((block) => block !== undefined));
    const rects = ({ place, pageText }: Mark) =>
      readPlace(place) === pageText ? boxesOf(place).filter(({ width }) => width > 0) : [];
    const isShownBy = (mark: Mark): boolean => {
      if (isField(control)) return rects(mark).some((rect) => overlap(rect, control.getBoundingClientRect()));
      const { startContainer, endContainer } = mark.place;
      return isAround(control, startContainer) || isAround(control, endContainer);
    };
    return (await finder.find([...blocks], holder)).flatMap(([, marks]) =>
      marks.filter(isShownBy).map((mark) => ({
        ...markTarget(mark, { rects }),
        kind: 'control' as const,
        key: control,
        owns: (element: Element) =>
          isField(control)
            ? element === control || element === control.parentElement
            : control.contains(element) && isAround(element, mark.place.startContainer),
        around: around(control, () => rects(mark)),
      })),
    );
  };
  /** The number of a WhatsApp or `sms:` link's address, whatever its text. */
  const numberInAddress = async (link: Element): Promise<ControlTarget[]> => {
    const number = await judgeAddress(addressOf(link), background);
    if (!number) return [];
    const target = linkTarget(link, number);
    const owns = (element: Element) => link.contains(element);
    return [{ ...target, kind: 'control', owns, around: around(link, target.boxes) }];
  };
  /** What is in a field that says it is for a telephone, or is a number and nothing else. */
  const numbersInField = async (field: Field): Promise<ControlTarget[]> => {
    const value = textIn(field);
    if (value.length > maxFieldLength || !hasDigit.test(value)) return [];
    const words = wordsOf(field);
    const isForPhones = phoneField.test(words);
    const reply = await background.send('content.find', {
      texts: [value],
      labels: [isForPhones ? 'tel' : words.slice(-100)],
      lang: pageLanguage(),
    });
    const boxes = () => [field.getBoundingClientRect()];
    return ((reply.ok && reply.value[0]) || [])
      .map(({ source, number }) => ({
        source,
        number,
        kind: 'control' as const,
        key: field,
        boxes,
        isCurrent: () => isVisible(field) && isCallable(field) && textIn(field) === value,
        owns: (element: Element) => element === field,
        around: around(field, boxes),
      }))
      .filter(
        ({ source: { text }, number }) =>
          isForPhones || (text === value.trim() && /[^\p{Nd}]/u.test(text) && !number.isDoubtful),
      );
  };
  const read = (control: Element): Promise<ControlTarget[]> => {
    if (isField(control) && !isOverItsValue(control)) return numbersInField(control);
    const address = control.getAttribute('href') ?? '';
    return readTelephoneAddress(address) ? numberInAddress(control) : numbersInText(control);
  };
  /** What was read last; reads again where the control shows something else by now. */
  const numbersIn = (control: Element): readonly ControlTarget[] => {
    const shown = shownIn(control);
    let entry = known.get(control);
    if (entry?.shown !== shown || performance.now() - entry.readAt > rereadMs) {
      const reading = {
        shown,
        readAt: performance.now(),
        targets: entry?.shown === shown ? entry.targets : [],
      };
      entry = reading;
      known.set(control, reading);
      void read(control).then((targets) => {
        reading.targets = targets;
        clicks.refresh();
      });
    }
    return entry.targets.filter((target) => target.isCurrent());
  };

  const tipBox = () => overlay.tip.getBoundingClientRect();
  /** True in the box around these boxes, or close to it. */
  const isWithin = ({ x, y }: Point, boxes: readonly DOMRect[]): boolean =>
    x >= Math.min(...boxes.map(({ left }) => left)) - slackPx &&
    x <= Math.max(...boxes.map(({ right }) => right)) + slackPx &&
    y >= Math.min(...boxes.map(({ top }) => top)) - slackPx &&
    y <= Math.max(...boxes.map(({ bottom }) => bottom)) + slackPx;

  listen(['input', 'change', 'focusout'], clicks.refresh, signal);
  listen(
    'keydown',
    ({ key }) => {
      if (key !== 'Escape' || clicks.current?.kind !== 'control') return;
      dismissed = clicks.current.key;
      clicks.refresh();
    },
    signal,
  );
  // The focus stays where it is: a field that lost it might be saved or closed by the page.
  listen('mousedown', (event) => event.preventDefault(), signal, overlay.tip);
  listen('click', (event) => event.detail > 1 && event.stopImmediatePropagation(), signal, overlay.tip);

  return {
    targetAt(under, point) {
      const active = document.activeElement === overlay.host ? null : deepActiveElement();
      const combobox =
        under?.matches(selectors.comboboxParent) && under.querySelector(selectors.comboboxChild);
      const hovered = controlAround(combobox || under);
      const focused = active?.matches(':focus-visible') ? controlAround(active) : undefined;
      if (dismissed !== hovered && dismissed !== focused) dismissed = undefined;
      const { current } = clicks;
      const isShown = current?.kind === 'control' && current.key !== dismissed && current.isCurrent();
      const shown = isShown ? current : undefined;
      // What the tip covers does not take its place before its button was reached.
      if (shown && point && isWithin(point, [tipBox()])) return shown;
      const pointed =
        point &&
        hovered &&
        numbersIn(hovered).find(({ boxes }) => boxes().some((box) => isInside(box, point.x, point.y)));
      const isOnTheWay = shown && point && isWithin(point, [...shown.around()[0], tipBox()]);
      const found = pointed ?? (isOnTheWay ? shown : focused && numbersIn(focused)[0]);
      return found && found.key === dismissed ? undefined : found;
    },
    isControl: (element: Node): element is Element =>
      element instanceof Element && element.matches(selectors.control),
    findBlocksAndControls: () => findBlocksAndControls(observer.slicer),
    /** Reads a control now. @returns its numbers, in order */
    read: async (control: Element): Promise<ControlTarget[]> => (isCallable(control) ? read(control) : []),
  };
}

const isField = (control: Element): control is Field => /^(input|textarea|select)$/.test(control.localName);

/** The text that a field shows. */
const textIn = (field: Field): string =>
  field.localName === 'select' ? ((field as HTMLSelectElement).selectedOptions[0]?.text ?? '') : field.value;

/** A field that chooses, empty or not to be seen: what was chosen is text under it, as the selects of many libraries have it (2026-11). */
const isOverItsValue = (field: Field): boolean =>
  field.role === 'combobox' && (!textIn(field) || !isVisible(field));

/** What a control shows and leads to: read again where it has changed. */
const shownIn = (control: Element): string =>
  isField(control) && !isOverItsValue(control)
    ? textIn(control)
    : `${control.getAttribute('href')} ${holderOf(control).textContent}`;

/** What the text of a control is in: where it is slotted or under a field, the element that the control is a part of. */
const holderOf = (control: Element): Element =>
  ([...control.querySelectorAll('slot')].some((slot) => slot.assignedNodes()[0]) &&
    (control.getRootNode() as ShadowRoot).host) ||
  (isField(control) && control.parentElement?.parentElement) ||
  control;

/** True where the node is rendered inside the element. */
const isAround = (element: Element, node: Node): boolean => withAncestors(parentOf(node)).includes(element);

/** The words that say what a field is for, apart from each other, those for people last. */
function wordsOf(field: Field): string {
  const attributes = ['type', 'autocomplete', 'id', 'name', 'title', 'placeholder', 'aria-label'];
  return attributes
    .map((name) => field.getAttribute(name) ?? '')
    .concat(
      [...(field.labels ?? [])].map(({ textContent }) => textContent),
      labelOf(field),
    )
    .join(' ')
    .replace(/(?<=\p{Ll})(?=\p{Lu})|[^\p{L}]+/gu, ' ')
    .trim();
}
