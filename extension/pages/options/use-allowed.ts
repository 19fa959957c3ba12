import { useEffect } from 'preact/hooks';
import browser from 'webextension-polyfill';
import { hasOrigins } from '../parts/host-permission.ts';
import { useLatest } from '../parts/use-latest.ts';

/**
 * Whether the browser already lets us reach these hosts. It is read before a click, because a click cannot wait for it.
 * @returns undefined until the browser has replied. A click then requests the permission, which asks the person only if
 * it is not granted yet.
 */
export function useAllowed(patterns: readonly string[]): boolean | undefined {
  const key = patterns.join(' ');
  const isAllowed = usePermission(key, async () => key === '' || (await hasOrigins(patterns)));
  return key === '' ? true : isAllowed;
}

/** Whether the browser shows our notifications; undefined until it has replied. */
export const useNotificationsAllowed = (): boolean | undefined =>
  usePermission('notifications', () => browser.permissions.contains({ permissions: ['notifications'] }));

/** @param key of what `has` asks for. `has` is called again for another key, and after a change of permissions. */
function usePermission(key: string, has: () => Promise<boolean>): boolean | undefined {
  const { value, isCurrent, reload } = useLatest(key, has);
  useEffect(() => {
    browser.permissions.onAdded.addListener(reload);
    browser.permissions.onRemoved.addListener(reload);
    return () => {
      browser.permissions.onAdded.removeListener(reload);
      browser.permissions.onRemoved.removeListener(reload);
    };
  }, [reload]);
  return isCurrent ? value : undefined;
}
