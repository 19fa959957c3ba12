import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpService {
  readonly port: number;
  readonly url: string;
  /** Cuts every connection. Resolves when all are closed. */
  close(): Promise<void>;
}

/** Serves HTTP on loopback, by default on any free port. */
export async function serveHttp(handle: RequestListener, port = 0): Promise<HttpService> {
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
