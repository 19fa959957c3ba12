import pino from 'pino';
import { expect, it } from 'vitest';
import { createHttpServer } from './http-server.ts';

it('answers an unexpected error with a problem that holds nothing of it', async () => {
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  app.get('/', () => {
    throw new Error('a secret of ours');
  });
  const { statusCode, headers, body } = await app.inject('/');
  expect(statusCode).toBe(500);
  expect(headers['content-type']).toMatch('application/problem+json');
  expect(JSON.parse(body)).toMatchObject({ status: 500, code: 'internal' });
  expect(body).not.toMatch(/secret|http-server|at /);
});

it('serves a DELETE with the JSON content type but no body', async () => {
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  app.delete('/', async (_request, reply) => reply.code(204).send());
  app.post('/', async () => ({}));
  const headers = { 'content-type': 'application/json' };
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const statuses = [];
  for (const method of ['DELETE', 'POST']) statuses.push((await fetch(url, { method, headers })).status);
  await app.close();
  expect(statuses).toEqual([204, 400]);
});

it('names the status of headers that are too large', async () => {
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const { status, statusText } = await fetch(url, { headers: { 'x-long': 'x'.repeat(17_000) } });
  await app.close();
  expect([status, statusText]).toEqual([431, 'Request Header Fields Too Large']);
});
