/** Optional host permissions. Firefox allows the request only inside a click handler, before anything is awaited. */
import browser from 'webextension-polyfill';

/** Call it directly in a click, and do not depend on the reply: the browser may close the popup first. */
export function requestOrigins(origins: readonly string[]): Promise<boolean> {
  // A permission that was granted before needs no question. So it counts even if the browser refuses to ask.
  return browser.permissions.request({ origins: [...origins] }).catch(() => hasOrigins(origins));
}

export function hasOrigins(origins: readonly string[]): Promise<boolean> {
  return browser.permissions.contains({ origins: [...origins] }).catch(() => false);
}
