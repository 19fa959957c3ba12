/** Serves the gallery of the extension's pages, reloading on changes; by hand: `node --import tsx extension/gallery/serve.ts`. */
import { fileURLToPath } from 'node:url';
import preact from '@preact/preset-vite';
import { createServer } from 'vite';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the gallery on a free port of loopback; `url` is the index of all states. */
export async function startGallery(): Promise<{ url: string; close(): Promise<void> }> {
  const server = await createServer({
    configFile: false,
    root,
    cacheDir: `${root}node_modules/.vite-gallery`,
    logLevel: 'error',
    plugins: [preact()],
    resolve: { alias: { 'webextension-polyfill': `${folder}browser-stand-in.ts` } },
    define: { __BROWSER__: JSON.stringify('chrome'), __VERSION__: JSON.stringify('gallery') },
    optimizeDeps: { entries: ['extension/pages/*/index.html', 'extension/gallery/index.html'] },
    server: { host: '127.0.0.1', port: 0 },
  });
  await server.listen();
  return {
    url: new URL('extension/gallery/index.html', server.resolvedUrls!.local[0]).href,
    close: () => server.close(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await startGallery()).url);
