import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { Settings } from '../settings.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../testing/extension/browser-api.ts'));
const granted = vi.hoisted((): string[] => []);
vi.mock('./sites/sync-sites.ts', () => ({
  grantedOrigins: async () => granted,
  scanTab: async () => true,
  syncSites: async () => {},
}));

const { pageHandlers } = await import('./page-handlers.ts');

test.each([
  [{ everywhere: true }, ['*://*/*'], true],
  [{ everywhere: true }, [], false],
  [{ enabled: ['crm.example'] }, ['*://crm.example/*'], true],
  [{ enabled: ['crm.example'] }, [], false],
  [{}, ['*://*/*'], false],
])('with the sites %j, the permissions %j, marks any site: %s', async (sites, origins, marks) => {
  granted.splice(0, granted.length, ...origins);
  const saved = await pageHandlers['page.saveSettings']({ settings: Settings.parse({ sites }) });
  expect(saved.ok && saved.value.marksAnySite).toBe(marks);
});
