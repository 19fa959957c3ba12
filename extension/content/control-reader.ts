/** Reads the numbers in the page's links, buttons and fields. It never reads secret fields and writes to none. */
import { isAnnounced } from '../../shared/numbers/number.ts';
import { readTelephoneAddress } from '../../shared/numbers/text/telephone-address.ts';
import type { FoundNumber } from '../messages/content.ts';
import {
  addressOf,
  type ControlTarget,
  isVisible,
  judgeAddress,
  linkTarget,
  markTarget,
} from './click-target.ts';
import { codesBefore } from './dialling-code.ts';
import { type FormField, isFormField, textIn, wordsOfField } from './form-field.ts';
import type { FrameParts } from './frame-parts.ts';
import { controlsNear } from './neighbours.ts';
import { overlap, type Point } from './overlay-place.ts';
import { pageLanguage } from './page-language.ts';
import type { Mark } from './paint-marks.ts';
import { selectors } from './selectors.ts';
import { findBlocks, isTelephoneLink, isUntouchable, readPlace } from './text-blocks.ts';
import { boxesOf, caretAt } from './text-boxes.ts';
import { parentOf, withAncestors } from './tree.ts';
import { contactField, hasDigit, phoneField } from './words.ts';

/** The greatest height of a control with one line. In a higher control, the tip is shown beside the number. */
const maxLineHeightPx = 64;
/** How many lines with a digit are read of a field, and how long they may be. Longer lines are skipped. */
const maxLines = 100;
const maxLineLength = 1_000;

/** Fields that were password fields before the page showed their text. */
const passwords = new WeakSet<Element>();

export function isCallable(control: Element): boolean {
  const { type } = control as FormField;
  if (type === 'password') passwords.add(control);
  if (passwords.has(control) || control.matches(selectors.secretControl) || isTelephoneLink(control))
    return false;
  if (control.localName === 'input' && !/^(text|tel|search|number)$/.test(type)) return false;
  return !withAncestors(parentOf(control)).some(
    (at) => isUntouchable(at) && (!at.matches(selectors.control) || at.matches(selectors.secretControl)),
  );
}

/** Reads a control now. @returns its numbers, in order */
export function readControl(
  control: Element,
  { finder, background }: Pick<FrameParts, 'finder' | 'background'>,
): Promise<ControlTarget[]> {
  if (isFormField(control) && !isOverItsValue(control)) return numbersInField(control, background);
  const address = control.getAttribute('href') ?? '';
  return readTelephoneAddress(address)
    ? numberInAddress(control, background)
    : numbersInText(control, finder);
}

/** The text and address of a control. The control is read again if they have changed. */
export const shownIn = (control: Element): string =>
  isFormField(control) && !isOverItsValue(control)
    ? codesBefore(control) + textIn(control)
    : `${control.getAttribute('href')} ${holderOf(control).textContent}`;

const boxesAround = (control: Element, boxes: () => DOMRect[]) => (): [DOMRect[], DOMRect[]] => {
  const own = [...control.getClientRects()];
  const isLine = isFormField(control) || own.every(({ height }) => height <= maxLineHeightPx);
  return [isLine ? own : boxes(), controlsNear(control)];
};

async function numbersInText(control: Element, finder: FrameParts['finder']): Promise<ControlTarget[]> {
  const holder = holderOf(control);
  const blocks = new Set([...findBlocks(holder, () => {})].filter((block) => block !== undefined));
  const rects = ({ place, pageText }: Mark) =>
    readPlace(place) === pageText ? boxesOf(place).filter(({ width }) => width > 0) : [];
  const isShownBy = (mark: Mark): boolean => {
    if (isFormField(control))
      return rects(mark).some((rect) => overlap(rect, control.getBoundingClientRect()));
    const { startContainer, endContainer } = mark.place;
    return isAround(control, startContainer) || isAround(control, endContainer);
  };
  return (await finder.find([...blocks], holder)).flatMap(([, marks]) =>
    marks.filter(isShownBy).map((mark) => ({
      ...markTarget(mark, { rects }),
      kind: 'control' as const,
      key: control,
      owns: (element: Element) =>
        isFormField(control)
          ? element === control || element === control.parentElement
          : control.contains(element) && isAround(element, mark.place.startContainer),
      around: boxesAround(control, () => rects(mark)),
    })),
  );
}

/** The number of a WhatsApp or `sms:` link's address, whatever its text. */
async function numberInAddress(
  link: Element,
  background: FrameParts['background'],
): Promise<ControlTarget[]> {
  const number = await judgeAddress(addressOf(link), background);
  if (!number) return [];
  const target = linkTarget(link, number);
  const owns = (element: Element) => link.contains(element);
  return [{ ...target, kind: 'control', owns, around: boxesAround(link, target.boxes) }];
}

/**
 * The numbers in a field. If it is not for telephones, doubtful numbers and bare digits without a fitting word are left
 * out.
 */
async function numbersInField(
  field: FormField,
  background: FrameParts['background'],
): Promise<ControlTarget[]> {
  const value = textIn(field);
  const lines = [...value.matchAll(/.+/g)]
    .filter(([line]) => line.length <= maxLineLength && hasDigit.test(line))
    .slice(0, maxLines);
  if (lines.length === 0) return [];
  const words = wordsOfField(field);
  const isForPhones = phoneField.test(words);
  const code = codesBefore(field);
  const label = isForPhones ? 'tel' : words.slice(-100);
  const reply = await background.send('content.find', {
    texts: lines.map(([line]) => code + line),
    labels: lines.map(() => label),
    lang: pageLanguage(),
  });
  const boxes = () => [field.getBoundingClientRect()];
  const isForContacts = contactField.test(words);
  const isOffered = ({ source: { text, contextWords }, number }: FoundNumber) =>
    isForPhones ||
    (!number.isDoubtful && (isForContacts || isAnnounced(contextWords) || /[^\p{Nd}]/u.test(text)));
  return ((reply.ok && reply.value) || []).flatMap((found, line) =>
    found.filter(isOffered).map(({ start, end, source, number }) => ({
      source,
      number,
      kind: 'control' as const,
      key: field,
      boxes,
      isCurrent: () =>
        isVisible(field) && isCallable(field) && textIn(field) === value && codesBefore(field) === code,
      owns: (element: Element) => element === field,
      around: boxesAround(field, boxes),
      isTextAt: (at: Point) => {
        const offset = lines[line]!.index - code.length;
        return isCharacterAt(field, at, offset + start, offset + end);
      },
      isInProse: !isForPhones && source.text !== code + value.trim(),
    })),
  );
}

/** True if the character of a field at a point of the viewport is between `start` and `end`. */
function isCharacterAt(field: FormField, { x, y }: Point, start: number, end: number): boolean {
  const caret = caretAt(field, x, y);
  return caret?.offsetNode === field && caret.offset >= start && caret.offset <= end;
}

/** An empty or invisible combobox field. Many libraries show the chosen value as text under it (2026-11). */
const isOverItsValue = (field: FormField): boolean =>
  field.role === 'combobox' && (!textIn(field) || !isVisible(field));

/** The element that holds a control's text. Slotted text, and text under a field, is in an outer element. */
const holderOf = (control: Element): Element =>
  ([...control.querySelectorAll('slot')].some((slot) => slot.assignedNodes()[0]) &&
    (control.getRootNode() as ShadowRoot).host) ||
  (isFormField(control) && control.parentElement?.parentElement) ||
  control;

/** True where the node is rendered inside the element. */
const isAround = (element: Element, node: Node): boolean => withAncestors(parentOf(node)).includes(element);
