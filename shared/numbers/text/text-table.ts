/** Tables in plain text, such as the result of a query: a line of heads over lines of as many cells. */

export interface TextCell {
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

/** Signs between cells, and how many columns they need: sentences have commas, too. Blanks may also be around the others. */
const separators: readonly (readonly [separator: RegExp, minColumns: number])[] = [
  [/\|/g, 2],
  [/\t/g, 2],
  [/;/g, 2],
  [/,/g, 3],
  [/ {2,}/g, 2],
];
const maxHeadLength = 30;

/** The cells of the tables in a text that have digits, in order. */
export function textTableCells(text: string): TextCell[] {
  if (!text.includes('\n')) return [];
  const cells: TextCell[] = [];
  let heads: { parts: Part[]; separator: RegExp } | undefined;
  let lineStart = 0;
  for (const line of text.split('\n')) {
    const own = heads && partsOf(line, lineStart, heads.separator);
    if (own && heads?.parts.length === own.length) {
      for (const [column, { start, end, text: cell }] of own.entries())
        if (/\p{Nd}/u.test(cell)) cells.push({ start, end, head: heads.parts[column]!.text });
    } else if (!/^[\s|+=-]*$/.test(line) || line === '') heads = headsIn(line, lineStart);
    lineStart += line.length + 1;
  }
  return cells;
}

/** A line of short names without digits. */
function headsIn(line: string, start: number): { parts: Part[]; separator: RegExp } | undefined {
  if (/\p{Nd}/u.test(line)) return undefined;
  for (const [separator, minColumns] of separators) {
    const parts = partsOf(line, start, separator);
    const areNames = parts.every(({ text }) => /\p{L}/u.test(text) && text.length <= maxHeadLength);
    if (parts.length >= minColumns && areNames) return { parts, separator };
  }
  return undefined;
}

/** The parts of a line between its separators, without what frames the line. */
function partsOf(line: string, lineStart: number, separator: RegExp): Part[] {
  const [, before = '', inside = ''] = /^(\s*\||\s*)(.*?)\s*\|?$/.exec(line)!;
  const parts: Part[] = [];
  let at = 0;
  for (const { index, 0: sign } of [...inside.matchAll(separator), { index: inside.length, 0: '' }]) {
    const written = inside.slice(at, index);
    const text = written.trim();
    const start = lineStart + before.length + at + written.indexOf(text);
    parts.push({ start, end: start + text.length, text });
    at = index + sign.length;
  }
  return parts;
}
