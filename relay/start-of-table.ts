/** What a table of text may begin with, before its head. */

/**
 * How Excel names the delimiter of a CSV, in a line before the head: `sep=;`.
 * @returns that line with its end, and the delimiter; undefined where the text begins otherwise.
 */
export function readNamedDelimiter(text: string): { line: string; delimiter: string } | undefined {
  const [line, delimiter] = /^\uFEFF?"?sep=(.)"?(?:\r\n?|\n|$)/i.exec(text) ?? [];
  return line === undefined ? undefined : { line, delimiter: delimiter! };
}

/** The problem that is reported if a workbook of a spreadsheet (a zip file) was given instead of its text. */
export const workbookProblem = 'this is a workbook or another zip file; save it as CSV';

export const isWorkbook = (text: string): boolean => text.startsWith('PK\u0003\u0004');

/** A row without its cells in quotes, whose signs do not separate cells. */
export const withoutQuoted = (row: string): string => row.replace(/"[^"]*"/g, '');
