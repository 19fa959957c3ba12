import browser, { type Tabs } from 'webextension-polyfill';

/**
 * Brings the window of a page of ours to the front. An application's window, a popup or a private window does not
 * accept our tab. The browser then opens the tab in another window, which may lie behind.
 */
export async function bringToFront({ windowId }: Tabs.Tab): Promise<void> {
  await browser.windows.update(windowId!, { focused: true });
}
