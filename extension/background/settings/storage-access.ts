/** Closes `storage.*` to content scripts where the browser can (Chrome; Firefox 153 has no `setAccessLevel`). Nothing secret is there anyway. */
import browser from 'webextension-polyfill';

type Closable = { setAccessLevel?: (level: { accessLevel: 'TRUSTED_CONTEXTS' }) => Promise<void> };

export async function closeStorageToContent(): Promise<void> {
  const { local, sync, managed, session } = browser.storage as unknown as Record<string, Closable>;
  for (const area of [local, sync, managed, session])
    await area?.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(() => {});
}
