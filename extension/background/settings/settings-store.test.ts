import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { Settings } from '../../settings.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

const { readSettings, saveSettings, settingsChanged, updateSettings } = await import('./settings-store.ts');
const { database } = await import('../database.ts');

test('applies concurrent changes one after the other', async () => {
  const enable = (host: string) =>
    updateSettings((own) => ({ ...own, sites: { ...own.sites, enabled: [...own.sites.enabled, host] } }));
  await Promise.all(['one.example', 'two.example', 'three.example'].map(enable));
  expect((await readSettings()).settings.sites.enabled).toEqual([
    'one.example',
    'two.example',
    'three.example',
  ]);
});

test('applies the next change after one has failed', async () => {
  const failing = updateSettings(() => {
    throw new Error('no');
  });
  const { settings } = await readSettings();
  const saving = saveSettings({ ...settings, agent: { ...settings.agent, from: '1105' } });
  await expect(failing).rejects.toThrow('no');
  expect(await saving).toBeUndefined();
  expect((await readSettings()).settings.agent.from).toBe('1105');
});

test.each([[null], ['text'], [[]], [{ version: 'x' }], [{ agent: 7 }]])(
  'settings stored as %j load as the default ones',
  async (stored) => {
    await (await database()).put('settings', stored, 'settings');
    settingsChanged();
    expect((await readSettings()).settings).toEqual(Settings.parse({}));
  },
);

test('stored settings with a key that is no longer known load without it', async () => {
  const { settings } = await readSettings();
  const stored = { ...settings, guard: { ...settings.guard, country: 'PT', premium: 'refuse' } };
  await (await database()).put('settings', stored, 'settings');
  settingsChanged();
  expect((await readSettings()).settings.guard).toEqual({ ...settings.guard, premium: 'refuse' });
});
