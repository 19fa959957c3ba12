/** Builds each contender as a small extension, so that all run as content scripts. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleScript } from '../../testing/bundle-script.ts';

export interface Contender {
  name: string;
  /** Folder of the built extension. */
  folder: string;
  /** The size of the content script, gzipped. It is 0 without one. */
  bytes: number;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const sources = [
  { name: 'none', content: undefined },
  { name: 'dialmark', content: here('../../extension/content/main.iife.ts') },
  { name: 'ringcentral-c2d', content: here('ringcentral.ts') },
] as const;

export async function buildContenders(folder: string): Promise<Contender[]> {
  const background = await bundleScript(here('background.ts'));
  return Promise.all(
    sources.map(async ({ name, content }) => {
      const own = path.join(folder, name);
      await mkdir(own, { recursive: true });
      const script = content === undefined ? '' : await bundleScript(content);
      await writeFile(path.join(own, 'content.js'), script);
      await writeFile(path.join(own, 'background.js'), background);
      await copyFile(here('../../extension/content/marks.css'), path.join(own, 'marks.css'));
      await writeFile(
        path.join(own, 'manifest.json'),
        JSON.stringify({
          manifest_version: 3,
          name,
          version: '1',
          background: { service_worker: 'background.js' },
          permissions: ['scripting', 'tabs'],
          host_permissions: ['http://127.0.0.1/*'],
          // As the extension registers it: before the page's first style.
          ...(name === 'dialmark' && {
            content_scripts: [{ matches: ['http://127.0.0.1/*'], css: ['marks.css'] }],
          }),
        }),
      );
      return { name, folder: own, bytes: script === '' ? 0 : gzipSync(script, { level: 9 }).length };
    }),
  );
}
