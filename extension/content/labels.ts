/** The words that say what a number is from another box: the head of its column or row, its term, its label. */
import { rules } from './received-page-rules.ts';
import { nextNode, parentOf } from './tree.ts';

const maxLabelLength = 60;
/** Boxes climbed from the number to what names it; a box of more parts than that is not one number with its label. */
const maxClimb = 4;
const maxParts = 6;
/** Boxes climbed from a row to the one that comes after its heads. */
const maxGridClimb = 7;

/** Label of the number in an element, without digits; empty where there is none. */
export function labelOf(element: Element): string {
  let at: Element | null = element;
  for (let climbed = 0; at && climbed < maxClimb; climbed++) {
    const isCell = at.matches(rules.cell!);
    const label = ownLabel(at) || (isCell ? headsOf(at) : labelBefore(at));
    if (label || isCell || at.matches(rules.outer!)) return label;
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

/** What the element itself says it is. */
function ownLabel(element: Element): string {
  return (
    labelIn(element.ariaLabelledByElements?.[0]) || clean(element.ariaLabel || (element as HTMLElement).title)
  );
}

/** A label or term before or above the element, or the first of two parts. */
function labelBefore(element: Element): string {
  let before = element.previousElementSibling;
  while (element.localName === 'dd' && before?.localName === 'dd') before = before.previousElementSibling;
  if (!before || before.matches(rules.noLabel!)) return '';
  const label = labelIn(before);
  const isPair = (element.parentNode as ParentNode).childElementCount === 2 || before.matches(rules.label!);
  return isPair || label.endsWith(':') || /flex|grid/.test(getComputedStyle(parentOf(element)!).display)
    ? label
    : '';
}

/** Heads of a cell's row and column, the one that says more last. */
function headsOf(cell: Element): string {
  const row = cell.closest(rules.row!);
  if (!row) return '';
  const isPair = parentOf(cell)!.childElementCount === 2;
  // The nearest: a row may have several heads, each with its cell.
  let head = cell.previousElementSibling;
  while (head && !isPair && !head.matches(rules.head!) && !labelIn(head).endsWith(':'))
    head = head.previousElementSibling;
  const rowHead = labelIn(head);
  const columnHead = columnHeadOf(row, cell);
  return clean(isPair ? `${columnHead} ${rowHead}` : `${rowHead} ${columnHead}`);
}

/** The heads over a cell on the screen, those of groups first. */
function columnHeadOf(row: Element, cell: Element): string {
  const cells = [...row.children];
  const { left, right } = cell.getBoundingClientRect();
  const isOver = (head: Element) => {
    const box = head.getBoundingClientRect();
    return box.left < (left + right) / 2 && box.right > (left + right) / 2;
  };
  // By number where each cell has its head, as it may be laid out in any way or be there for screen readers alone; else heads or cells are merged.
  const labelOver = (heads: Element[]) =>
    heads
      .filter((head, index) => (heads.length === cells.length ? cells[index] === cell : isOver(head)))
      .map(labelIn)
      .join(' ');
  let text = '';
  // The first rows, where all their cells are heads, or those of the very first have no digits. One alone is the title of its table.
  for (const heads of parentOf(row)!.children) {
    const all = [...heads.children];
    if (heads === row || !all.every((head) => head.matches(rules.head!) || (!text && labelIn(head)))) break;
    if (all[1]) text += ` ${labelOver(all)}`;
  }
  // Or the box before that of the rows, in a grid that scrolls one further out.
  for (let box = parentOf(row), climbed = 0; !text && box && climbed < maxGridClimb; climbed++) {
    const before = (box as HTMLTableElement).tHead ?? box.previousElementSibling;
    if (before?.querySelector(rules.noHeads!) === null)
      text = labelOver([...before.querySelectorAll(rules.head!)]);
    box = parentOf(box);
  }
  return text;
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
function clean(text = ''): string {
  const label = text.replace(/\s+/g, ' ').trim();
  return label.length <= maxLabelLength && /\p{L}/u.test(label) && !/\p{Nd}/u.test(label) ? label : '';
}
