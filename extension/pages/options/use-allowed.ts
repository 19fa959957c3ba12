import { useEffect, useState } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { hasOrigins } from '../parts/host-permission.ts';

/**
 * Whether the browser already lets us reach these hosts; kept up to date beforehand, since a click cannot wait for it.
 * @returns undefined until the browser has told: a click then asks, what was given already needs no question.
 */
export function useAllowed(patterns: readonly string[]): boolean | undefined {
  const key = patterns.join(' ');
  const [told, setTold] = useState<{ key: string; allowed: boolean }>();
  useEffect(() => {
    let stale = false;
    const check = () => {
      if (key === '') return;
      void hasOrigins(key.split(' ')).then((allowed) => {
        if (!stale) setTold({ key, allowed });
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
  if (key === '') return true;
  return told?.key === key ? told.allowed : undefined;
}
