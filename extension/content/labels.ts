/** The words that say what a number is from another box: the head of its column or row, its term, its label. */
import { rules } from './received-page-rules.ts';
import { nextNode, parentOf } from './tree.ts';

const maxLabelLength = 60;
/** Boxes climbed from the number to what names it; a box of more parts than that is not one number with its label. */
const maxClimb = 4;
const maxParts = 6;

/** Label of the number in an element, without digits; empty where there is none. */
export function labelOf(element: Element): string {
  let at: Element | null = element;
  for (let climbed = 0; at && climbed < maxClimb; climbed++) {
    const isCell = roleOf(at, rules.cell);
    const label = ownLabel(at) || (isCell ? headsOf(at) : labelBefore(at));
    if (label || isCell || rules.outer.has(at.localName)) return label;
    at = parentOf(at);
    if (at && at.childElementCount > maxParts) break;
  }
  return '';
}

/**
 * Name for people of the number in an element: the words before it in its line, the name in its row, or its label.
 * @param before the text of its block up to the number.
 */
export function nameOf(element: Element, before: string): string {
  const lines = before.split('\n').map((line) => clean(/[^.,;!?|·\p{Nd}]*$/u.exec(line)![0]));
  const row = element.closest('tr,li,[role=row]');
  const named = row?.querySelector(rules.named!);
  const name = named?.contains(element) ? '' : labelIn(named);
  return lines.at(-1) || name || labelOf(element) || lines.findLast(Boolean) || '';
}

const roleOf = (element: Element, roles = '') =>
  new RegExp(`^(${roles})$`).test(element.role ?? element.localName);

/** What the element itself says it is. */
function ownLabel(element: Element): string {
  return (
    labelIn(element.ariaLabelledByElements?.[0]) ||
    clean(element.ariaLabel ?? element.getAttribute('title') ?? '')
  );
}

/** A label or term before or above the element, or the first of two parts. */
function labelBefore(element: Element): string {
  let before = element.previousElementSibling;
  while (element.localName === 'dd' && before?.localName === 'dd') before = before.previousElementSibling;
  // A page's title is no label of its first number.
  if (!before || /^(li|h\d|head$)/.test(before.localName)) return '';
  const label = labelIn(before);
  return label.endsWith(':') || element.parentElement!.childElementCount === 2 || roleOf(before, rules.label)
    ? label
    : '';
}

/** Heads of a cell's row and column, the one that says more last. */
function headsOf(cell: Element): string {
  const row = cell.closest(rules.row!);
  const table = row?.closest(rules.table!);
  if (!row || !table) return '';
  const isPair = row.childElementCount === 2;
  // The nearest: a row may have several heads, each with its cell.
  let head = cell.previousElementSibling;
  while (head && !isPair && !roleOf(head, rules.head) && !labelIn(head).endsWith(':'))
    head = head.previousElementSibling;
  const rowHead = labelIn(head);
  const columnHead = columnHeadOf(table, row, columnsUpTo(cell));
  return clean(isPair ? `${columnHead} ${rowHead}` : `${rowHead} ${columnHead}`);
}

/** The head above a column: a `th` or columnheader, or in the first row where none of its cells has a digit. */
function columnHeadOf(table: Element, row: Element, column: number): string {
  // A search for heads would read every row of a long table without any.
  const heads = (table as HTMLTableElement).tHead?.lastElementChild ?? table.querySelector(rules.row!);
  if (!heads || heads === row || !heads.children[1]) return '';
  const all = [...heads.children];
  const head = all.find((each) => columnsUpTo(each) >= column);
  const areHeads = all.every((each) => roleOf(each, rules.head) || labelIn(each));
  return areHeads ? labelIn(head) : '';
}

/** Columns of a row up to the end of this cell. */
function columnsUpTo(cell: Element): number {
  let columns = 0;
  for (let at: Element | null = cell; at; at = at.previousElementSibling)
    columns += (at as HTMLTableCellElement).colSpan || 1;
  return columns;
}

/** Text of an element that may be a label; empty where it is none, or no element. */
function labelIn(element: Element | null | undefined): string {
  if (!element || element.ariaHidden === 'true') return '';
  let text = '';
  for (let node = nextNode(element, element); node; node = nextNode(node, element)) {
    if (node.nodeType === 3) text += ` ${(node as Text).data}`;
    if (text.length > 4 * maxLabelLength) break;
  }
  return clean(text);
}

/** A label is short, with letters and without digits. */
function clean(text: string): string {
  const label = text.replace(/\s+/g, ' ').trim();
  return label.length <= maxLabelLength && /\p{L}/u.test(label) && !/\p{Nd}/u.test(label) ? label : '';
}
