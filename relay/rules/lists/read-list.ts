/**
 * Reads lists of numbers as registers, spreadsheets and people write them: one number a line, or CSV with `,` `;` `|`
 * or tabs. A list can have millions of lines, so usual lines are read without the slow parts of a number's parser.
 */
import type { CountryCode } from 'libphonenumber-js/max';
import { numberingPlan } from '../../../shared/numbers/plan/numbering-plan.ts';
import { readInternational, readNational } from '../../../shared/numbers/reading/reading.ts';
import { keyOfNumber, keyOfPrefix, type ListedKey, mobileForm } from '../../../shared/rules/callee.ts';
import { cellText } from '../../cell-text.ts';
import {
  isAreaCodeHead,
  isCountryCodeHead,
  readAreaCode,
  readCallingCode,
  withCodesOfRow,
} from '../../code-columns.ts';
import { readNumbers } from '../../directory/read-numbers.ts';
import { isWorkbook, readNamedDelimiter, withoutQuoted, workbookProblem } from '../../start-of-table.ts';

export interface ListFormat {
  /**
   * Columns by number (from 1), or one column by its head. The cells of several columns are joined. Absent: the column
   * with a head like a phone, or the only column with numbers.
   */
  column?: number | string | readonly number[] | undefined;
  /** The country of numbers without a country code. */
  country?: CountryCode | undefined;
  /** The area code of numbers without one. */
  areaCode?: string | undefined;
}

/** The most numbers of a range. A longer range is more likely a mistake. */
const maxRange = 100_000;
/** Between several numbers of one person: `48 3222-1112 / 1113`. */
const separator = /[/|,;\n]|\s(?:ou|or|e|and|o|y)\s/i;
/** The most characters of a cell that is read for several numbers. */
const maxCellLength = 200;
const plainLine = /^\+?\d+$/;
/** Heads of columns with phones, in English, Portuguese and Spanish. */
const phoneHead = /phone|fone|tel[eé]f|^tel\b|mobile|m[oó]vil|\bcell?(?:ular)?\b|msisdn/i;
/** Signs that a page was sent in place of the list. */
const html = /^\s*<(?:!doctype|html|head|body|\?xml)/i;

/** The last tab before a quote is the delimiter. With tabs among the blanks, a line of many tabs takes seconds. */
const wholeCell = /(^|[;,|\t]) *"(?:[^"]|"")*"(?=\s*(?:[;,|\t]|$))/g;
const openCell = /(?:^|[;,|\t]) *"(?:[^"]|"")*$/;
/** The most lines of a row. A quote without an end must not make one cell of the rest of the list. */
const maxRowLines = 50;

class NotAListError extends Error {}

export class ListReader {
  /** Lines with something in them that is neither a number nor the head. */
  unread = 0;
  private lines = 0;
  /** The lines so far of a row in which a quoted cell continues in the next line. */
  private begunRow: string[] = [];
  private isBegun = false;
  private delimiter: string | undefined;
  /** The columns of the number, counted from 0. */
  private columns: readonly number[] | undefined;
  /** The columns of the codes that the numbers lack; -1 if the list has no such column. */
  private areaColumn = -1;
  private countryColumn = -1;
  private readonly callingCode: string;

  /** @param add gets each number's key (`callee.ts`). */
  constructor(
    private readonly format: ListFormat,
    private readonly add: (key: string) => void,
  ) {
    this.callingCode = format.country ? numberingPlan(format.country).callingCode : '';
    const { column } = format;
    if (column !== undefined && typeof column !== 'string')
      this.columns = [column].flat().map((each) => each - 1);
  }

  /** @throws NotAListError if the text is not a list that can be read, such as a web page or a workbook. */
  readLine(raw: string): void {
    if (this.begunRow.length === 0 && !raw.includes('"')) {
      this.readRow(raw);
      return;
    }
    this.begunRow.push(raw);
    const row = this.begunRow.join('\n');
    if (openCell.test(row.replace(wholeCell, '$1'))) {
      if (this.begunRow.length === maxRowLines) this.end();
      return;
    }
    this.begunRow = [];
    this.readRow(row);
  }

  /** Reads the lines of a row that has no end: each line by itself. */
  end(): void {
    const lines = this.begunRow;
    this.begunRow = [];
    for (const line of lines) this.readRow(line);
  }

  private readRow(raw: string): void {
    if (this.lines === 0 && isWorkbook(raw)) throw new NotAListError(workbookProblem);
    // A UTF-16 file, or a broken file, has NUL characters between its digits.
    const text = (this.lines++ === 0 ? raw.replace(/^(?:\uFEFF|\xEF\xBB\xBF)/, '') : raw).replaceAll(
      '\0',
      '',
    );
    const line = text.trim();
    if (line === '' || line.startsWith('#')) return;
    const named = this.isBegun ? undefined : readNamedDelimiter(text);
    if (named) {
      this.delimiter = named.delimiter;
      return;
    }
    if (this.lines < 4 && html.test(line)) throw new NotAListError('this is a web page, not a list');
    const cells = plainLine.test(line) ? [line] : this.cellsOf(line);
    const isFirst = !this.isBegun;
    this.isBegun = true;
    if (isFirst && this.isHead(cells)) return;
    if (this.columns !== undefined) {
      const cell = this.columns.map((column) => cells[column] ?? '').join('');
      const country = readCallingCode(cells[this.countryColumn] ?? '');
      const areaCode = readAreaCode(cells[this.areaColumn] ?? '');
      // The row's country code is not known. So only a number with a plus can be read.
      if (country === null && !cell.startsWith('+')) this.unread++;
      else {
        const codes = { country: country ?? undefined, areaCode };
        const { number, rules } = withCodesOfRow(cell, codes, this.format);
        this.readCell(number, rules);
      }
    } else if (cells.length === 1) this.readCell(cells[0]!);
    else this.readCell(this.onlyNumber(cells));
  }

  /** @throws NotAListError if several cells hold different numbers: an id could be listed as a phone number. */
  private onlyNumber(cells: readonly string[]): string {
    const numbers = cells.filter((cell) => this.keysOf(cell).length > 0);
    const [first = '', ...others] = numbers;
    const key = this.keysOf(first).join();
    if (others.some((other) => this.keysOf(other).join() !== key))
      throw new NotAListError('several columns hold numbers: name one (--column, or "column" of the list)');
    return first;
  }

  private readCell(cell: string, format = this.format): void {
    const keys = this.keysOf(cell, format);
    if (keys.length === 0) this.unread++;
    for (const key of keys) this.add(key);
  }

  private keysOf(cell: string, format = this.format): string[] {
    const quick = format.country === this.format.country ? this.quickKey(cell) : undefined;
    return quick === undefined ? keysOfCell(cell, format) : [quick];
  }

  /** The key of digits that are a number of the list's country or have a country code. */
  private quickKey(cell: string): string | undefined {
    if (!plainLine.test(cell)) return undefined;
    if (cell.startsWith('+')) {
      const isPossible = this.callingCode !== '' && cell.length > 8 && cell.length < 17 && cell[1] !== '0';
      const form = mobileForm(cell.slice(1));
      // Digits with a trunk zero, as in `+440207…`, are not what is dialled. The slow parser reads them.
      return isPossible && readInternational(form)?.valid ? `+${form}` : undefined;
    }
    const { country } = this.format;
    if (!country) return undefined;
    const withCode = this.callingCode + cell;
    const form = mobileForm(withCode);
    if (form !== withCode) return `+${form}`;
    const reading = readNational(cell, country);
    return reading?.valid ? `+${mobileForm(reading.callingCode + reading.national)}` : undefined;
  }

  /** A first line without a number names the columns. */
  private isHead(cells: readonly string[]): boolean {
    const { column } = this.format;
    if (typeof column === 'string') {
      const wanted = column.trim().toLowerCase();
      // Large lists are read as Latin-1, whatever they are written in.
      const found = cells.findIndex((cell) =>
        [cell, Buffer.from(cell, 'latin1').toString()].some((each) => each.toLowerCase() === wanted),
      );
      if (found < 0) throw new NotAListError(`there is no column "${column}"`);
      this.columns = [found];
      return true;
    }
    if (cells.some((cell) => this.keysOf(cell).length > 0)) return false;
    const phones = cells.flatMap((cell, index) =>
      phoneHead.test(cell) && !isCountryCodeHead(cell) ? [index] : [],
    );
    if (phones.length === 1 && this.columns === undefined) {
      this.columns = phones;
      const isApart = (index: number) => index !== phones[0];
      this.areaColumn = cells.findIndex((cell, index) => isApart(index) && isAreaCodeHead(cell));
      this.countryColumn = cells.findIndex(isCountryCodeHead);
    }
    return true;
  }

  private cellsOf(line: string): string[] {
    // In a line without letters, `|` separates the numbers of one cell.
    const delimiters = /\p{L}/u.test(line) ? [';', '\t', ',', '|'] : [';', '\t', ','];
    const firstIn = (text: string) => delimiters.find((each) => text.includes(each));
    this.delimiter ??= firstIn(withoutQuoted(line)) ?? firstIn(line);
    const { delimiter } = this;
    if (delimiter === undefined) return [unquoted(line)];
    if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
    // Written as its code: a bar or another sign of expressions would mean something else.
    const sign = `\\u${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const cell = new RegExp(`("(?:[^"]|"")*"|[^${sign}]*)(?:${sign}|$)`, 'g');
    return [...line.matchAll(cell)].map(([, text]) => unquoted(text!));
  }
}

const unquoted = (cell: string): string =>
  cell
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"')
    .trim();

/** @returns no key for a cell without a number, each number of a range, and `+5548*` for a prefix. */
export function keysOfCell(cell: string, format: ListFormat): string[] {
  const { country, areaCode } = format;
  if (country && cell.length <= maxCellLength && separator.test(cell)) {
    const several = readNumbers(cell, { country, areaCode, extensions: [] });
    if (several.length > 1) return several.filter((number) => number.startsWith('+'));
  }
  const text = cellText(cell);
  const [, first, last] = /^(\+?\d{6,15})\s*(?:-|–|\.\.|to)\s*(\+?\d{6,15})$/.exec(text) ?? [];
  if (first !== undefined && last !== undefined) return keysOfRange(first, last, format);
  if (/^\+?\d[\d\s()./\u00A0-]*\*$/.test(text)) return keysIn(keyOfPrefix(text, format.country));
  // Letters, formulas and times are not parts of a number.
  if (!/^\+?[\d\s()./\u00A0-]+$/.test(text) || /^\d{4}-\d\d-\d\d/.test(text)) return [];
  const digits = text.replace(/\D/g, '');
  if (digits.length < 6 || digits.length > 15) return [];
  return keysIn(keyOfNumber(text, format.country, format.areaCode));
}

const keysIn = (listed: ListedKey): string[] => ('key' in listed ? [listed.key] : []);

function keysOfRange(first: string, last: string, { country, areaCode }: ListFormat): string[] {
  const [from, to] = [Number(first.replace('+', '')), Number(last.replace('+', ''))];
  if (first.length !== last.length || to < from || to - from >= maxRange) return [];
  const { length } = first.replace('+', '');
  const plus = first.startsWith('+') ? '+' : '';
  return Array.from({ length: to - from + 1 }, (_, index) =>
    keysIn(keyOfNumber(plus + String(from + index).padStart(length, '0'), country, areaCode)),
  ).flat();
}
