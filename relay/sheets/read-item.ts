/** Reads what is to be on a sheet: a request's items, and the rows of a table. */
import type { CountryCode } from 'libphonenumber-js/max';
import { maxItemName, type NewSheetItem } from '../../shared/protocol/sheets.ts';
import { type RecordTemplate, recordAt } from '../../shared/record/template.ts';
import { withCodesOfRow } from '../code-columns.ts';
import { plainText } from '../directory/person.ts';
import { readNumbers } from '../directory/read-numbers.ts';
import { readRows } from '../directory/sources/csv.ts';
import { keysOfCell } from '../rules/lists/read-list.ts';
import type { NewItem } from './sheet.ts';

/** The country and area code of numbers that are written without them. */
interface Home {
  country: CountryCode | undefined;
  areaCode?: string | undefined;
}

/** @returns undefined where the text holds no number that reaches the same person from every telephone. */
export function readItem({ number, name, record }: NewSheetItem, home: Home): NewItem | undefined {
  const { country, areaCode } = home;
  const [written = number] = country ? readNumbers(number, { country, areaCode, extensions: [] }) : [];
  const [key, ...others] = keysOfCell(written, home);
  if (key === undefined || others.length > 0 || key.endsWith('*')) return undefined;
  // Without a country set the key has no country code, though the number may have one.
  const complete = key.startsWith('+') ? key : written.replace(/[^+\d]/g, '');
  if (!complete.startsWith('+')) return undefined;
  return { key, number: complete, name: plainText(name, maxItemName), record };
}

/**
 * The rows of a CSV with a head, in any encoding. A column with addresses of records links them, where a template fits.
 * @returns for each row its item, or undefined where it has no number.
 */
export async function* readItems(
  text: AsyncIterable<string>,
  home: Home,
  templates: readonly RecordTemplate[],
): AsyncGenerator<NewItem | undefined, void> {
  for await (const { written, link } of readRows(text, { mayLackName: true })) {
    const { name, organisation } = written;
    const record = link === undefined ? undefined : recordAt(link, templates);
    const shown = [name, organisation === name ? undefined : organisation].filter(Boolean).join(', ');
    const items = written.numbers.map(({ text, ...codes }) => {
      const { number, rules } = withCodesOfRow(text.replaceAll('\0', '').trim(), codes, home);
      return readItem({ number, name: shown, record }, rules);
    });
    yield items.find((item) => item !== undefined);
  }
}
