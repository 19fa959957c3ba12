import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostInUrl } from '../../shared/address.ts';

export interface HttpService {
  readonly port: number;
  readonly url: string;
  /** Cuts every connection. Resolves when all are closed. */
  close(): Promise<void>;
}

/** Serves HTTP, by default on loopback and any free port. */
export async function serveHttp(handle: RequestListener, port = 0, host = '127.0.0.1'): Promise<HttpService> {
  const server = createServer(handle);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://${hostInUrl(host)}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
