/**
 * Opens our own page for a number that comes from elsewhere, such as a menu or a web page. It dials only after a click.
 */
import browser from 'webextension-polyfill';
import { type FromPage, queryOfAsked } from '../../asked-number.ts';
import { bringToFront } from './bring-to-front.ts';

export async function openCallPage(input: string, from: FromPage = {}): Promise<void> {
  const query = queryOfAsked({ input, ...from });
  const url = browser.runtime.getURL(`extension/pages/call/index.html?${query}`);
  await bringToFront(await browser.tabs.create({ url }));
}
