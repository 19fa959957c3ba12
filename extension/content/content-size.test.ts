import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { minifyAgain } from '../../tools/minify-again.ts';

/** The one script that a page gets, minified as the extension's build does. */
test('the content script is at most 12 KB gzipped', async () => {
  const [output] = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [minifyAgain()],
    build: {
      write: false,
      target: 'chrome148',
      lib: {
        entry: fileURLToPath(new URL('main.iife.ts', import.meta.url)),
        formats: ['iife'],
        name: 'dialmark',
      },
    },
  })) as Rolldown.RolldownOutput[];
  expect(output!.output).toHaveLength(1);
  expect(gzipSync(output!.output[0].code, { level: 9 }).length).toBeLessThanOrEqual(12 * 1024);
});
