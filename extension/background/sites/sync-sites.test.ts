import { expect, test, vi } from 'vitest';
import { Settings } from '../../settings.ts';

/** Tab id -> the page that it shows. */
const pages = new Map([
  [1, 'https://crm.example/contacts'],
  [2, 'https://news.example/'],
]);
const stopped: string[] = [];
const started: string[] = [];
/** Runs while the script is being started in the first tab. */
let meanwhile = () => {};

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('../settings/settings-store.ts', () => ({
  readSettings: async () => ({ settings: { ...Settings.parse({}), sites }, locked: [] }),
}));
const sites = { ...Settings.parse({}).sites, enabled: ['crm.example'] };

const { default: browser } = await import('webextension-polyfill');
Object.assign(browser, {
  scripting: {
    getRegisteredContentScripts: async () => [],
    registerContentScripts: async () => {},
    insertCSS: async () => {},
    executeScript: async ({ target }: { target: { tabId: number } }) => {
      started.push(pages.get(target.tabId)!);
      meanwhile();
    },
  },
});
Object.assign(browser.tabs, {
  query: async ({ url }: { url?: string[] }) =>
    [...pages]
      .filter(([, page]) => !url || page.startsWith('https://crm.example/'))
      .map(([id, page]) => ({ id, url: page })),
  sendMessage: async (id: number) => void stopped.push(pages.get(id)!),
});
const { syncSites } = await import('./sync-sites.ts');

test('a tab that opens an enabled site while others are brought up to date keeps its script', async () => {
  meanwhile = () => pages.set(2, 'https://crm.example/tickets');
  await syncSites();
  expect(started).toEqual(['https://crm.example/contacts']);
  expect(stopped).toEqual(['https://news.example/']);
});
