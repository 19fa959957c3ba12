import { build, type Rolldown } from 'vite';
import { minifyAgain } from '../tools/minify-again.ts';

/**
 * Bundles a file and its imports as one classic script.
 * @param asOurs minified as the extension's own are, for measurements: of React, that takes many seconds.
 */
export async function bundleScript(file: string, { asOurs = true } = {}): Promise<string> {
  const [output] = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: asOurs ? [minifyAgain()] : [],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'chrome148', lib: { entry: file, formats: ['iife'], name: 'bundle' } },
  })) as Rolldown.RolldownOutput[];
  return output!.output[0].code;
}
