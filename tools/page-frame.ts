/** Puts the frame that the extension's pages share around the own content of each `index.html`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const pages = fileURLToPath(new URL('../extension/pages', import.meta.url));

export function pageFrame(): Plugin {
  return {
    name: 'dialmark:page-frame',
    transformIndexHtml: {
      order: 'pre',
      handler(own, { filename }) {
        const folder = path.dirname(filename);
        if (path.dirname(folder) !== pages) return own;
        const frame = readFileSync(path.join(pages, 'parts/page-frame.html'), 'utf8');
        const head = own.replace(/<!--.*?-->\s*/gs, '').trim();
        return frame.replace('<!-- own -->', () => head);
      },
    },
  };
}
