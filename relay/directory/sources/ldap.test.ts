/** Against servers that fail; `ldap.crm.test.ts` has real ones. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { ldapSource } from './ldap.ts';

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
