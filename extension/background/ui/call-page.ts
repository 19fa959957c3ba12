/** Our confirming page: opened for numbers that come from outside a marked page; nothing is dialled before a click there. */
import browser from 'webextension-polyfill';

export async function openCallPage(number: string): Promise<void> {
  await browser.tabs.create({
    url: browser.runtime.getURL(`extension/pages/call/index.html?u=${encodeURIComponent(number)}`),
  });
}
