/** What the address of the call page asks to call: written by the background, read by the page. */
import { RecordKey } from '../shared/record/template.ts';
import { parseJson } from '../shared/service/json.ts';
import { SourceOnPage } from './messages/views.ts';

/** What a page of ours, or a marked one, knows of a number besides its digits. */
export interface FromPage {
  /** Where the number is: it is judged again as it is there, with its extension and its other readings. */
  onPage?: SourceOnPage | undefined;
  /** What stands beside the number. */
  name?: string | undefined;
  /** What the call is about, where the number comes from a page that shows a record. */
  record?: RecordKey | undefined;
}

export interface AskedNumber extends FromPage {
  /** What an agent could type. A `tel:` link and the address bar give nothing else. */
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
