/** What is kept of a person or place: name, organisation, role and numbers. Everything else is dropped on arrival. */
import type { CountryCode } from 'libphonenumber-js/max';
import { withCodesOfRow } from '../code-columns.ts';
import { type ReadingRules, readNumbers, readWithDroppedZero } from './read-numbers.ts';

interface PersonNumber {
  /** E.164 with its plus, or the digits of an internal extension. */
  number: string;
  /** The source's own word: `cell`. */
  label?: string;
}

export interface Person {
  name: string;
  organisation?: string;
  role?: string;
  /** Kind and id of the record that the person is in a CRM: `res.partner/7`. */
  record?: string;
  /** There is at least one. */
  numbers: readonly PersonNumber[];
}

/** A person as the source writes it, before the numbers are read. */
export interface WrittenPerson {
  name?: string | undefined;
  organisation?: string | undefined;
  role?: string | undefined;
  record?: string | undefined;
  /**
   * One text may hold several numbers. `country` and `areaCode` complete numbers without them, if the source has them
   * in separate columns.
   */
  numbers: readonly {
    text: string;
    label?: string | undefined;
    areaCode?: string | undefined;
    country?: CountryCode | undefined;
  }[];
}

const maxTextLength = 120;
const maxLabelLength = 30;
/** The most numbers of one entry. That is enough for a switchboard with all its lines. */
const maxNumbers = 40;
const maxNumberTextLength = 200;

/** Control characters, marks that change the direction of a text, and spaces without width. */
const hidden = /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060\u2066-\u2069\uFEFF\uFFF9-\uFFFB]+/gu;

/** @returns one line of visible text; undefined where nothing is left. */
export function plainText(text: string | undefined, maxLength = maxTextLength): string | undefined {
  if (text === undefined) return undefined;
  // A text of megabytes is cut before it is cleaned. The final cut never splits a character of two UTF-16 units.
  const start = text
    .slice(0, maxLength * 8)
    .replace(hidden, ' ')
    .normalize('NFC');
  const line = start.replace(/\s+/g, ' ').trim();
  return [...line].slice(0, maxLength).join('').trim() || undefined;
}

interface ReadPerson {
  /** Absent without a name or without a number that was read. */
  person?: Person;
  /** Texts in which no number was found. */
  unread: number;
}

export function readPerson(written: WrittenPerson, rules: ReadingRules): ReadPerson {
  const numbers = new Map<string, PersonNumber>();
  let unread = 0;
  for (const { text, label, ...codes } of written.numbers.slice(0, maxNumbers)) {
    const row = withCodesOfRow(text.slice(0, maxNumberTextLength), codes, rules);
    const whole = readNumbers(row.number, row.rules);
    const found = whole.length > 0 ? whole : readWithDroppedZero(row.number, row.rules);
    if (found.length === 0) unread++;
    const shown = plainText(label, maxLabelLength);
    for (const number of found)
      if (!numbers.has(number)) numbers.set(number, { number, ...(shown ? { label: shown } : {}) });
  }
  const organisation = plainText(written.organisation);
  const name = plainText(written.name) ?? organisation;
  const role = plainText(written.role);
  if (name === undefined || numbers.size === 0) return { unread };
  return {
    person: {
      name,
      ...(organisation && organisation !== name ? { organisation } : {}),
      ...(role ? { role } : {}),
      ...(written.record ? { record: written.record } : {}),
      numbers: [...numbers.values()],
    },
    unread,
  };
}
