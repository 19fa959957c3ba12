import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { Settings } from '../../settings.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

const { saveSettings, readSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');
const { sheetHandlers } = await import('./sheets.ts');

await saveSettings(Settings.parse({ connection: { relayUrl: 'https://relay.example' } }));
await writeSecret('agentKey', 'dmk_agent', (await readSettings()).settings);

const noTeam = {
  type: 't',
  title: 'Forbidden',
  status: 403,
  code: 'forbidden',
  detail: 'the key has no team',
};
test.each([
  ['no sheets for a key without a team', JSON.stringify(noTeam), { ok: true, value: null }],
  ['that the relay is away where a proxy forbids the way', '<h1>Forbidden</h1>', { ok: false }],
])('shows %s', async (_, body, expected) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status: 403 }));
  expect(await sheetHandlers['page.sheets']({})).toMatchObject(expected);
});

test('says that a sheet was deleted where its next item is wanted', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ ...noTeam, status: 404, code: 'notFound' }, { status: 404 }),
  );
  const sheet = 'A'.repeat(22);
  expect(await sheetHandlers['page.claimItem']({ sheet })).toMatchObject({ error: { code: 'sheetGone' } });
});

test.each([
  ['Skip', 'page.skipItem', [{ type: 'background.changed', what: 'item' }]],
  ['Stop', 'page.releaseItem', []],
] as const)('has the panels claim the next person after Skip alone: %s', async (_, type, sent) => {
  const { default: browser } = await import('webextension-polyfill');
  const sendMessage = vi.spyOn(browser.runtime, 'sendMessage').mockClear();
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  expect(await sheetHandlers[type]({ sheet: 'A'.repeat(22), id: 1 })).toMatchObject({ ok: true });
  expect(sendMessage.mock.calls.map(([message]) => message)).toEqual(sent);
});
