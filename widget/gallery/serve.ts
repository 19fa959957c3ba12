/** Builds the gallery as the widget itself is built, and serves it on a free port of loopback; by hand: `node --import tsx widget/gallery/serve.ts`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { lean } from '../lean/plugin.ts';

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
};

export interface Gallery {
  url: string;
  close(): void;
}

export async function serveGallery(): Promise<Gallery> {
  const built = (await build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    base: './',
    logLevel: 'error',
    plugins: [lean()],
    build: { write: false, target: ['chrome148', 'firefox153'], modulePreload: { polyfill: false } },
  })) as Rollup.RollupOutput;
  const files = new Map(
    built.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  );
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gallery');
    const name = pathname === '/' ? '/index.html' : pathname;
    const body = files.get(name);
    if (body === undefined) return void response.writeHead(404).end();
    // The policy of a strict site: the view needs nothing inline.
    const policy =
      "default-src 'self'; media-src *; require-trusted-types-for 'script'; trusted-types 'none'";
    const type = types[name.split('.').at(-1)!] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await serveGallery()).url);
