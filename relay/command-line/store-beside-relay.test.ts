import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { serveHttp } from '../../testing/servers/serve-http.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { readRelaySettings } from '../settings.ts';
import { openStoreBesideRelay } from './store-beside-relay.ts';

it('makes no store while the relay at its address is not ready', async () => {
  const folder = await temporaryFolder();
  const server = await serveHttp((_request, response) => response.writeHead(503).end());
  try {
    const listen = `127.0.0.1:${server.port}`;
    const file = folder.file('relay.db');
    const settings = readRelaySettings({ DIALMARK_LISTEN: listen, DIALMARK_STORE: `sqlite:${file}` });
    await expect(openStoreBesideRelay(settings, true)).rejects.toThrow(
      `sqlite:${file}: there is no store yet, and the program at http://${listen} is not ready`,
    );
    expect(existsSync(file)).toBe(false);
  } finally {
    await server.close();
    await folder.remove();
  }
});

it('makes no store while a program at the relay’s address does not answer', async () => {
  const folder = await temporaryFolder();
  const sockets: Socket[] = [];
  // As a relay that SIGSTOP or its disk has stopped: the system takes the connection.
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    server.once('connection', () => controller.abort(new DOMException('too late', 'TimeoutError')));
    return controller.signal;
  });
  try {
    const listen = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = folder.file('typing-error.db');
    const settings = readRelaySettings({ DIALMARK_LISTEN: listen, DIALMARK_STORE: `sqlite:${file}` });
    await expect(openStoreBesideRelay(settings, true)).rejects.toThrow(
      `sqlite:${file}: there is no store yet, and the program at http://${listen} does not answer`,
    );
    expect(existsSync(file)).toBe(false);
  } finally {
    timeout.mockRestore();
    for (const socket of sockets) socket.destroy();
    server.close();
    await folder.remove();
  }
});
