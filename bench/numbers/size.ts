/** What scan adds to the content script: bundled and minified in memory, as the extension's build does it. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** A library of format `es` would keep its white space, so `iife`. @returns bytes, minified and gzipped. */
export async function bundledSize(entry: URL): Promise<{ minified: number; gzipped: number }> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      target: 'es2023',
      lib: { entry: fileURLToPath(entry), formats: ['iife'], name: 'bundle', fileName: 'bundle' },
    },
  });
  const outputs = Array.isArray(output) ? output : [output];
  let code = '';
  for (const each of outputs) {
    if (!('output' in each)) continue;
    for (const chunk of each.output) if (chunk.type === 'chunk') code += chunk.code;
  }
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).length };
}
