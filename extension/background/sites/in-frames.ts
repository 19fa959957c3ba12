import browser from 'webextension-polyfill';

/** Runs in the frames that we may run in, which there is no need for the `webNavigation` permission to find; undefined: in none. */
export async function inFrames<T, Args extends string[]>(
  tabId: number,
  func: (...args: Args) => T,
  args?: Args,
): Promise<{ frameId: number; result?: T | undefined }[] | undefined> {
  try {
    const target = { tabId, allFrames: true };
    const frames = await browser.scripting.executeScript({ target, func, ...(args && { args }) });
    return frames.map(({ frameId, result }) => ({ frameId, result: result as T | undefined }));
  } catch {
    return undefined; // The page is closing, or one that no extension may run in.
  }
}
