import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { Settings } from '../../settings.ts';

const crm = 'https://crm.example/';
/** Tab id -> the page that it shows, and whether our script runs there. */
const pages = new Map<number, { url: string; isRunning: boolean }>();
/** What the browser has registered. */
let registered: { matches: string[] }[] = [];
/** Runs before the next message reaches its tab. */
let beforeMessage = () => {};

/** A registered script runs in every page of an enabled site. */
const open = (id: number, url: string) => pages.set(id, { url, isRunning: url.startsWith(crm) });

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('../settings/settings-store.ts', () => ({
  readSettings: async () => ({ settings: { ...Settings.parse({}), sites }, locked: [] }),
}));
const sites = { ...Settings.parse({}).sites, enabled: ['crm.example'] };

const { default: browser } = await import('webextension-polyfill');
Object.assign(browser, {
  scripting: {
    getRegisteredContentScripts: async () => registered,
    unregisterContentScripts: async () => {
      registered = [];
    },
    registerContentScripts: async (scripts: typeof registered) => {
      registered = scripts;
    },
    insertCSS: async () => {},
    executeScript: async ({ target }: { target: { tabId: number } }) => {
      pages.get(target.tabId)!.isRunning = true;
    },
  },
});
Object.assign(browser.tabs, {
  query: async ({ url }: { url?: string[] }) =>
    [...pages].filter(([, page]) => !url || page.url.startsWith(crm)).map(([id, page]) => ({ id, ...page })),
  sendMessage: async (id: number, { type }: { type: string }) => {
    beforeMessage();
    const page = pages.get(id)!;
    if (!page.isRunning) throw new Error('Receiving end does not exist.');
    if (type === 'background.stop') page.isRunning = false;
  },
});
const { isScanRunning, syncSites } = await import('./sync-sites.ts');

beforeEach(() => {
  registered = [];
  pages.clear();
  beforeMessage = () => {};
});

const running = () => [...pages.values()].filter(({ isRunning }) => isRunning).map(({ url }) => url);

test('the script is stopped on a site that is not enabled, started in the tabs of one that is', async () => {
  pages.set(1, { url: `${crm}contacts`, isRunning: false });
  pages.set(2, { url: 'https://news.example/', isRunning: true });
  await syncSites();
  await eventually(() => expect(running()).toEqual([`${crm}contacts`]));
});

test('a tab that opens an enabled site before the message to stop arrives keeps a script', async () => {
  open(1, `${crm}contacts`);
  open(2, 'about:blank');
  pages.set(3, { url: 'https://news.example/', isRunning: true });
  beforeMessage = () => pages.get(2)!.url === 'about:blank' && open(2, `${crm}tickets`);
  await syncSites();
  await eventually(() => expect(running()).toEqual([`${crm}contacts`, `${crm}tickets`]));
});

test('a frame of an enabled site in another page keeps its script unless a site was removed', async () => {
  // The page of the tab is not enabled. The script runs in its frame.
  pages.set(1, { url: 'https://news.example/', isRunning: true });
  registered = [{ matches: ['*://crm.example/*'] }];
  await syncSites();
  sites.enabled.push('other.example');
  await syncSites();
  expect(registered).toMatchObject([{ matches: ['*://crm.example/*', '*://other.example/*'] }]);
  expect(running()).toEqual(['https://news.example/']);
  sites.enabled.pop();
  await syncSites();
  await eventually(() => expect(running()).toEqual([]));
});

test('the script is stopped also after a run that ended before it registered', async () => {
  pages.set(1, { url: 'https://news.example/', isRunning: true });
  registered = [{ matches: ['*://crm.example/*', '*://news.example/*'] }];
  browser.tabs.query = vi.fn(browser.tabs.query).mockRejectedValueOnce(new Error('stopped'));
  vi.spyOn(console, 'error').mockImplementationOnce(() => {});
  await syncSites();
  expect(running()).toEqual(['https://news.example/']);
  await syncSites();
  await eventually(() => expect(running()).toEqual([]));
});

test.each([
  ['is there', 'https://news.example/', true, true],
  ['went with the page', 'https://news.example/2', false, false],
  ['runs in the page of another site', 'https://other.example/', true, false],
])('a script of a scan that %s is known', async (_, url, isRunning, isKnown) => {
  await browser.storage.session.set({ scanned: { 7: 'https://news.example' } });
  pages.set(7, { url, isRunning });
  expect(await isScanRunning({ id: 7, url })).toBe(isKnown);
});
