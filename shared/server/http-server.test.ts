import dns from 'node:dns';
import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import pino from 'pino';
import { expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { closeServer, createHttpServer, listenOn } from './http-server.ts';

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

it('says what is wrong with a path that cannot be decoded', async () => {
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  app.get('/calls/:id', async () => ({}));
  for (const path of ['/calls/%zz', '/calls/%ff']) {
    const { statusCode, body } = await app.inject(path);
    expect([statusCode, JSON.parse(body).detail]).toEqual([400, 'path: expected UTF-8 in percent-encoding.']);
  }
});

it('names the status of headers that are too large', async () => {
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const { status, statusText } = await fetch(url, { headers: { 'x-long': 'x'.repeat(17_000) } });
  await app.close();
  expect([status, statusText]).toEqual([431, 'Request Header Fields Too Large']);
});

it('stops without waiting for requests that do not end, but sends the replies under way', async () => {
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  let answer = () => {};
  const asked = new Promise<void>((resolve) =>
    app.post('/', async () => {
      resolve();
      await new Promise<void>((done) => (answer = done));
      return { isDone: true };
    }),
  );
  const url = await listenOn(app, { host: '127.0.0.1', port: 0 }, 'LISTEN');
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n';
  const unfinished = ['GET / HT', `${head}{"a"`].map((text) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    socket.write(text);
    return once(socket, 'close');
  });
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const reply = fetch(url, options).then((response) => response.json());
  await asked;
  const closing = closeServer(app, Promise.resolve(), 30_000);
  await Promise.all(unfinished);
  answer();
  expect(await reply).toEqual({ isDone: true });
  await closing;
}, 10_000);

it('answers a request whose connection then brings what is not HTTP with its own reply', async () => {
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  let answer = () => {};
  app.get('/', async () => {
    await new Promise<void>((done) => (answer = done));
    return { isDone: true };
  });
  const broken = new Promise((resolve) => app.server.once('clientError', resolve));
  const url = await listenOn(app, { host: '127.0.0.1', port: 0 }, 'LISTEN');
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (text: string) => (received += text));
  const closed = once(socket, 'close');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n\0');
  await broken;
  answer();
  await closed;
  await app.close();
  expect(received.match(/^HTTP\/1.1 \d+|"isDone":true/gm)).toEqual(['HTTP/1.1 200', '"isDone":true']);
});

it.each([
  ['ENOTFOUND', 'getaddrinfo ENOTFOUND relay.exampl'],
  ['EAFNOSUPPORT', 'listen EAFNOSUPPORT: address family not supported ::1:8787'],
])('names the setting of an address that gives %s', async (code, message) => {
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  vi.spyOn(app, 'listen').mockRejectedValue(
    Object.assign(new Error(message), { code, syscall: message.split(' ')[0] }),
  );
  await expect(listenOn(app, { host: 'relay.exampl', port: 8787 }, 'LISTEN')).rejects.toThrow(
    `LISTEN: expected an address of this machine; ${message}`,
  );
});

it('listens at one address of localhost: a stop waits for replies of one server alone', async () => {
  const addresses = { localhost: ['::1', '127.0.0.1'] };
  const lookup = vi.spyOn(dns, 'lookup') as unknown as MockInstance<(...input: unknown[]) => void>;
  lookup.mockImplementation((host, ...input) => {
    const known = addresses[host as 'localhost'] ?? [host as string];
    const found = known.map((address) => ({ address, family: isIP(address) }));
    const done = input.at(-1) as (...result: unknown[]) => void;
    if ((input[0] as { all?: boolean }).all) done(null, found);
    else done(null, found[0]!.address, found[0]!.family);
  });
  onTestFinished(() => lookup.mockRestore());
  const app = createHttpServer({ log: pino({ level: 'silent' }), maxFailedRequestsPerMinute: 9 });
  await listenOn(app, { host: 'localhost', port: 0 }, 'LISTEN');
  const listening = app.addresses();
  await app.close();
  expect(listening).toMatchObject([{ address: '127.0.0.1' }]);
});
