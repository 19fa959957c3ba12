import browser from 'webextension-polyfill';
import { readSettings } from '../settings/settings-store.ts';
import { openPanelAsPopup } from './open-panel.ts';

/** Shows a system notification, if the agent wants it and the browser was allowed to. */
export async function notifyAgent(id: string, title: string, message: string): Promise<void> {
  const { settings } = await readSettings();
  if (!settings.appearance.notifications) return;
  if (!(await browser.permissions.contains({ permissions: ['notifications'] }))) return;
  // Firefox (153) has neither buttons nor requireInteraction. In both browsers, a click opens the panel.
  const iconUrl = browser.runtime.getURL('extension/icons/128.png');
  await browser.notifications.create(id, { type: 'basic', iconUrl, title, message });
}

/**
 * The permission `notifications` is optional. Its events exist only after it was granted, perhaps while the background
 * runs.
 */
export function wireNotifications(): void {
  const listenToClicks = () => browser.notifications?.onClicked?.addListener(openPanelOnClick);
  listenToClicks();
  browser.permissions.onAdded.addListener(listenToClicks);
}

/** The function has a name, because browsers do not add the same listener twice. */
const openPanelOnClick = () => void openPanelInBrowser();

/** Browsers open the popup only in a focused window. The agent may be in another program, the browser minimised. */
async function openPanelInBrowser(): Promise<void> {
  const { id } = await browser.windows.getLastFocused();
  await browser.windows.update(id!, { focused: true });
  await openPanelAsPopup();
}
