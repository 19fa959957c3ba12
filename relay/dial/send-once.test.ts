import { expect, it } from 'vitest';
import { failLookups } from '../../testing/servers/fail-lookups.ts';
import { sendOnce } from './send-once.ts';

it('looks up a name without an answer once for all requests that wait for it', async () => {
  const lookup = failLookups();
  const request = { url: 'http://crm.example/entries', method: 'POST', headers: {}, body: '{}' } as const;
  const limits = { connectTimeoutMs: 5000, answerTimeoutMs: 5000 };
  const sent = await Promise.all(Array.from({ length: 4 }, () => sendOnce(request, limits)));
  const unsent = { kind: 'notSent', code: 'notFound', message: 'the name of the service is not known (DNS)' };
  expect([sent, lookup.mock.calls.length]).toEqual([Array(4).fill(unsent), 1]);
});
