/**
 * Finds digits that the rest of the page shows to be another thing, though they could be a number. Most cells of their
 * column are not numbers, or the page has the same digits, or almost the same, as another thing.
 */

import { isAnnounced } from '../../../shared/numbers/number.ts';
import type { FoundNumber } from '../../messages/content.ts';

/** A text of the page with the numbers that were found in it. */
export interface ReadText {
  text: string;
  label: string;
  found: readonly FoundNumber[];
}

/** The numbers of each text without those that the other texts show to be another thing. */
export function withoutThings(texts: readonly ReadText[]): FoundNumber[][] {
  const all = texts.map(({ found }) => [...found]);
  if (!all.flat().some(isUncertain)) return all;
  const columns = columnsByHead(texts);
  const left = texts.map((read) =>
    columns.get(columnName(read))?.isOfThings ? { ...read, found: read.found.filter(isCertain) } : read,
  );
  const things = new DigitsOfThings(left);
  return left.map((read) =>
    read.found.filter((number) => isCertain(number) || !things.resemble(number, read)),
  );
}

/** Words, a plus or an area code in brackets show a telephone number, whatever else is on the page. */
const isCertain = ({ source }: FoundNumber): boolean =>
  isAnnounced(source.contextWords) || /^\s*[+(]/.test(source.text);
const isUncertain = (found: FoundNumber): boolean => !isCertain(found);

const minCellDigits = 6;
const wholeOfDigits = /^[\p{Nd}\s./-]+$/u;
/** Capitals and digits without a space, such as HX-4471-0032. */
const code = /^(?=.*\p{Lu})(?=(?:.*\d){4})[\p{Lu}\d][\p{Lu}\d./-]{5,}$/u;

/** The columns of a page by their heads. */
function columnsByHead(texts: readonly ReadText[]): Map<string, { surplus: number; isOfThings: boolean }> {
  const columns = new Map<string, { surplus: number; isOfThings: boolean }>();
  for (const read of texts) {
    const name = columnName(read);
    const cell = read.text.trim();
    const isCell = asciiDigits(cell).length >= minCellDigits && wholeOfDigits.test(cell);
    if (!name || !(isCell || code.test(cell))) continue;
    const surplus = (columns.get(name)?.surplus ?? 0) + (read.found.length > 0 ? -1 : 1);
    columns.set(name, { surplus, isOfThings: surplus > 0 });
  }
  return columns;
}

/** The head of a text without the signs at its end. Cells of one column may have different signs. */
const columnName = ({ label }: ReadText): string => label.replace(/[\s#:,]+$/, '');

/** How many digits at the end two things of one kind may differ in. */
const differingDigits = 3;
/** The fewest digits that are compared. Local numbers of one place are alike. */
const minComparedDigits = 9;
/** How many digits at the end choose the things that are compared. */
const sortedDigits = 7;
/** How many things with the same end are kept. */
const maxThingsPerEnd = 8;
/** The fewest digits before those that a longer thing ends with. Fewer may be a calling code. */
const minDigitsBeforeEnd = 4;

/** The digits of a page that are not a number. */
class DigitsOfThings {
  readonly #byEnd = new Map<string, string[]>();
  /** The digits of each text. */
  readonly #ofText = new Map<ReadText, string[]>();
  /** The digits as they are written. */
  readonly #written = new Set<string>();

  constructor(texts: readonly ReadText[]) {
    for (const read of texts) {
      const own = thingsIn(read);
      const digits = own.map(asciiDigits);
      this.#ofText.set(read, digits);
      for (const written of own) this.#written.add(written);
      for (const thing of digits) {
        const end = lastDigits(thing);
        const known = this.#byEnd.get(end);
        if (!known) this.#byEnd.set(end, [thing]);
        else if (known.length < maxThingsPerEnd) known.push(thing);
      }
    }
  }

  /** @param read the text that has the number. */
  resemble({ source }: FoundNumber, read: ReadText): boolean {
    // 081 552 7046 (int. 3): the digits of an extension are left out.
    const digits = asciiDigits(source.text.replace(/[(\p{L}].*/su, ''));
    if (digits.length < minComparedDigits) return false;
    // A person's bare id may be the person's number. A sentence repeats an id.
    if (this.#written.has(source.text) && (source.text !== digits || isSentence(read.text))) return true;
    const isLonger = (thing: string) =>
      thing.length >= digits.length + minDigitsBeforeEnd && thing.endsWith(digits);
    return (
      this.#byEnd.get(lastDigits(digits))?.some(isLonger) === true ||
      isCountedIn(this.#ofText.get(read) ?? [], digits)
    );
  }
}

const lastDigits = (digits: string): string => digits.slice(-sortedDigits);

/** Not 0331 447 203 but 0331447188: the same text has a thing that differs at the end only. */
function isCountedIn(things: readonly string[], digits: string): boolean {
  const start = digits.slice(0, -differingDigits);
  return things.some(
    (thing) =>
      thing !== digits &&
      (thing.length === digits.length || thing.length === digits.length - 1) &&
      thing.startsWith(start),
  );
}

/** The digits of a text outside its numbers. Several whole groups are several things. */
function thingsIn({ text, found }: ReadText): string[] {
  let rest = '';
  let from = 0;
  for (const { start, end } of found) {
    rest += `${text.slice(from, start)}\n`;
    from = end;
  }
  return ((rest + text.slice(from)).match(/\d[\d .-]{5,}\d/g) ?? []).flatMap(
    (run) => run.match(/\d{7,}/g) ?? (asciiDigits(run).length >= sortedDigits ? [run] : []),
  );
}

const minWords = 3;
const isSentence = (text: string): boolean => (text.match(/\p{L}{2,}/gu) ?? []).length >= minWords;

const asciiDigits = (text: string): string => text.replace(/\D+/g, '');
