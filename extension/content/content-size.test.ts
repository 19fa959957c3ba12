import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundleScript } from '../../testing/bundle-script.ts';

test('the content script is at most 29.6 KB gzipped', async () => {
  const script = await bundleScript(fileURLToPath(new URL('main.iife.ts', import.meta.url)));
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(29.6 * 1024);
});
