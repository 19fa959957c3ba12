import browser from 'webextension-polyfill';

/** A page that is busy for longer still has its script. */
const timeoutMs = 500;

/** Whether a script of ours runs in a frame: a reloaded page or a removed frame has none. */
export function hasScript(tabId: number, frameId: number): Promise<boolean> {
  const answer = browser.tabs.sendMessage(tabId, { type: 'background.ping' }, { frameId }).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, new Promise<true>((resolve) => setTimeout(resolve, timeoutMs, true))]);
}
