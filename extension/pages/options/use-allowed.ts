import { useEffect } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { hasOrigins } from '../parts/host-permission.ts';
import { useLatest } from '../parts/use-latest.ts';

/**
 * Whether the browser already lets us reach these hosts, read beforehand since a click cannot wait for it.
 * @returns undefined until the browser has replied: a click then requests the permission, which shows nothing if it was
 * granted.
 */
export function useAllowed(patterns: readonly string[]): boolean | undefined {
  const key = patterns.join(' ');
  const { value, isCurrent, reload } = useLatest(key, async () => key === '' || (await hasOrigins(patterns)));
  useEffect(() => {
    browser.permissions.onAdded.addListener(reload);
    browser.permissions.onRemoved.addListener(reload);
    return () => {
      browser.permissions.onAdded.removeListener(reload);
      browser.permissions.onRemoved.removeListener(reload);
    };
  }, [reload]);
  if (key === '') return true;
  return isCurrent ? value : undefined;
}
