/** What a source of names says where its address leads to another program than a CRM of its kind. */
import { afterEach, expect, it } from 'vitest';
import { type HttpService, serveHttp } from '../../../testing/servers/serve-http.ts';
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
