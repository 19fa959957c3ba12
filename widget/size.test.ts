import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { afterAll, describe, expect, it, vi } from 'vitest';

// Libraries bring more along for tests.
vi.stubEnv('NODE_ENV', 'production');
afterAll(() => void vi.unstubAllEnvs());

describe('the widget as pages load it', () => {
  it('is one file of at most 14 KB gzipped, everything in, and leaks nothing', async () => {
    const built = await build({
      root: fileURLToPath(new URL('..', import.meta.url)),
      mode: 'widget',
      logLevel: 'error',
      build: { write: false },
    });
    const { output } = (Array.isArray(built) ? built[0] : built) as Rollup.RollupOutput;
    expect(output.map(({ fileName }) => fileName).sort()).toEqual([
      'custom-elements.json',
      'widget.d.ts',
      'widget.js',
    ]);
    const { code } = output[0];
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(14 * 1024);
    // No zod, no code that strict pages refuse, nothing put on the window.
    expect(code).not.toMatch(
      /ZodMini|\beval\(|new Function|\.innerHTML|insertAdjacentHTML|\bwindow\.|process\.env/,
    );
    expect(code).not.toMatch(/\bimport\s*\(|\bimport\b[^.(]*\bfrom\b/);
  });
});
