import { RecordKey } from '../../../shared/record/template.ts';
import { parseJson } from '../../../shared/service/json.ts';
import { SourceOnPage } from '../../messages/views.ts';

/** What the address of this page asks to call (`openCallPage`, a `tel:` link, the address bar). */
export interface AskedNumber {
  input: string;
  onPage: SourceOnPage | undefined;
  name: string | undefined;
  /** What the call is about. */
  about: RecordKey | undefined;
}

export function readAddress(search: string): AskedNumber {
  const query = new URLSearchParams(search);
  const part = (key: string) => query.get(key)?.slice(0, 200);
  return {
    input: part('u') ?? '',
    onPage: SourceOnPage.safeParse(parseJson(query.get('p') ?? '')).data,
    name: part('n'),
    about: RecordKey.safeParse(parseJson(query.get('r') ?? '')).data,
  };
}
