/**
 * Finds columns of numbered things by the cells above and below. 901-334-0412 before 901-334-0413 is counted. A column
 * with HX-4471-0032 does not have telephones.
 */
import { isInColumns, ownTextOf } from './labels.ts';
import { selectors } from './selectors.ts';
import { withAncestors } from './tree.ts';

const minDigits = 7;
/** How many boxes are climbed from the digits to their cell. */
const maxClimb = 3;
/** How many last digits may differ: counted neighbours differ by less than a hundred. */
const countedDigits = 2;
/** The fewest cells of a row. A row of two is a term and its value, and a company's offices have similar numbers. */
const minCells = 3;
/** The longest text of a number with its label. */
const maxTextLength = 60;
/** Capitals and digits without a space, or more digits than any number has. */
const code = /^(?=.*\p{Lu})(?=(?:.*\d){4})[\p{Lu}\d][\p{Lu}\d./-]{5,}$|^\d{16,}$/u;

/**
 * What the cells above and below show of a node's digits. They are things that are counted or have a code, or
 * telephones. People write telephones as they like. A program writes its ids in one form.
 */
export function kindOfColumn(node: Node): 'things' | 'telephones' | undefined {
  const cell = node.parentElement?.closest(selectors.cell) ?? cellOfLayout(node);
  const row = cell?.closest(selectors.row) ?? cell?.parentElement;
  if (!cell || !row || row.childElementCount < minCells) return undefined;
  const index = [...row.children].indexOf(cell);
  const own = textOfCell(cell);
  const digits = cellDigits(own);
  if (digits.length < minDigits) return undefined;
  const others = [row.previousElementSibling, row.nextElementSibling].map((near) =>
    textOfCell(near?.children[index]),
  );
  const asLong = others.filter((other) => cellDigits(other).length === digits.length);
  const isCounted = (other: string) =>
    cellDigits(other) !== digits && startOf(cellDigits(other)) === startOf(digits);
  if (others.some((other) => code.test(other)) || asLong.some(isCounted)) return 'things';
  return own === digits && asLong.some((other) => /\d[^\d\p{L}]+\d/u.test(other)) ? 'telephones' : undefined;
}

/** The node's part of a row that only layout shows. */
const cellOfLayout = (node: Node): Element | undefined =>
  withAncestors(node.parentElement)
    .slice(0, maxClimb)
    .find(({ parentElement }) => parentElement && isInColumns(parentElement));

const startOf = (digits: string): string => digits.slice(0, -countedDigits);

function textOfCell(cell: Element | undefined): string {
  const text = cell ? ownTextOf(cell).trim() : '';
  return text.length <= maxTextLength ? text : '';
}

const cellDigits = (text: string): string => text.replace(/\P{Nd}/gu, '');
