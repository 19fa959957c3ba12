import { afterAll, expect, it } from 'vitest';
import { failLookups } from '../../testing/servers/fail-lookups.ts';
import { serveHttp } from '../../testing/servers/serve-http.ts';
import { notificationAgent, postNotification } from './post-notification.ts';

const agent = notificationAgent(1);
const logins: (string | undefined)[] = [];
const receiver = await serveHttp((request, response) => {
  logins.push(request.headers.authorization);
  response.writeHead(204).end();
});
afterAll(async () => {
  await agent.destroy();
  await receiver.close();
});

it.each([
  ['', undefined],
  ['%zz@', `Basic ${Buffer.from('%zz:').toString('base64')}`],
  ['crm:p%40ss@', `Basic ${Buffer.from('crm:p@ss').toString('base64')}`],
])('logs in as "%s" where the address says so', async (login, expected) => {
  const url = `http://${login}127.0.0.1:${receiver.port}/n`;
  const posted = await postNotification(url, '{}', {}, agent, new AbortController().signal);
  expect([posted.kind, logins.at(-1)]).toEqual(['delivered', expected]);
});

it('looks up a name without an answer once for all notifications that wait for it', async () => {
  const lookup = failLookups();
  const busy = notificationAgent(16);
  const { signal } = new AbortController();
  const posted = await Promise.all(
    Array.from({ length: 16 }, () => postNotification('http://crm.example/n', '{}', {}, busy, signal)),
  );
  const failed = { kind: 'failed', note: 'EAI_AGAIN', isFinal: false };
  expect([posted, lookup.mock.calls.length]).toEqual([Array(16).fill(failed), 1]);
  await busy.destroy();
});
