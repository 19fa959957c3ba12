import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { defaultRules } from '../../../shared/protocol/rules.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const { findPeople } = await import('./find-people.ts');
const { keepRules } = await import('../calls/team-rules.ts');
const { writeSecret } = await import('../settings/secrets.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');

const relayUrl = 'https://relay.example';
vi.stubGlobal('fetch', async () =>
  Response.json({ epoch: '1', entries: [{ name: 'Ana Souza', numbers: [{ number: '99999-1001' }] }] }),
);

test("reads a person's number by the team's area code, as a page does", async () => {
  await updateSettings((own) => ({
    ...own,
    connection: { ...own.connection, relayUrl },
    numbers: { ...own.numbers, country: 'BR' },
  }));
  await writeSecret('agentKey', `dma_${'x'.repeat(43)}`, (await readSettings()).settings);
  await keepRules(relayUrl, { ...defaultRules, numbers: { country: 'BR', areaCode: '48' } });

  expect(await findPeople('ana')).toMatchObject({
    value: [{ name: 'Ana Souza', display: '+55 48 99999-1001' }],
  });
});
