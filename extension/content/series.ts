/**
 * Columns of numbered things, by the cells above and below: 901-334-0412 before 901-334-0413 is counted, and a
 * column with HX-4471-0032 has no telephone.
 */
import { isInColumns } from './labels.ts';
import { selectors } from './selectors.ts';
import { withAncestors } from './tree.ts';

const minDigits = 7;
/** Boxes climbed from the digits to their cell. */
const maxClimb = 3;
/** Neighbours differ by less than a hundred. */
const countedDigits = 2;
/** A row of two is a term and its value: the offices of a company have numbers near to each other. */
const minCells = 3;
/** A long text is no number with its label. */
const maxTextLength = 60;
/** Capitals and digits without a space, or more digits than any number has. */
const code = /^(?=.*\p{Lu})(?=(?:.*\d){4})[\p{Lu}\d][\p{Lu}\d./-]{5,}$|^\d{16,}$/u;

/** Whether the cell above or below has nearly the same digits as that of a node, or a code. */
export function isInSeries(node: Node): boolean {
  const cell = node.parentElement?.closest(selectors.cell) ?? cellOfLayout(node);
  const row = cell?.closest(selectors.row) ?? cell?.parentElement;
  if (!cell || !row || row.childElementCount < minCells) return false;
  const index = [...row.children].indexOf(cell);
  const digits = digitsOfCell(cell);
  if (digits.length < minDigits) return false;
  return [row.previousElementSibling, row.nextElementSibling].some((near) => {
    const cellNear = near?.children[index];
    const other = digitsOfCell(cellNear);
    if (code.test(cellNear?.textContent.trim() ?? '')) return true;
    return other !== digits && other.length === digits.length && startOf(other) === startOf(digits);
  });
}

/** Its part of a row that only layout shows. */
const cellOfLayout = (node: Node): Element | undefined =>
  withAncestors(node.parentElement)
    .slice(0, maxClimb)
    .find(({ parentElement }) => parentElement && isInColumns(parentElement));

const startOf = (digits: string): string => digits.slice(0, -countedDigits);

function digitsOfCell(cell: Element | undefined): string {
  const text = cell?.textContent.trim() ?? '';
  return text.length <= maxTextLength ? text.replace(/\P{Nd}/gu, '') : '';
}
