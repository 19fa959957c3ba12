/** Opens our own page for a number that comes from outside a marked page. That page dials after a click. */
import browser from 'webextension-polyfill';
import type { RecordKey } from '../../../shared/record/template.ts';
import type { SourceOnPage } from '../../messages/views.ts';

/** What is known of a number besides its digits. */
export interface FromPage {
  /** Where the number is: it is judged again as it is there, with its extension and its other readings. */
  onPage?: SourceOnPage | undefined;
  /** What stands beside the number. */
  name?: string | undefined;
  /** What the call is about, where the number comes from a page that shows one. */
  record?: RecordKey | undefined;
}

/** @param input what an agent could type, in place of the number on its page where none is given. */
export async function openCallPage(input: string, { onPage, name, record }: FromPage = {}): Promise<void> {
  const query = new URLSearchParams({ u: input });
  if (onPage) query.set('p', JSON.stringify(onPage));
  if (name) query.set('n', name);
  if (record) query.set('r', JSON.stringify(record));
  await browser.tabs.create({ url: browser.runtime.getURL(`extension/pages/call/index.html?${query}`) });
}
