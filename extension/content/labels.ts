/**
 * Finds the words in another box that say what a number is. They are the head of its column or row, its term or its
 * label.
 */
import { selectors } from './selectors.ts';
import { nextNode, parentOf } from './tree.ts';
import { phoneField } from './words.ts';

const maxLabelLength = 60;
/** The most characters of joined labels. The background accepts 200. */
const maxJoinedLength = 190;
/**
 * How many boxes are climbed from the number to its label. A box with more than `maxParts` parts is not one number with
 * its label.
 */
const maxClimb = 9;
const maxParts = 6;
/** How many rows before and after a row are read to see what the row shows. */
const maxRowsAround = 8;
const dates = /\d{1,4}([./-])\d\d?\1\d{1,4}|\d\d?:\d\d/g;
const minNumberDigits = 7;
const maxNumberDigits = 13;
/** Consumer No., N.º de cliente, Ticket # */
const numberSign = /[#º°]|\bn[or]\b/i;
/** How many boxes are climbed from a row to the box that follows its heads. A grid by role has no such limit. */
const maxGridClimb = 7;
/** How many children of a box may be its heads. If all cells of a grid are in one box, it has thousands. */
const maxHeads = 100;
/** How many elements may be before the first row: a style, a title, a toolbar. */
const maxBeforeRows = 8;

/**
 * The label of the number in an element or text, without digits; else empty. If it may be a name, it does not get a
 * colon.
 */
export function labelOf(node: Element | Text): string {
  let at = node as Element | null;
  for (let climbed = 0; at && climbed < maxClimb; climbed++) {
    if (climbed > 1 && at.childElementCount > maxParts) break;
    // In Chromium, `title` of a form may be its field of that name.
    const label =
      labelIn(at.ariaLabelledByElements?.[0]) ||
      clean(at.ariaLabel || at.getAttribute?.('title') || '') ||
      (at.matches?.(selectors.cell) ? headsOf(at) : headOrTermOf(at));
    if (label || at.matches?.(selectors.labelBoundary)) return label;
    at = parentOf(at);
  }
  // A component between the text and its cell may have any number of boxes.
  const cell = node.parentElement?.closest(selectors.cell);
  return cell ? headsOf(cell) : '';
}

/** The head over an element or text, else the term before it. */
export const headOrTermOf = (node: Element): string => headOver(node) || labelBefore(node);

/** The label or term before or above an element or text, or the first part of a pair. */
function labelBefore(node: Element): string {
  let before = node.previousElementSibling;
  while (before && (before.matches('dd+dd') || isSpacer(before))) before = before.previousElementSibling;
  // A field before the element has its own label.
  if (!before || before.matches(selectors.neverLabel) || before.querySelector(selectors.textField)) return '';
  const label = labelIn(before);
  const isValue = isPair(node, before) || isLastWithText(node);
  const row = sharedParentOf(node)!;
  if (before.matches(selectors.label) || (isValue && isOfFields(row))) return withColon(label);
  return isValue || label.endsWith(':') || isInColumns(row) ? label : '';
}

/** True for a part between a term and its value that shows nothing, or only a line or a picture. */
const isSpacer = (part: Element): boolean =>
  part.matches(selectors.spacer) && !part.querySelector(selectors.textField) && !part.textContent.trim();

/** The element that also holds the parts beside this one. It is not a slot that shows several parts. */
function sharedParentOf(node: Element): Element | null {
  const beside = node.previousElementSibling ?? node.nextElementSibling;
  return (beside?.assignedSlot === node.assignedSlot && node.parentElement) || parentOf(node);
}

/** The head of a column that only layout shows. It is over the element, in a first line of several texts. */
function headOver(node: Element): string {
  const row = sharedParentOf(node);
  if (!row || node.nodeType === 3 || node.matches('dd') || !isInColumns(row, node)) return '';
  for (const { children } of [row, firstRowBeside(row)]) {
    const bottom = children[0]?.getBoundingClientRect().bottom ?? 0;
    const first: Element[] = Array.prototype.slice.call(children, 0, maxHeads);
    const heads = first.filter((head) => head.getBoundingClientRect().top < bottom);
    if (!heads[1] || heads.includes(node) || !heads.every(mayBeHead)) continue;
    const head = labelIn(
      heads.find((each) => isOver(each, node)) ?? heads.find((each) => leftOf(each) === leftOf(node)),
    );
    // The first line may be heads, or the first term and value of a record.
    const before = node.previousElementSibling;
    const term = head && before && leftOf(before) < leftOf(node) ? labelIn(before) : '';
    return withColon(!heads[2] && isNamed(term) ? term : joinLabels([term, head]));
  }
  return '';
}

/** The first row of the rows that a row belongs to. A title and a toolbar may be before it. */
function firstRowBeside(row: Element): Element {
  const { firstElementChild } = row.parentNode as ParentNode;
  let at = firstElementChild;
  for (let index = 0; at && index < maxBeforeRows; index++) {
    if (at.childElementCount === row.childElementCount) return at;
    at = at.nextElementSibling;
  }
  return firstElementChild!;
}

/** True for a text with a letter, but without three digits together: EAN-13 may be a head. */
const mayBeHead = (head: Element): boolean => /^(?!.*\p{Nd}{3}).*\p{L}/su.test(ownTextOf(head));

const leftOf = (element: Element): number => Math.round(element.getBoundingClientRect().left);

/** True if a box may show columns: it is a flex box or grid, or its cells have absolute positions. */
export const isInColumns = (row: Element, cell: Element | null = row.firstElementChild): boolean =>
  /flex|grid/.test(getComputedStyle(row).display) ||
  (cell !== null && getComputedStyle(cell).position === 'absolute');

/** True where the middle of the cell is under the head. */
function isOver(head: Element, cell: Element): boolean {
  const { x, width } = cell.getBoundingClientRect();
  const { left, right } = head.getBoundingClientRect();
  return left < x + width / 2 && right > x + width / 2;
}

/** True for the second of two parts, and for the second of parts that alternate. */
function isPair(node: Element, before: Element | null): boolean {
  const kindOf = (part: Element | null | undefined) => `${part?.localName} ${part?.className}`;
  const own = kindOf(node);
  const other = kindOf(before);
  return (
    (node.parentNode as ParentNode).childElementCount === 2 ||
    (own !== other &&
      (own === kindOf(before?.previousElementSibling) || other === kindOf(node.nextElementSibling)))
  );
}

/** True for the second of three parts if the third is empty. It may be the place of a dialog or a message. */
const isLastWithText = ({ previousElementSibling, nextElementSibling, parentNode }: Element): boolean =>
  (parentNode as ParentNode).childElementCount === 3 &&
  previousElementSibling !== null &&
  nextElementSibling?.textContent === '';

/** The heads of a cell's row and column. The head that says more is last. */
function headsOf(cell: Element): string {
  const row = cell.closest(selectors.row);
  if (!row) return '';
  const columnHead = columnHeadOf(row, cell);
  // The nearest head counts. A row may have several heads, each with its cell.
  let head = cell.previousElementSibling;
  const hasLabel =
    isPair(cell, head) || !(columnHead || row.childElementCount % 2 || row.querySelector(selectors.headCell));
  while (head && !hasLabel && !head.matches(selectors.headCell) && !isNamed(labelIn(head)))
    head = head.previousElementSibling;
  const rowHead = hasLabel && !columnHead && isOfFields(row) ? withColon(labelIn(head)) : labelIn(head);
  const label = joinLabels(hasLabel ? [columnHead, rowHead] : [rowHead, columnHead]);
  return [rowHead, columnHead].some((each) => each.endsWith(':')) ? withColon(label) : label;
}

/**
 * True if a label ends with a colon, or names a telephone. The telephone's row may have several cells: Phone |
 * 4155550132 | edit
 */
const isNamed = (label: string): boolean => label.endsWith(':') || phoneField.test(label);

/** True for the fields of a record, not a list of people: a near row holds something other than a phone number. */
function isOfFields(row: Element): boolean {
  // Not by the parent's `children`: in Chromium, these may be a form's field of that name.
  for (const side of ['previousElementSibling', 'nextElementSibling'] as const) {
    let near = row[side];
    for (let count = 0; near && count < maxRowsAround; count++, near = near[side])
      if (near.localName === row.localName && isLabelWithValue(near)) return true;
  }
  return false;
}

/**
 * True if a value of the row is not a phone number. A value is the last part of the row or the second part of a pair.
 */
function isLabelWithValue({ children }: Element): boolean {
  return [...children].some((term, index) => {
    const value = term.nextElementSibling;
    if (!value || (value.nextElementSibling && (index % 2 || !isPair(value, term)))) return false;
    const text = ownTextOf(value).trim();
    const digits = (text.replace(dates, '').match(/\p{Nd}/gu) ?? []).length;
    const isPhoneLike = digits >= minNumberDigits && digits <= maxNumberDigits;
    return text !== '' && (!isPhoneLike || numberSign.test(ownTextOf(term)));
  });
}

/** The heads over a cell on the screen. Heads of groups are first. */
function columnHeadOf(row: Element, cell: Element): string {
  const cells = [...row.children];
  // If there are as many heads as cells, a cell has the head of its index. Otherwise some are merged.
  const isByIndex = (heads: Element[]) =>
    heads.length === cells.length && !heads.some((head) => (head as HTMLTableCellElement).colSpan > 1);
  const labelOver = (heads: Element[]) =>
    heads
      .filter((head, index) => (isByIndex(heads) ? cells[index] === cell : isOver(head, cell)))
      .map((head) => (head.matches(selectors.headCell) ? withColon(labelIn(head)) : labelIn(head)))
      .join(' ');
  let text = '';
  const isOfHeads = ({ children }: Element, mayBeText?: boolean) =>
    [...children].every(
      (head, index) =>
        head.matches(selectors.headCell) ||
        (mayBeText && (labelIn(head) || (!index && ownTextOf(head).trim() === '1'))),
    );
  // The rows right above if all their cells are heads, else the first rows. The very first may have any texts, after a
  // row number.
  let heads = (row.parentNode as ParentNode | null)?.firstElementChild;
  for (
    let above = row.previousElementSibling;
    above?.firstElementChild && isOfHeads(above);
    above = above.previousElementSibling
  )
    heads = above;
  // The letters over the columns of a spreadsheet are not heads.
  const isWithoutWord = () => !/\p{L}{2}/u.test(text);
  for (; heads && heads !== row && isOfHeads(heads, isWithoutWord()); heads = heads.nextElementSibling)
    // A head alone is the title of its table.
    if (heads.children[1]) text += ` ${labelOver([...heads.children])}`;
  // Else the heads are in a box above the rows' box, or farther out if the grid scrolls.
  for (
    let box = parentOf(row), climbed = 0;
    !text && box && (climbed < maxGridClimb || box.closest(selectors.grid));
    climbed++
  ) {
    const before = (box as HTMLTableElement).tHead ?? boxAbove(box, cell);
    if (before?.querySelector(selectors.notOnlyHeads) === null)
      text = labelOver([...before.querySelectorAll(selectors.headCell)]);
    box = parentOf(box);
  }
  return text;
}

/**
 * The nearest earlier box that is over the cell, else the nearest box. Columns that do not scroll have their own boxes.
 * Without an earlier box, the box after it if that is shown above.
 */
function boxAbove(box: Element, cell: Element): Element | null {
  const { previousElementSibling: nearest, nextElementSibling: after } = box;
  for (let at = nearest, passed = 0; at && passed < maxBeforeRows; at = at.previousElementSibling, passed++)
    if (isOver(at, cell)) return at;
  const isAfterAbove = () => after!.getBoundingClientRect().top < box.getBoundingClientRect().top;
  return !nearest && after && isAfterAbove() ? after : nearest;
}

/** The text of an element if it may be a label, else empty. The number of a head or term is left out, as in Order 1. */
export function labelIn(element: Element | null | undefined): string {
  if (!element) return '';
  const text = ownTextOf(element);
  return clean(
    element.matches(`${selectors.label},th`) || /:\s*$/.test(text) ? text.replace(shortDigits, ' ') : text,
  );
}

/**
 * The text of an element. Of a text far longer than a label, only the start. Programs and parts that the page hides are
 * left out.
 */
export function ownTextOf(element: Element): string {
  if (element.matches(selectors.hiddenFromAll)) return '';
  const { visibility: own } = getComputedStyle(element);
  let text = '';
  let isSkipped = false;
  for (
    let node = nextNode(element, element);
    node && text.length <= 4 * maxLabelLength;
    node = nextNode(node, element, isSkipped)
  ) {
    const style = node.nodeType === 1 && getComputedStyle(node as Element);
    isSkipped = style && (style.display === 'none' || style.visibility !== own);
    if (node.nodeType === 3) text += ` ${(node as Text).data}`;
    else for (const part of (node as HTMLSlotElement).assignedElements?.() ?? []) text += ownTextOf(part);
  }
  return text;
}

const shortDigits = /(?<!\p{Nd})\p{Nd}{1,2}(?!\p{Nd})/gu;

/** Joins several labels of one number. The label that says more is last. */
const joinLabels = (labels: string[]): string =>
  [...new Set(labels.map((label) => label.trim().replace(/:$/, '')))]
    .filter(Boolean)
    .join(': ')
    .slice(-maxJoinedLength);

/** Adds the colon that shows that the words are a label, not a name. */
const withColon = (label: string): string => (label && !label.endsWith(':') ? `${label}:` : label);

/** A label is short, with letters and without digits. */
export function clean(text = ''): string {
  const label = text.replace(/\s+/g, ' ').trim();
  return label.length <= maxLabelLength && /^\P{Nd}*\p{L}\P{Nd}*$/u.test(label) ? label : '';
}
