/** Scans a text with the label that its page gives it elsewhere: a column's head, a term. */
import type { Candidate } from '../../../shared/numbers/number.ts';
import { contextLexicon } from '../../../shared/numbers/text/context-words.ts';
import { isPhoneWord } from '../../../shared/numbers/text/place-and-unit.ts';
import { scan } from '../../../shared/numbers/text/scan.ts';
import { textTableCells } from '../../../shared/numbers/text/text-table.ts';
import { isAcronym } from '../../../shared/numbers/text/unknown-word.ts';

/**
 * Each cell of a table in plain text is read behind the head of its column. If the text begins inside a table, its
 * label is the line of heads, with its line end.
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
  // Outside of a table with heads, each gap ends a column, but not the gap before an aligned colon.
  const outside = text.replace(/\t|(?<! ) {3,}(?![ :])/g, (gap) => '\n'.repeat(gap.length));
  return [...scanBehind(outside, heads ? '' : label).filter(isOutside), ...inCells].sort(
    (one, other) => one.start - other.start,
  );
}

/**
 * A label counts as the words before the text. If it has a phone word, that word decides. The text's own words are
 * nearer. With a colon it is certainly a label, else it may be a name.
 */
function scanBehind(text: string, label: string): Candidate[] {
  const words = label.replace(/[^\p{L}\p{M}]*(?:\bn\W*[º°])?[^\p{L}\p{M}]*$/iu, '');
  // The text begins with the label. A word that is repeated would be a full name.
  if (text.startsWith(words)) return scan(text);
  const sign = isNumbered.test(label) ? ' #:' : label.endsWith(':') ? ':' : ',';
  const before = `${decidingWords(words)}${sign} `;
  return scan(before + text)
    .filter(({ start }) => start >= before.length)
    .map((found) => ({ ...found, start: found.start - before.length, end: found.end - before.length }));
}

/**
 * Labels of numbered things: Aluno n.º, Consumer No.:, N° BL. With a person, as in N.º do gerente, it may be a
 * telephone number.
 */
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
    if (own.some((word) => isOtherThing(word, isCounted))) return own.join(' ');
    // Contact mobile, and the `text` of a field's type: the word for telephones says more than the word for contacts.
    return (isCounted && own.find(isTelephone)) || words[first]!;
  }
  return label;
}

const isTelephone = (word: string): boolean => /^(?:phone|mobile)$/.test(contextLexicon.kindOf(word) ?? '');

/**
 * True for a thing with its own numbers: an id, a SIM, a case. A word such as `value` does not name a thing.
 * @param isCounted true if the phone word names a contact, a call or an office, which are also numbered: Call Sid.
 */
function isOtherThing(word: string, isCounted: boolean): boolean {
  if (isPhoneWord(word) || /^val(?:ue|or|ore|eur)$/i.test(word)) return false;
  const kind = contextLexicon.kindOf(word);
  if (kind !== undefined) return kind === 'otherThing';
  return isAcronym(word, 0, word.length) || (isCounted && word[0] !== word[0]!.toLowerCase());
}
