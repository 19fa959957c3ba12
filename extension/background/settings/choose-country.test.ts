import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.mock('../../detect-country.ts', () => ({ detectCountryHere: () => 'US' }));

let teamCountry: string | undefined;
vi.mock('../calls/team-rules.ts', () => ({
  teamRules: async () => ({ numbers: { country: teamCountry } }),
}));

const { chooseCountry, takeTeamCountry } = await import('./choose-country.ts');
const { database } = await import('../database.ts');
const { readSettings, settingsChanged, updateSettings } = await import('./settings-store.ts');
const country = async () => (await readSettings()).settings.numbers.country;

test("gives way to the team's country until the agent chooses one", async () => {
  await (await database()).clear('settings');
  settingsChanged();
  await chooseCountry();
  for (const [team, expected] of [
    [undefined, 'US'],
    ['PT', 'PT'],
    ['DE', 'DE'],
  ]) {
    teamCountry = team;
    await takeTeamCountry();
    expect(await country()).toBe(expected);
  }
  await updateSettings((own) => ({ ...own, numbers: { ...own.numbers, country: 'US' } }));
  await takeTeamCountry();
  expect(await country()).toBe('US');
});

test('never replaces a saved country at a later installation', async () => {
  await (await database()).clear('settings');
  settingsChanged();
  await chooseCountry();
  expect(await country()).toBe('US');
  await updateSettings((own) => ({ ...own, numbers: { ...own.numbers, country: 'BR' } }));
  await chooseCountry();
  expect(await country()).toBe('BR');
});
