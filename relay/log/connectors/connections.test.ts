/** Where a request to a CRM goes, by the address in its settings. */
import { expect, it } from 'vitest';
import { connectTo } from '../../../testing/crm/logging-world.ts';
import { serveHttp } from '../../../testing/servers/serve-http.ts';
import type { LogEntry } from './connector.ts';

const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;

/** Of one request that is sent to `path` of a server. */
async function sentTo(path: string, settings: Record<string, string>, login = '') {
  const asked: { path: string | undefined; authorization: string | undefined }[] = [];
  const server = await serveHttp(({ url, headers }, response) => {
    asked.push({ path: url, authorization: headers.authorization });
    response.writeHead(200).end();
  });
  const address = server.url.replace('//', `//${login}`) + path;
  const { connector, client } = connectTo({ URL: address, ...settings }).get('crm')!;
  const record = { system: 'crm', kind: 'issue', id: '7', url: 'https://crm.example/issues/7' };
  const call = { id: 'call', from: '1105', to: '4833224455', state: 'disconnected', revision: 1 } as const;
  const placedAt = new Date().toISOString();
  const entry: LogEntry = {
    ...({ marker: 'dialmark:call', record, part: 1, kind: 'call', text: 'dialmark:call' } as const),
    ...{ talkSeconds: 0, secondsBefore: 0, call: { ...call, createdAt: placedAt }, placedAt },
  };
  await connector.create(entry, client).catch(() => {});
  await server.close();
  return asked[0]!;
}

it.each(['/in/', '/in', '/in?next=/', '/'])('sends to a webhook at %s as it is written', async (path) => {
  expect((await sentTo(path, { KIND: 'webhook', SECRET: secret })).path).toBe(path);
});

it('sends to a CRM whose address ends with a slash', async () => {
  const { path } = await sentTo('/redmine/', { KIND: 'redmine', TOKEN: 'key' });
  expect(path).toBe('/redmine/issues/7.json');
});

it.each([
  { KIND: 'webhook', SECRET: secret },
  { KIND: 'redmine', TOKEN: 'key' },
])('logs in by the login of the address, of kind $KIND', async (settings) => {
  const { authorization } = await sentTo('/in', settings, 'rui:s%40y@');
  expect(authorization).toBe(`Basic ${Buffer.from('rui:s@y').toString('base64')}`);
});

it('leaves a login of the address where the CRM has one of its own', async () => {
  const { authorization } = await sentTo('', { KIND: 'rt', TOKEN: 'key' }, 'rui:s@');
  expect(authorization).toBe('token key');
});
