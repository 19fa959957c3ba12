import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { hasOrigins } from '../page/host-permission.ts';

/** Whether the browser already lets us reach these hosts; kept up to date beforehand, since a click cannot wait for it. */
export function useAllowed(patterns: readonly string[]): boolean {
  const [allowed, setAllowed] = useState(true);
  const key = patterns.join(' ');
  useEffect(() => {
    let stale = false;
    const check = () => {
      const origins = key.split(' ').filter(Boolean);
      void hasOrigins(origins).then((yes) => {
        if (!stale) setAllowed(origins.length === 0 || yes);
      });
    };
    check();
    browser.permissions.onAdded.addListener(check);
    browser.permissions.onRemoved.addListener(check);
    return () => {
      stale = true;
      browser.permissions.onAdded.removeListener(check);
      browser.permissions.onRemoved.removeListener(check);
    };
  }, [key]);
  return allowed;
}
