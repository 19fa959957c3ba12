/** Against servers that fail; `ldap.crm.test.ts` has real ones. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { ldapSource } from './ldap.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('says that a server does not answer within the minute that each request has', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.resume())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const source = ldapSource({ url: `ldap://127.0.0.1:${port}/dc=example`, user: 'cn=a', token: 'b' });
  const asked = once(server, 'connection').then(([socket]) => once(socket, 'data'));
  const checked = source.check(new AbortController().signal);
  const refused = expect(checked).rejects.toThrow('it does not answer in time');
  await asked;
  await vi.advanceTimersByTimeAsync(60_000);
  await refused;
  for (const socket of sockets) socket.destroy();
  server.close();
});

it('says that a server closed the connection', async () => {
  const server = createServer((socket) => void socket.once('data', () => socket.end())).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const source = ldapSource({ url: `ldap://127.0.0.1:${port}/dc=example`, user: 'cn=a', token: 'b' });
  await expect(source.check(new AbortController().signal)).rejects.toThrow('it closed the connection');
  server.close();
});

it('names what is wrong in the filter of the address', async () => {
  const url = 'ldap://127.0.0.1:1/dc=example??sub?(cn=a';
  const source = ldapSource({ url, user: undefined, token: undefined });
  await expect(source.check(new AbortController().signal)).rejects.toThrow(
    'expected a filter in _URL as RFC 4515 has it: Unbalanced parens',
  );
});

it('says that a server which takes the connection does not answer in time', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.resume())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const source = ldapSource({ url: `ldap://127.0.0.1:${port}/dc=example`, user: 'cn=a', token: 'b' });
  const asked = once(server, 'connection').then(([socket]) => once(socket, 'data'));
  const timeout = new AbortController();
  const checked = source.check(timeout.signal);
  const refused = expect(checked).rejects.toThrow('it does not answer in time');
  await asked;
  timeout.abort(new DOMException('late', 'TimeoutError'));
  await refused;
  for (const socket of sockets) socket.destroy();
  server.close();
});
