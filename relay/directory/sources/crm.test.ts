/** What a source of names reads from a CRM, and says of another program. */
import { afterEach, expect, it } from 'vitest';
import { startFakeOdoo } from '../../../testing/crm/fake-odoo.ts';
import { type HttpService, serveHttp } from '../../../testing/servers/serve-http.ts';
import { openSqliteIndex } from '../index/sqlite-index.ts';
import { syncSource } from '../sync.ts';
import { type CrmPage, crmSource } from './crm.ts';
import { openSource } from './open-source.ts';
import { SourceError } from './source.ts';

let server: HttpService | undefined;
afterEach(() => server?.close());

const notFound = '<html>Not found</html>';

it.each([
  ['odoo', 404, notFound],
  ['odoo', 200, '{}'],
  ['odoo', 200, '{"result":7}'],
  ['rt', 200, '{}'],
  ['rt', 200, 'null'],
  ['tryton', 405, notFound],
  ['tryton', 200, '[]'],
] as const)('says of %s that another program answers with %d, %s', async (kind, status, body) => {
  server = await serveHttp((_request, response) => response.writeHead(status).end(body));
  const login = { user: 'relay', token: 'x', database: 'demo' };
  const source = openSource({ name: 'crm', kind, url: server.url, country: 'BR', ...login });
  const { signal } = new AbortController();
  const error = await Promise.resolve(source.check(signal)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SourceError);
  expect(error).toMatchObject({ message: 'it answers, but not as its _KIND does; see _KIND and _URL' });
});

it('waits for no answer once a sync is stopped', { timeout: 5000 }, async () => {
  const stop = new AbortController();
  server = await serveHttp(() => stop.abort());
  const login = { user: 'relay', token: 'x', database: 'demo' };
  const source = openSource({ name: 'crm', kind: 'odoo', url: server.url, country: 'BR', ...login });
  const pull = source.pull({ token: undefined, knownTags: async () => [], signal: stop.signal });
  await expect(pull.next()).rejects.toThrow(SourceError);
});

it('forgets who lost the number in the pull in which somebody was added', async () => {
  const row = (id: number, name: string, text: string): CrmPage['rows'][number] => ({
    ...{ id, changedAt: Date.now() },
    written: { name, numbers: [{ text }] },
  });
  let rows = [row(1, 'Ana', '4833224455'), row(2, 'Rui', '4833224456')];
  const source = crmSource('http://crm.example', async () => [
    {
      kind: 'user',
      page: async () => ({ rows, next: undefined }),
      ids: async () => ({ ids: rows.map(({ id }) => id), next: undefined }),
      state: async () => ({ count: rows.length, newest: rows.length }),
    },
  ]);
  const index = openSqliteIndex(':memory:');
  const pull = async () => {
    const readForgotten = async () => ({ has: () => false, digest: '' });
    const rules = { country: 'BR', extensions: [] } as const;
    const { signal } = new AbortController();
    await syncSource({ name: 'crm', source, rules, index, readForgotten }, { signal });
    return (await index.search(['ana'], ['crm'], 1)).map(({ name }) => name);
  };
  expect(await pull()).toEqual(['Ana']);
  rows = [row(1, 'Ana', 'by e-mail'), row(2, 'Rui', '4833224456'), row(3, 'Eva', '4833224457')];
  expect(await pull()).toEqual([]);
  index.close();
});

it('reads a contact of Odoo that has no time of change', async () => {
  const odoo = await startFakeOdoo([{ id: 7, name: 'Ana', phone: '4833224455', write_date: false }]);
  const login = { user: 'relay', token: 'x', database: 'demo' };
  const source = openSource({ name: 'crm', kind: 'odoo', url: odoo.url, country: 'BR', ...login });
  const { signal } = new AbortController();
  const pull = source.pull({ knownTags: async () => [], signal });
  expect((await pull.next()).value).toMatchObject([{ uid: 'res.partner/7', written: { name: 'Ana' } }]);
  expect((await pull.next()).value).toMatchObject({ isComplete: true });
  await odoo.stop();
});
