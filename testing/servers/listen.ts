import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves HTTP on loopback, on any free port by default. `close` resolves when every connection is closed. */
export async function listen(
  handle: RequestListener,
  port = 0,
): Promise<{ port: number; url: string; close(): Promise<void> }> {
  const server = createServer(handle);
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  );
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
