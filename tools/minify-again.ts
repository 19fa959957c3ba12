import { minify } from 'terser';
import type { Plugin } from 'vite';

interface Options {
  /** Files to minify; every one by default. */
  isWanted?: (fileName: string) => boolean;
  /** Function declarations together: 1 % less of the content script, 1 % more of the widget. */
  hoistFunctions?: boolean;
}

/** Terser after the bundler's own minifier: together they are 2 % smaller than either. For what every page loads. */
export function minifyAgain({ isWanted = () => true, hoistFunctions = true }: Options = {}): Plugin {
  return {
    name: 'dialmark:minify-again',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!isWanted(file.fileName)) continue;
        if (file.type === 'chunk') file.code = await minified(file.code, hoistFunctions);
        else if (file.fileName.endsWith('.js'))
          file.source = await minified(String(file.source), hoistFunctions);
      }
    },
  };
}

async function minified(script: string, hoistFunctions: boolean): Promise<string> {
  const compress = {
    ecma: 2020,
    passes: 3,
    unsafe_arrows: true,
    pure_getters: true,
    keep_fargs: false,
    hoist_funs: hoistFunctions,
  } as const;
  const { code } = await minify(script, { module: true, ecma: 2020, compress });
  return code!;
}
