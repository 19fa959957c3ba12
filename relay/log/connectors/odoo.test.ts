import { expect, it } from 'vitest';
import type { CrmClient } from './crm-client.ts';
import { odooConnector } from './odoo.ts';

const marker = 'dialmark:call-1';
const record = { system: 'odoo', kind: 'res.partner', id: '7', url: '' };
const sought = { marker, record, placedAt: '2026-11-30T10:00:00.000Z' };

/** Whether the entry is found where the record has a message with this body. */
async function isFoundIn(body: string): Promise<boolean> {
  const client = {
    request: async ({ body: { params } }: { body: { params: { method: string } } }) => ({
      json: { result: params.method === 'login' ? 1 : [{ body }] },
    }),
  } as unknown as CrmClient;
  const found = await odooConnector({ url: 'http://127.0.0.1', token: 'key' }).find?.(sought, client);
  return found !== undefined;
}

it('finds the marker in the last line of a message, whatever its elements', async () => {
  expect(await isFoundIn(`<p>Call<br />Note &lt;x<br/>${marker}</p>`)).toBe(true);
  expect(await isFoundIn(`<p>Call<br/>${marker}<br/>and more</p>`)).toBe(false);
});

// Where the time grew with the square of the length, this test would hang.
it('searches a message of a million open brackets', async () => {
  expect(await isFoundIn(`${'<'.repeat(1_000_000)}<br/>${marker}`)).toBe(true);
});
