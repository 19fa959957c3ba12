/** Opens our own page for a number that comes from outside a marked page. That page dials after a click. */
import browser from 'webextension-polyfill';

export async function openCallPage(number: string): Promise<void> {
  await browser.tabs.create({
    url: browser.runtime.getURL(`extension/pages/call/index.html?u=${encodeURIComponent(number)}`),
  });
}
