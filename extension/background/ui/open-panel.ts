import browser from 'webextension-polyfill';
import { browserName } from '../../browser-name.ts';
import { bringToFront } from './bring-to-front.ts';

/**
 * Opens the panel: only inside a person's gesture, and before anything is awaited. Chrome (148) passes the gesture of a
 * click in a page on with its message. Firefox (153) does not, and gets the same page as popup.
 */
export async function openPanel(windowId: number | undefined): Promise<void> {
  await openBeside(windowId).catch(openPanelAsPopup);
}

/** Opens Chrome's side panel or Firefox's sidebar. */
async function openBeside(windowId: number | undefined): Promise<void> {
  if (browserName === 'firefox') return browser.sidebarAction.open();
  await chrome.sidePanel.open({ windowId: windowId! });
  // Chrome (156) has then opened nothing in a popup, and reports no error.
  const { type } = await browser.windows.get(windowId!);
  if (type !== 'normal') throw new Error('this window has no side panel');
}

/** A window of an application, or a popup, has neither side panel nor popup: the panel is a tab of another then. */
export async function openPanelAsPopup(): Promise<void> {
  await browser.action.openPopup().catch(openPanelAsTab);
}

async function openPanelAsTab(): Promise<void> {
  const url = browser.runtime.getURL('extension/pages/popup/index.html');
  const [open] = await browser.tabs.query({ url });
  const tab = await (open ? browser.tabs.update(open.id!, { active: true }) : browser.tabs.create({ url }));
  await bringToFront(tab);
}
