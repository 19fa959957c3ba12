/**
 * Builds the gallery in the same way as the widget, and serves it. By hand: `node --import tsx
 * widget/gallery/serve.ts`.
 */
import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { serveHttp } from '../../testing/servers/serve-http.ts';
import { widgetBundle } from '../bundle/widget-bundle.ts';

/** The content security policy of a strict site. The view needs no inline code or style. */
const policy = "default-src 'self'; media-src *; require-trusted-types-for 'script'; trusted-types 'none'";
const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
};

/** Serves the gallery on loopback, on a free port. */
export async function startWidgetGallery(): Promise<{ url: string; close(): Promise<void> }> {
  const { output } = (await build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    base: './',
    logLevel: 'error',
    plugins: [widgetBundle('gallery')],
    build: { write: false, target: ['chrome148', 'firefox153'], modulePreload: { polyfill: false } },
  })) as Rollup.RollupOutput;
  const files = new Map(
    output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]),
  );
  const { url, close } = await serveHttp((request, response) => {
    const name = new URL(request.url!, 'http://gallery').pathname.slice(1) || 'index.html';
    const body = files.get(name);
    if (body === undefined) return void response.writeHead(404).end();
    const type = types[name.split('.').at(-1)!] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(body);
  });
  return { url: `${url}/`, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await startWidgetGallery()).url);
