import browser from 'webextension-polyfill';
import { browserName } from '../../browser-name.ts';

/** Opens Chrome's side panel or Firefox's sidebar: only inside a person's gesture, and before anything is awaited. */
export async function openPanel(windowId: number | undefined): Promise<void> {
  if (browserName === 'firefox') await browser.sidebarAction.open();
  else if (windowId !== undefined) await chrome.sidePanel.open({ windowId });
}

/**
 * Opens the panel for a click in a page. Chrome (148) passes the gesture on with the message. Firefox (153) does not,
 * and gets the same page as popup.
 */
export async function openPanelFromPage(windowId: number | undefined): Promise<void> {
  await openPanel(windowId).catch(() => browser.action.openPopup());
}
