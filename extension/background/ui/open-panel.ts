import browser from 'webextension-polyfill';
import { browserName } from '../../browser-name.ts';
import { bringToFront } from './bring-to-front.ts';

/**
 * Opens the panel. It must be called inside a person's gesture, before anything is awaited. Chrome (148) passes on the
 * gesture of a click in a page with its message. Firefox (153) does not, so that the same page opens as popup.
 */
export async function openPanel(windowId: number | undefined): Promise<void> {
  await openBeside(windowId).catch(openPanelAsPopup);
}

/** Opens Chrome's side panel or Firefox's sidebar. */
async function openBeside(windowId: number | undefined): Promise<void> {
  if (browserName === 'firefox') return browser.sidebarAction.open();
  await chrome.sidePanel.open({ windowId: windowId! });
  // In a popup, Chrome (156) does not open a panel and does not report an error.
  const { type } = await browser.windows.get(windowId!);
  if (type !== 'normal') throw new Error('this window has no side panel');
}

/**
 * Opens the panel as popup. A window of an application, or a popup, cannot show it. The panel is then a tab of another
 * window.
 */
export async function openPanelAsPopup(): Promise<void> {
  await browser.action.openPopup().catch(openPanelAsTab);
}

async function openPanelAsTab(): Promise<void> {
  const url = browser.runtime.getURL('extension/pages/popup/index.html');
  const [open] = await browser.tabs.query({ url });
  const tab = await (open ? browser.tabs.update(open.id!, { active: true }) : browser.tabs.create({ url }));
  await bringToFront(tab);
}
