/**
 * What makes the bundle lean enough: in it, and nowhere else, two modules are replaced by smaller ones of the same meaning,
 * each held to the original by a test; JSX becomes calls of Preact's `h`, which are shorter than the runtime's; and what
 * Preact has beyond our use is dropped.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { preactWeUse } from './preact-we-use.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export function lean(): Plugin {
  return {
    name: 'dialmark:lean',
    enforce: 'pre',
    config: () => ({
      oxc: {
        jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
        jsxInject: `import { h, Fragment } from 'preact';`,
      },
    }),
    resolveId: (id) => (id === 'eventsource-parser' ? here('./event-parser.ts') : undefined),
    async load(id) {
      if (!id.endsWith('/shared/call/call.ts')) return undefined;
      const [{ Call }, { shapeOf }] = await Promise.all([
        import('../../shared/call/call.ts'),
        import('./shape-of.ts'),
      ]);
      // zod/mini is 6.7 KB gzipped, half of what the widget may weigh.
      return `import { readShape } from ${JSON.stringify(here('./read-shape.ts'))};
const shape = ${shapeOf(Call)};
export const Call = {
  safeParse(value) {
    const data = readShape(shape, value);
    return { success: data !== undefined, data };
  },
};`;
    },
    generateBundle() {
      // What the npm package has beside the module.
      for (const file of ['widget.d.ts', 'custom-elements.json'])
        this.emitFile({ type: 'asset', fileName: file, source: readFileSync(here(`../${file}`)) });
    },
    transform: (code, id) => (id.endsWith('/preact/dist/preact.mjs') ? preactWeUse(code) : undefined),
  };
}
