import dns from 'node:dns';
import { expect, it, vi } from 'vitest';
import { sendOnce } from './send-once.ts';

it('looks up a name without an answer once for all requests that wait for it', async () => {
  const noAnswer = Object.assign(new Error('no answer'), { code: 'EAI_AGAIN' });
  const giveUp = (_host: string, _options: object, onLookedUp: (error: Error) => void) =>
    void setTimeout(onLookedUp, 200, noAnswer);
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(giveUp as never);
  const request = { url: 'http://crm.example/entries', method: 'POST', headers: {}, body: '{}' } as const;
  const limits = { connectTimeoutMs: 5000, answerTimeoutMs: 5000 };
  const sent = await Promise.all(Array.from({ length: 4 }, () => sendOnce(request, limits)));
  const unsent = { kind: 'notSent', code: 'notFound', message: 'the name of the service is not known (DNS)' };
  expect([sent, lookup.mock.calls.length]).toEqual([Array(4).fill(unsent), 1]);
  lookup.mockRestore();
});
