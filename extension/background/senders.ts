/** Checks who sent a message. Only what the browser reports of the sender counts. */
import browser, { type Runtime } from 'webextension-polyfill';
import { readSettings } from './settings/settings-store.ts';
import { siteState } from './sites/site-rules.ts';
import { scannedTabs } from './sites/sync-sites.ts';

/**
 * True for one of our own pages that is not framed in another page. Our pages are not web-accessible, but this does not
 * rely on it.
 */
export function isOwnPage(sender: Runtime.MessageSender): boolean {
  return (
    sender.id === browser.runtime.id &&
    sender.url?.startsWith(browser.runtime.getURL('')) === true &&
    (sender.frameId ?? 0) === 0
  );
}

export interface ContentSender {
  tabId: number;
  frameId: number;
  url: string;
  /** The address that decides the record. It is the tab's if we may run in its page, else the frame's own. */
  recordAddress?: string | undefined;
}

/**
 * Accepts a frame of an enabled site, or of a tab that was scanned on request.
 * @returns undefined for any other sender.
 */
export async function contentSender(sender: Runtime.MessageSender): Promise<ContentSender | undefined> {
  const tabId = sender.tab?.id;
  if (sender.id !== browser.runtime.id || tabId === undefined || sender.url === undefined) return undefined;
  const address = frameAddress(sender);
  if (!address) return undefined;
  const allowed =
    siteState((await readSettings()).settings.sites, address.hostname) === 'enabled' ||
    (await isScanned(tabId, address, sender.frameId ?? 0));
  if (!allowed) return undefined;
  const recordAddress = (await addressOfPage(sender)) ?? sender.url;
  return { tabId, frameId: sender.frameId ?? 0, url: address.href, recordAddress };
}

/** The address of the tab. Undefined if we may not read numbers on its page. */
async function addressOfPage({ tab }: Runtime.MessageSender): Promise<string | undefined> {
  if (tab?.id === undefined || tab.url === undefined || !URL.canParse(tab.url)) return undefined;
  const page = new URL(tab.url);
  const { sites } = (await readSettings()).settings;
  const isOurs = siteState(sites, page.hostname) === 'enabled' || (await isScanned(tab.id, page, 0));
  return isOurs ? tab.url : undefined;
}

/** about:blank and srcdoc frames do not have their own address. Their origin is that of the page that made them. */
function frameAddress(sender: Runtime.MessageSender): URL | undefined {
  const { origin } = sender as { origin?: string };
  for (const candidate of [sender.url, origin, sender.tab?.url]) {
    if (candidate === undefined || !URL.canParse(candidate)) continue;
    const url = new URL(candidate);
    if (/^(https?|file):$/.test(url.protocol)) return url;
  }
  return undefined;
}

/** All frames below the top frame belong to the scanned page, if the browser let us inject into them. */
async function isScanned(tabId: number, address: URL, frameId: number): Promise<boolean> {
  const origin = (await scannedTabs())[tabId];
  if (origin === undefined) return false;
  const own = address.protocol === 'file:' ? 'file://' : address.origin;
  return own === origin || frameId !== 0;
}
