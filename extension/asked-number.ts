/**
 * The number that the call page is asked to call, as its address holds it. The background writes the address; the page
 * reads it.
 */
import { RecordKey } from '../shared/record/template.ts';
import { parseJson } from '../shared/service/json.ts';
import { SourceOnPage } from './messages/views.ts';

/** What is known of a number besides its digits: by a marked page, or by the address of the tab. */
export interface FromPage {
  /**
   * The place of the number in a page. The number is judged again as it is there, with its extension and its other
   * readings.
   */
  onPage?: SourceOnPage | undefined;
  /** The name beside the number. */
  name?: string | undefined;
  /** The record that the call is about, if the number comes from a page that shows a record. */
  record?: RecordKey | undefined;
}

export interface AskedNumber extends FromPage {
  /**
   * The number as an agent could type it. The browser's `tel:` handler and the address bar give only this. The menu of
   * a `tel:` link may add a record.
   */
  input: string;
}

const maxLength = 200;

export function queryOfAsked({ input, onPage, name, record }: AskedNumber): string {
  const query = new URLSearchParams({ u: input });
  if (onPage) query.set('p', JSON.stringify(onPage));
  if (name) query.set('n', name);
  if (record) query.set('r', JSON.stringify(record));
  return String(query);
}

export function readAsked(search: string): AskedNumber {
  const query = new URLSearchParams(search);
  const part = (key: string) => query.get(key)?.slice(0, maxLength);
  return {
    input: part('u') ?? '',
    onPage: SourceOnPage.safeParse(parseJson(query.get('p') ?? '')).data,
    name: part('n'),
    record: RecordKey.safeParse(parseJson(query.get('r') ?? '')).data,
  };
}
