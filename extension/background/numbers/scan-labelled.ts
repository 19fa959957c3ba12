/** Scans a text with the label that its page gives it elsewhere: a column's head, a term. */
import type { Candidate } from '../../../shared/numbers/number.ts';
import { contextLexicon } from '../../../shared/numbers/text/context-words.ts';
import { isPhoneWord } from '../../../shared/numbers/text/place-and-unit.ts';
import { scan } from '../../../shared/numbers/text/scan.ts';
import { textTableCells } from '../../../shared/numbers/text/text-table.ts';
import { isAcronym } from '../../../shared/numbers/text/unknown-word.ts';

/**
 * The cells of a table in plain text are each read behind the head of their column. Where the text begins in the middle
 * of a table, its label is the line of heads, with its line end.
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

/**
 * A label counts as the words before the text, of which a phone word decides; the text's own words are nearer. With its
 * colon it is certainly a label, else it may be a name.
 */
function scanBehind(text: string, label: string): Candidate[] {
  const words = label.replace(/[^\p{L}\p{M}]*(?:\bn\W*[º°])?[^\p{L}\p{M}]*$/iu, '');
  // Said twice, one word would be a full name.
  if (text.startsWith(words)) return scan(text);
  const sign = isNumbered.test(label) ? ' #:' : label.endsWith(':') ? ':' : ',';
  const before = `${decidingWords(words)}${sign} `;
  return scan(before + text)
    .filter(({ start }) => start >= before.length)
    .map((found) => ({ ...found, start: found.start - before.length, end: found.end - before.length }));
}

/** Aluno n.º, Consumer No.:, N° BL; of a person, as in N.º do gerente, it may be a telephone's. */
const isNumbered = /(?:[#º°]|\bn[or]\.?):?$|^n(?:\.?\s?[º°]|[or]\.|\.(?=\s))\s?(?!d[aeou']|of)\p{L}/iu;

/** The phone word of a label, or the thing that follows it: the "ID" of "Call ID". */
function decidingWords(label: string): string {
  for (const head of label.split(':')) {
    const words = head.match(/[\p{L}\p{M}]+/gu) ?? [];
    const first = words.findIndex(isPhoneWord);
    if (first < 0) continue;
    const rest = words.slice(first + 1);
    const own = rest.slice(
      0,
      [...rest.map((word) => contextLexicon.kindOf(word)), 'between'].indexOf('between'),
    );
    const isCounted = contextLexicon.kindOf(words[first]!) === 'contact';
    return own.some((word) => isOtherThing(word, isCounted)) ? own.join(' ') : words[first]!;
  }
  return label;
}

/**
 * A thing with numbers of its own: an id, a SIM, a case. A value is only what stands there.
 * @param isCounted it is one of calls or contacts: Call Sid.
 */
function isOtherThing(word: string, isCounted: boolean): boolean {
  if (isPhoneWord(word) || /^val(?:ue|or|ore|eur)$/i.test(word)) return false;
  const kind = contextLexicon.kindOf(word);
  if (kind !== undefined) return kind === 'otherThing';
  return isAcronym(word, 0, word.length) || (isCounted && word[0] !== word[0]!.toLowerCase());
}
