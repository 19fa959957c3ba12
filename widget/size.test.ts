import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { callStates } from '../shared/call/call.ts';

// In tests, libraries have more code.
vi.stubEnv('NODE_ENV', 'production');
afterAll(() => void vi.unstubAllEnvs());

describe('dist/widget', () => {
  it('is one script of at most 24 KB gzipped that neither needs nor leaks anything', async () => {
    const built = await build({
      root: fileURLToPath(new URL('..', import.meta.url)),
      mode: 'widget',
      logLevel: 'error',
      build: { write: false },
    });
    const { output } = (Array.isArray(built) ? built[0] : built) as Rollup.RollupOutput;
    expect(output.map(({ fileName }) => fileName).sort()).toEqual([
      'LICENSE',
      'custom-elements.json',
      'package.json',
      'preact.d.ts',
      'react.d.ts',
      'widget.d.ts',
      'widget.js',
    ]);
    const types = output.find(({ fileName }) => fileName === 'widget.d.ts') as Rollup.OutputAsset;
    expect(types.source).not.toContain('import');
    for (const member of [`state: '${callStates.join("' | '")}';`, 'talkSeconds?: number | undefined;'])
      expect(types.source).toContain(member);
    const { code, modules } = output[0];
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(24 * 1024);
    // Without code that strict pages refuse, and without global variables.
    expect(code).not.toMatch(/\beval\(|new Function|insertAdjacentHTML|\bwindow\.|process\.env/);
    expect(code).not.toMatch(/\bimport\s*\(|\bimport\b[^.(]*\bfrom\b/);
    // Preact has a branch for `dangerouslySetInnerHTML`, which our code must not reach.
    for (const [id, module] of Object.entries(modules))
      if (!id.endsWith('/preact/dist/preact.mjs')) expect(module.code, id).not.toMatch(/innerHTML/i);
  });
});
