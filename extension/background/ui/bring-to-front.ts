import browser, { type Tabs } from 'webextension-polyfill';

/**
 * Brings the window of a page of ours to the front. An application's, a popup or a private window takes no tab of ours:
 * the browser opens it in another window, which may lie behind.
 */
export async function bringToFront({ windowId }: Tabs.Tab): Promise<void> {
  await browser.windows.update(windowId!, { focused: true });
}
