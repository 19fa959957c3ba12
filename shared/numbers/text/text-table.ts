/** Tables in plain text, such as the result of a query: a line of heads over lines of cells. */

interface TextCell {
  start: number;
  end: number;
  /** The head over the cell. */
  head: string;
}

interface Part {
  start: number;
  end: number;
  text: string;
}

interface Heads {
  parts: Part[];
  separator: RegExp;
  lineStart: number;
}

const columnGap = / {2,}/g;
/** The separators of cells, and the fewest columns that each needs, because sentences have commas, too. */
const separators: readonly (readonly [separator: RegExp, minColumns: number])[] = [
  [/\|/g, 2],
  [/\t+/g, 2],
  [/;/g, 2],
  [/,/g, 3],
  [columnGap, 2],
];
const maxHeadLength = 30;
/** How long a row may be. A longer line is not a row. */
const maxLineLength = 1_000;

/** The cells of the tables in a text that have digits, in order. */
export function textTableCells(text: string): TextCell[] {
  const cells: TextCell[] = [];
  if (!text.includes('\n')) return cells;
  let heads: Heads | undefined;
  for (let start = 0; start <= text.length; ) {
    const lineEnd = text.indexOf('\n', start);
    const line = text.slice(start, lineEnd < 0 ? text.length : lineEnd);
    const row = heads && line.length <= maxLineLength && rowUnder(heads, line, start);
    if (line.length > maxLineLength) heads = undefined;
    else if (row) {
      for (const [column, cell] of row.entries())
        if (cell && /\p{Nd}/u.test(cell.text))
          cells.push({ start: cell.start, end: cell.end, head: heads!.parts[column]!.text });
    } else if (line === '') heads = undefined;
    else if (!/\p{Nd}/u.test(line)) heads = headsIn(line, start) ?? heads;
    start += line.length + 1;
  }
  return cells;
}

/**
 * The parts of a row by the place of their head: split by the separator, or where the heads begin, or where a wide gap
 * is. Undefined if the line is not a row.
 */
function rowUnder(heads: Heads, line: string, start: number): (Part | undefined)[] | undefined {
  const { parts, separator, lineStart } = heads;
  const own = partsOf(line, start, separator);
  if (own.length === parts.length) return own;
  if (separator !== columnGap) return undefined;
  const columns = parts.map((head) => head.start - lineStart);
  const isAligned = columns.every((at) => at === 0 || (line[at - 1] ?? ' ') === ' ');
  // A line of one cell is a text of its own.
  if (!isAligned || line.length <= columns[1]!)
    return own.length > 1 ? rowByPlace(heads, own, start) : undefined;
  return columns.map((at, column) => partIn(line, start, column === 0 ? 0 : at, columns[column + 1]));
}

/** Heads may begin before or behind their cells. Undefined if a part is under two heads, or not under one. */
function rowByPlace({ parts, lineStart }: Heads, own: Part[], start: number): Part[] | undefined {
  const row: Part[] = [];
  const offset = lineStart - start;
  let column = 0;
  for (const cell of own) {
    while (column < parts.length && parts[column]!.end <= cell.start + offset) column++;
    const [head, next] = parts.slice(column, column + 2);
    const end = cell.end + offset;
    if (!head || head.start >= end || (next && next.start < end) || row[column]) return undefined;
    row[column] = cell;
  }
  return row;
}

/** A line of short names without digits. */
function headsIn(line: string, lineStart: number): Heads | undefined {
  for (const [separator, minColumns] of separators) {
    const parts = partsOf(line, lineStart, separator);
    const areNames = parts.every(({ text }) => /\p{L}/u.test(text) && text.length <= maxHeadLength);
    if (parts.length >= minColumns && areNames) return { parts, separator, lineStart };
  }
  return undefined;
}

/** The parts of a line between its separators, without what frames the line. */
function partsOf(line: string, lineStart: number, separator: RegExp): Part[] {
  const [, before = '', inside = ''] = /^(\s*\||\s*)(.*?)\s*\|?$/.exec(line)!;
  const ends = [...inside.matchAll(separator), { index: inside.length, 0: '' }];
  let at = before.length;
  return ends.map(({ index, 0: sign }) => {
    const part = partIn(line, lineStart, at, before.length + index);
    at = before.length + index + sign.length;
    return part;
  });
}

function partIn(line: string, lineStart: number, from: number, to?: number): Part {
  const written = line.slice(from, to);
  const text = written.trim();
  const start = lineStart + from + written.indexOf(text);
  return { start, end: start + text.length, text };
}
