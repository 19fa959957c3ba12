/** The gallery of the extension's pages; served by hand: `node --import tsx extension/gallery/serve.ts`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import preact from '@preact/preset-vite';
import { build, createServer, type InlineConfig, type Rollup } from 'vite';
import { pageFrame } from '../../tools/page-frame.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

export const pages = readdirSync(`${root}extension/pages`).filter((page) =>
  existsSync(`${root}extension/pages/${page}/index.html`),
);

const config: InlineConfig = {
  configFile: false,
  root,
  logLevel: 'error',
  publicDir: false,
  plugins: [preact(), pageFrame()],
  resolve: { alias: { 'webextension-polyfill': `${folder}browser-stand-in.ts` } },
  define: { __BROWSER__: JSON.stringify('chrome'), __VERSION__: JSON.stringify('gallery') },
};

/** Serves it on a free port of loopback, reloading on changes; `url` shows all states. */
async function startPageGallery(): Promise<{ url: string; close(): Promise<void> }> {
  const server = await createServer({
    ...config,
    cacheDir: `${root}node_modules/.vite-gallery`,
    optimizeDeps: { entries: ['extension/pages/*/index.html', 'extension/gallery/*.html'] },
    server: { host: '127.0.0.1', port: 0 },
  });
  await server.listen();
  return {
    url: new URL('extension/gallery/sheet.html', server.resolvedUrls!.local[0]).href,
    close: () => server.close(),
  };
}

/** Every file of it by its path, bundled: many states load at once. */
export async function buildGallery(): Promise<Record<string, string | Buffer>> {
  const { output } = (await build({
    ...config,
    build: {
      write: false,
      target: ['chrome148', 'firefox153'],
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['gallery/sheet.html', ...pages.map((page) => `pages/${page}/index.html`)].map(
          (file) => `${root}extension/${file}`,
        ),
      },
    },
  })) as Rollup.RollupOutput;
  const icons = readdirSync(`${root}extension/icons`);
  return {
    ...Object.fromEntries(
      output.map((file) => [
        `/${file.fileName}`,
        file.type === 'chunk' ? file.code : Buffer.from(file.source),
      ]),
    ),
    ...Object.fromEntries(
      icons.map((name) => [`/extension/icons/${name}`, readFileSync(`${root}extension/icons/${name}`)]),
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log((await startPageGallery()).url);
