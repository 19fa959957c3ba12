import browser from 'webextension-polyfill';

/** How long to wait for a reply. If a page is busy for longer, it still has its script. */
const timeoutMs = 500;

/** Whether a script of ours runs in a frame. A reloaded page or a removed frame does not have it. */
export function hasScript(tabId: number, frameId: number): Promise<boolean> {
  const answer = browser.tabs.sendMessage(tabId, { type: 'background.ping' }, { frameId }).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, new Promise<true>((resolve) => setTimeout(resolve, timeoutMs, true))]);
}
