import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpService, serveHttp } from './serve-http.ts';

/**
 * Serves HTTP on loopback by an asynchronous listener. Where that rejects, as for a client that dies within its
 * body, the response is destroyed: an unhandled rejection would fail a run whose tests all pass.
 */
export const serveAsync = (
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
  port?: number,
): Promise<HttpService> =>
  serveHttp((request, response) => void handle(request, response).catch(() => response.destroy()), port);
