/** Opens Chrome's side panel or Firefox's sidebar: only inside a person's gesture, and before anything is awaited. */
import browser from 'webextension-polyfill';

declare const __BROWSER__: 'chrome' | 'firefox';

export function openPanel(windowId: number | undefined): void {
  if (__BROWSER__ === 'firefox') void browser.sidebarAction.open();
  else if (windowId !== undefined) void chrome.sidePanel.open({ windowId });
}
