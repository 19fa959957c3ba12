import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { minifyAgain } from '../../tools/minify-again.ts';

test('the content script is at most 12 KB gzipped', async () => {
  expect(await sizeOf('main.iife.ts')).toBeLessThanOrEqual(12 * 1024);
});

test.each([
  ['a control of the page that may hold a number', 'controls.iife.ts'],
  ['a command', 'commands.iife.ts'],
])('what only %s loads is at most 4 KB gzipped', async (_, entry) => {
  expect(await sizeOf(entry)).toBeLessThanOrEqual(4 * 1024);
});

/** Bytes of a script of ours in a page, gzipped, minified as the extension's build does. */
async function sizeOf(entry: string): Promise<number> {
  const [output] = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [minifyAgain()],
    build: {
      write: false,
      target: 'chrome148',
      lib: {
        entry: fileURLToPath(new URL(entry, import.meta.url)),
        formats: ['iife'],
        name: 'dialmark',
      },
    },
  })) as Rolldown.RolldownOutput[];
  expect(output!.output).toHaveLength(1);
  return gzipSync(output!.output[0].code, { level: 9 }).length;
}
