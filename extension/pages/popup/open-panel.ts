/** Opens this page beside the tab: Chrome's side panel, Firefox's sidebar. Called directly by the click, as both want. */
import browser from 'webextension-polyfill';

export function openPanel(): void {
  if (globalThis.chrome?.sidePanel) {
    // The popup's own window; `WINDOW_ID_CURRENT` saves an await that would cost the gesture.
    void chrome.sidePanel.open({ windowId: chrome.windows.WINDOW_ID_CURRENT }).then(
      () => window.close(),
      () => undefined,
    );
    return;
  }
  void browser.sidebarAction?.open().then(
    () => window.close(),
    () => undefined,
  );
}
