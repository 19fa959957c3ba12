/** Against servers that fail; `ldap.crm.test.ts` has real ones. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { ldapSource } from './ldap.ts';

const sockets: Socket[] = [];
const servers: Server[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A source at a server that takes connections. */
async function sourceAt(onConnection: (socket: Socket) => void) {
  const server = createServer((socket) => {
    sockets.push(socket);
    onConnection(socket);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const source = ldapSource({ url: `ldap://127.0.0.1:${port}/dc=example`, user: 'cn=a', token: 'b' });
  return { source, nextRequest: () => once(server, 'connection').then(([socket]) => once(socket, 'data')) };
}

it('says that a server does not answer within the minute that each request has', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { source, nextRequest } = await sourceAt((socket) => void socket.resume());
  const asked = nextRequest();
  const checked = source.check(new AbortController().signal);
  const refused = expect(checked).rejects.toThrow('it does not answer in time');
  await asked;
  await vi.advanceTimersByTimeAsync(60_000);
  await refused;
});

it('says that a server closed the connection', async () => {
  const { source } = await sourceAt((socket) => void socket.once('data', () => socket.end()));
  await expect(source.check(new AbortController().signal)).rejects.toThrow('it closed the connection');
});

it('names what is wrong in the filter of the address', async () => {
  const url = 'ldap://127.0.0.1:1/dc=example??sub?(cn=a';
  const source = ldapSource({ url, user: undefined, token: undefined });
  await expect(source.check(new AbortController().signal)).rejects.toThrow(
    'expected a filter in _URL as RFC 4515 has it: Unbalanced parens',
  );
});

it('says that a server which takes the connection does not answer in time', async () => {
  const { source, nextRequest } = await sourceAt((socket) => void socket.resume());
  const asked = nextRequest();
  const timeout = new AbortController();
  const checked = source.check(timeout.signal);
  const refused = expect(checked).rejects.toThrow('it does not answer in time');
  await asked;
  timeout.abort(new DOMException('late', 'TimeoutError'));
  await refused;
});
