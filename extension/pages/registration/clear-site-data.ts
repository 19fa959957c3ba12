/** Section 4.2, step 5, for one host (measured in Chromium 156 and Firefox 153, 2026-11). */
import browser from 'webextension-polyfill';
import { browserName } from '../../browser-name.ts';
import type { Site } from './read-site.ts';

const permission = { permissions: ['browsingData'] };

/**
 * Clears cookies and site data of this host. Call it directly in a click. It requests the permission, and removes it
 * afterwards if it is new.
 * @returns false if the person did not allow it.
 * @throws what the browser throws.
 */
export async function clearSiteData(site: Site): Promise<boolean> {
  const had = browser.permissions.contains(permission as never);
  const granted = await browser.permissions.request(permission as never);
  if (!granted) return false;
  try {
    await removers[browserName](site);
  } finally {
    if (!(await had)) await browser.permissions.remove(permission as never).catch(() => {});
  }
  return true;
}

/**
 * Each browser rejects the other's key. Chrome knows `origins`; Firefox knows `hostnames`, and cannot clear its cache
 * by host.
 */
const removers: Record<typeof browserName, (site: Site) => Promise<void>> = {
  chrome: ({ origins }) =>
    browser.browsingData.remove(
      { origins } as never,
      {
        cookies: true,
        localStorage: true,
        indexedDB: true,
        cacheStorage: true,
        serviceWorkers: true,
        cache: true,
      } as never,
    ),
  // Firefox finds cookies by the bare host, but localStorage and IndexedDB by host and port.
  firefox: ({ hosts }) =>
    browser.browsingData.remove(
      { hostnames: hosts },
      { cookies: true, localStorage: true, indexedDB: true, serviceWorkers: true },
    ),
};
