/** Optional host permissions. Firefox allows the request only inside a click handler, before anything is awaited. */
import browser from 'webextension-polyfill';

/** Call it directly in a click, and do not depend on the answer: the browser may close the popup before it. */
export function requestOrigins(origins: readonly string[]): Promise<boolean> {
  // What was granted before needs no question, even where the browser refuses to show one.
  return browser.permissions.request({ origins: [...origins] }).catch(() => hasOrigins(origins));
}

export function hasOrigins(origins: readonly string[]): Promise<boolean> {
  return browser.permissions.contains({ origins: [...origins] }).catch(() => false);
}
