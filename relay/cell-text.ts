/** Removes the decimals that some programs write after the digits of a number: 48999998888.0. */
export const withoutDecimals = (text: string): string => text.replace(/^(\+?\d{7,15})\.0{1,2}$/, '$1');

/**
 * The text of a number in a cell of a table. Spreadsheets keep digits as text (="0800123", '0800123), and people paste
 * blanks, dashes and hidden marks of other alphabets.
 */
export function cellText(cell: string): string {
  const plain = /^[\x20-\x7e]*$/.test(cell)
    ? cell
    : cell
        .normalize('NFKC')
        .replace(/\p{Cf}+/gu, '')
        .replace(/\p{Pd}/gu, '-');
  const text = plain
    .trim()
    .replace(/^=\s*"?([^"]*)"?$/, '$1')
    .replace(/^'/, '');
  return withoutDecimals(text);
}
