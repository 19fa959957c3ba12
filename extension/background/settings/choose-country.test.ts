import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('../../detect-country.ts', () => ({ detectCountryHere: () => 'US' }));

const { chooseCountry } = await import('./choose-country.ts');
const { readSettings, updateSettings } = await import('./settings-store.ts');
const country = async () => (await readSettings()).settings.numbers.country;

test('never replaces a saved country at a later installation', async () => {
  await chooseCountry();
  expect(await country()).toBe('US');
  await updateSettings((own) => ({ ...own, numbers: { ...own.numbers, country: 'BR' } }));
  await chooseCountry();
  expect(await country()).toBe('BR');
});
