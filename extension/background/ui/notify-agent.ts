import browser from 'webextension-polyfill';
import { readSettings } from '../settings/settings-store.ts';
import { openPanelAsPopup } from './open-panel.ts';

/** Shows a system notification, where the agent wants it and the browser was allowed to. */
export async function notifyAgent(id: string, title: string, message: string): Promise<void> {
  const { settings } = await readSettings();
  if (!settings.appearance.notifications) return;
  if (!(await browser.permissions.contains({ permissions: ['notifications'] }))) return;
  // Firefox has neither buttons nor requireInteraction (153): a click opens the panel in both.
  const iconUrl = browser.runtime.getURL('extension/icons/128.png');
  await browser.notifications.create(id, { type: 'basic', iconUrl, title, message });
}

/** `notifications` is optional: its events exist only once it was granted, perhaps while the background runs. */
export function wireNotifications(): void {
  const listenToClicks = () => browser.notifications?.onClicked?.addListener(openPanelOnClick);
  listenToClicks();
  browser.permissions.onAdded.addListener(listenToClicks);
}

/** Named, since browsers add a listener that they have already only once. */
const openPanelOnClick = () => void openPanelInBrowser();

/** Browsers open the popup only in a focused window. The agent may be in another program, the browser minimised. */
async function openPanelInBrowser(): Promise<void> {
  const { id } = await browser.windows.getLastFocused();
  await browser.windows.update(id!, { focused: true });
  await openPanelAsPopup();
}
