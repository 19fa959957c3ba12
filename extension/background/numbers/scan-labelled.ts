/** Scans a text with the label that its page gives it elsewhere: a column's head, a term. */
import type { Candidate } from '../../../shared/numbers/number.ts';
import { isPhoneWord } from '../../../shared/numbers/text/place-and-unit.ts';
import { scan } from '../../../shared/numbers/text/scan.ts';
import { textTableCells } from '../../../shared/numbers/text/text-table.ts';

/**
 * The cells of a table in plain text are each read behind the head of their column. Where the text begins in the middle of a
 * table, its label is the line of heads, with its line end.
 */
export function scanLabelled(text: string, label: string): Candidate[] {
  const heads = label.endsWith('\n') ? label : '';
  const cells = textTableCells(heads + text).map(({ head, start, end }) => ({
    head,
    start: start - heads.length,
    end: end - heads.length,
  }));
  const inCells = cells.flatMap(({ start, end, head }) =>
    scanBehind(text.slice(start, end), `${head}:`).map((found) => ({
      ...found,
      start: start + found.start,
      end: start + found.end,
    })),
  );
  const isOutside = ({ start, end }: Candidate) =>
    cells.every((cell) => end <= cell.start || start >= cell.end);
  // Without its heads a column ends at each gap.
  const outside = text.replace(/\t| {3,}/g, (gap) => '\n'.repeat(gap.length));
  return [...scanBehind(outside, heads ? '' : label).filter(isOutside), ...inCells].sort(
    (one, other) => one.start - other.start,
  );
}

/** A label counts as the words before the text, of which a phone word decides; the text's own words are nearer. With its colon it is certainly one. */
function scanBehind(text: string, label: string): Candidate[] {
  const words = label.replace(/[\s#.]*:$/, '');
  // Said twice, one word would be a full name.
  if (text.startsWith(words)) return scan(text);
  // The sign of a number: "Meter Reading:" of the page's structure is not a person's full name.
  const before = `${label.split(/[^\p{L}]+/u).find(isPhoneWord) ?? label.replace(/[\s#.]*:$/, ' #:')} `;
  return scan(before + text)
    .filter(({ start }) => start >= before.length)
    .map((found) => ({ ...found, start: found.start - before.length, end: found.end - before.length }));
}
