import { build, type Rolldown } from 'vite';

/** Bundles a file and its imports as one classic script, minified as the extension's own are. */
export async function bundleScript(file: string): Promise<string> {
  const [output] = (await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'chrome148', lib: { entry: file, formats: ['iife'], name: 'bundle' } },
  })) as Rolldown.RolldownOutput[];
  return output!.output[0].code;
}
