/** Opens our own page for a number that comes from outside a marked page. That page dials after a click. */
import browser from 'webextension-polyfill';
import type { RecordKey } from '../../../shared/record/template.ts';

/** @param record what the call is about, where the number comes from a page that shows one. */
export async function openCallPage(number: string, record?: RecordKey): Promise<void> {
  const about = record ? `&r=${encodeURIComponent(JSON.stringify(record))}` : '';
  await browser.tabs.create({
    url: browser.runtime.getURL(`extension/pages/call/index.html?u=${encodeURIComponent(number)}${about}`),
  });
}
