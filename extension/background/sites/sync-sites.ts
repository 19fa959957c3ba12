/**
 * Adapts the registered content script and the open tabs to settings and granted permissions. One idempotent function
 * runs on install, start-up and every change. Browsers forget registrations on update and, in practice, on restart.
 */
import browser from 'webextension-polyfill';
import { coalesce } from '../../../shared/async/coalesce.ts';
import contentScript from '../../content/main.iife.ts?script&iife';
import contentStyle from '../../content/marks.css?url';
import { readSettings } from '../settings/settings-store.ts';
import { hasScript } from './has-script.ts';
import { desiredRegistration, isNarrowed, isRegistered, siteState } from './site-rules.ts';

const scriptId = 'dialmark';
const contentScriptPath = contentScript.replace(/^\//, '');
const contentStylePath = contentStyle.replace(/^\//, '');

/** To be called when something changed. A failure is logged, and the next run corrects it. */
export const syncSites = coalesce(() => syncOnce().catch((error) => console.error('sites', error)));

async function syncOnce(): Promise<void> {
  const { settings } = await readSettings();
  const desired = desiredRegistration(settings.sites, await grantedOrigins());
  const [registered] = await browser.scripting.getRegisteredContentScripts({ ids: [scriptId] });
  const isChanged = !isRegistered(desired, registered);
  // Browsers differ in what an update does to lists: one merges, one replaces. So we register again.
  if (isChanged && registered) await browser.scripting.unregisterContentScripts({ ids: [scriptId] });
  const enabledTabs = () => tabsOf(desired?.matches ?? []);
  // Before the registration. If the background stops in between, nothing is registered, and the next run stops again.
  if (isNarrowed(registered, desired)) await stopOtherTabs(enabledTabs);
  if (isChanged && desired)
    await browser.scripting.registerContentScripts([
      {
        id: scriptId,
        js: [contentScriptPath],
        css: [contentStylePath],
        matches: desired.matches,
        ...(desired.excludeMatches.length === 0 ? {} : { excludeMatches: desired.excludeMatches }),
        allFrames: true,
        // about:blank and srcdoc frames of an enabled page are part of it.
        matchOriginAsFallback: true,
        runAt: 'document_idle',
      } as browser.Scripting.RegisteredContentScript,
    ]);
  await startInTabs(await enabledTabs());
}

/** The tabs whose pages are of enabled sites. */
async function tabsOf(matches: string[]): Promise<Set<number>> {
  const { sites } = (await readSettings()).settings;
  const tabs = matches.length === 0 ? [] : await browser.tabs.query({ url: matches });
  const isEnabled = (url: string) => siteState(sites, new URL(url).hostname) === 'enabled';
  return new Set(tabs.flatMap(({ id, url }) => (id !== undefined && url && isEnabled(url) ? [id] : [])));
}

/**
 * Stops the script in tabs of other sites, in all their frames. A frame of an enabled site there has no marks until it
 * is loaded again: Chrome (156) starts no script in the frames of a page that we may not run in.
 */
async function stopOtherTabs(enabledTabs: () => Promise<Set<number>>): Promise<void> {
  const [open, enabled] = await Promise.all([browser.tabs.query({}), enabledTabs()]);
  // Read last. A scan that starts later awaits its own stop message before it injects, so our message does not end it.
  const scanned = await scannedTabs();
  for (const { id } of open)
    if (id !== undefined && !enabled.has(id) && !(id in scanned))
      void browser.tabs.sendMessage(id, { type: 'background.stop' }).then(
        // If the tab has gone to an enabled site meanwhile, its script was stopped there.
        async () => (await enabledTabs()).has(id) && inject(id).catch(() => {}),
        () => {}, // It has no script.
      );
}

/** Starts the script in these tabs. A tab that shows an error page, or is closing, does not accept it. */
async function startInTabs(tabs: ReadonlySet<number>): Promise<void> {
  const injected = Promise.all([...tabs].map((id) => inject(id).catch(() => {})));
  await Promise.race([injected, new Promise((resolve) => setTimeout(resolve, injectTimeoutMs))]);
}

/**
 * How long to wait for all scripts. A page that is loading, or shows a dialog, gets its script later. Other tabs and
 * changes do not wait for it.
 */
const injectTimeoutMs = 1000;

async function inject(tabId: number): Promise<void> {
  const target = { tabId, allFrames: true };
  await browser.scripting.insertCSS({ target, files: [contentStylePath] });
  await browser.scripting.executeScript({ target, files: [contentScriptPath] });
}

/** Marks the numbers of one tab once. Needs the site's permission, or `activeTab` from a click on our button. */
export async function scanTab(tabId: number): Promise<boolean> {
  try {
    const [frame] = await browser.scripting.executeScript({
      target: { tabId },
      func: () => location.origin,
    });
    const origin = String(frame?.result ?? '');
    if (!/^https?:|^file:/.test(origin)) return false;
    const scanned = await scannedTabs();
    await browser.storage.session.set({ scanned: { ...scanned, [tabId]: origin } });
    const { sites } = (await readSettings()).settings;
    // The script of a site that was just turned off may still run. A second script would not start beside it.
    if (!(tabId in scanned) && siteState(sites, new URL(origin).hostname) !== 'enabled')
      await browser.tabs.sendMessage(tabId, { type: 'background.stop' }).catch(() => {}); // Mostly there is none.
    await inject(tabId);
    return true;
  } catch {
    return false; // The browser's own pages, its store, and tabs that we were not invoked on.
  }
}

/** Tab id -> origin that was scanned there. A navigation to another origin ends the scan. */
export async function scannedTabs(): Promise<Record<number, string>> {
  const { scanned } = (await browser.storage.session.get('scanned')) as { scanned?: Record<number, string> };
  return scanned ?? {};
}

/** Whether the script of a scan runs in this tab. */
export async function isScanRunning({ id, url }: { id: number; url: string }): Promise<boolean> {
  const origin = (await scannedTabs())[id];
  if (origin === undefined || origin !== new URL(url).origin) return false;
  return hasScript(id, 0);
}

export async function forgetTab(tabId: number): Promise<void> {
  const { [tabId]: gone, ...rest } = await scannedTabs();
  if (gone !== undefined) await browser.storage.session.set({ scanned: rest });
}

export async function grantedOrigins(): Promise<string[]> {
  return (await browser.permissions.getAll()).origins ?? [];
}
