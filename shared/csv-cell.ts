/**
 * One cell of RFC 4180. Spreadsheets execute a cell that begins like a formula, and tables hold foreign text: such
 * cells get a leading apostrophe, which spreadsheets hide. A `+` and digits alone is a phone number and stays.
 */
export function csvCell(value: string | number | undefined): string {
  if (value === undefined) return '';
  let text = String(value);
  if (/^[=@\t\r-]/.test(text) || (text.startsWith('+') && !/^\+[\d ().-]+$/.test(text))) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
