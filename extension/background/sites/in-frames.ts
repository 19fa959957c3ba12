import browser from 'webextension-polyfill';

/**
 * Runs a function in every frame that we may run in.
 * @param injectImmediately true if it must not wait for frames that are loading.
 * @returns undefined if we may not run in any frame.
 */
export async function inFrames<T, Args extends string[]>(
  tabId: number,
  func: (...args: Args) => T,
  args?: Args,
  injectImmediately = false,
): Promise<{ frameId: number; result?: T | undefined }[] | undefined> {
  try {
    const target = { tabId, allFrames: true };
    const frames = await browser.scripting.executeScript({
      target,
      func,
      injectImmediately,
      ...(args && { args }),
    });
    return frames.map(({ frameId, result }) => ({ frameId, result: result as T | undefined }));
  } catch {
    return undefined; // The page is closing, or one that no extension may run in.
  }
}
