/** Opens our own page for a number that comes from outside a marked page. That page dials after a click. */
import browser from 'webextension-polyfill';
import { type FromPage, queryOfAsked } from '../../asked-number.ts';

export async function openCallPage(input: string, from: FromPage = {}): Promise<void> {
  const query = queryOfAsked({ input, ...from });
  const url = browser.runtime.getURL(`extension/pages/call/index.html?${query}`);
  const { windowId } = await browser.tabs.create({ url });
  // An application's, a popup or a private window takes no tab of ours: it opens in another, which may lie behind.
  await browser.windows.update(windowId!, { focused: true });
}
