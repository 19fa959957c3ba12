/** Serves documents, scripts and packages that only the tests have, by path, on a free port of this machine. */
import path from 'node:path';
import { serveHttp } from './serve-http.ts';

export interface ServedPages {
  /** Address of a page under the name that the extension is enabled on, or under another one. */
  url(path: string, host?: 'enabled' | 'other'): string;
  close(): void;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.xml': 'text/xml',
  '.crx': 'application/x-chrome-extension',
  '.xpi': 'application/x-xpinstall',
};

/** @param headers of every reply. */
export async function servePages(
  pages: Readonly<Record<string, string | Buffer>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServedPages> {
  const { port, close } = await serveHttp((request, response) => {
    const { pathname } = new URL(request.url!, 'http://127.0.0.1');
    const body = pages[pathname];
    const type = contentTypes[path.extname(pathname)] ?? 'text/html; charset=utf-8';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, ...headers }).end(body);
  });
  return {
    url: (path, host = 'enabled') =>
      `http://${host === 'enabled' ? '127.0.0.1' : 'localhost'}:${port}${path}`,
    close: () => void close(),
  };
}

export const html = (body: string, head = '') =>
  '<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><link rel="icon" ' +
  `href="data:,"><title>page</title>${head}</head><body style="font:16px sans-serif">${body}</body></html>`;
