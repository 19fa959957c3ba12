import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import preact from '@preact/preset-vite';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const packageJson = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
};

/** One build for each mode: `chrome` and `firefox` build the extension, the others widget, servers and demo. */
const builds: Record<string, () => UserConfig | Promise<UserConfig>> = {
  chrome: () => extension('chrome'),
  firefox: () => extension('firefox'),
  widget,
  relay: () =>
    server('relay', {
      main: 'relay/main.ts',
      'store-worker': 'relay/store/sqlite/store-worker.ts',
      'list-builder': 'relay/rules/lists/list-builder.ts',
    }),
  pbx: () => server('pbx', { main: 'pbx/service/main.ts' }),
  crm,
};

export default defineConfig(async ({ mode }) => {
  const build = builds[mode];
  if (!build) throw new Error(`--mode: expected one of ${Object.keys(builds).join(', ')}, got "${mode}"`);
  return {
    publicDir: false as const,
    define: { __VERSION__: JSON.stringify(packageJson.version) },
    ...(await build()),
  };
});

async function extension(browser: 'chrome' | 'firefox'): Promise<UserConfig> {
  const { crx } = await import('@crxjs/vite-plugin');
  const { manifest } = await import('./extension/manifest.ts');
  const { pageFrame } = await import('./tools/page-frame.ts');
  return {
    plugins: [
      preact(),
      pageFrame(),
      crx({ manifest: manifest(browser, packageJson.version) as never, browser }),
      withoutWebAccessibleResources(),
      extensionFiles(),
    ],
    define: { __VERSION__: JSON.stringify(packageJson.version), __BROWSER__: JSON.stringify(browser) },
    build: {
      outDir: `dist/${browser}`,
      target: browser === 'firefox' ? 'firefox153' : 'chrome148',
      modulePreload: { polyfill: false },
      sourcemap: false,
      rolldownOptions: {
        output: {
          // crxjs keeps the sources' absolute path in the background at first: its hash would depend on the folder.
          chunkFileNames: ({ name }) =>
            name === 'main.ts' ? 'assets/background.js' : 'assets/[name]-[hash].js',
        },
        // Pages that no manifest key names are entries all the same.
        input: {
          call: 'extension/pages/call/index.html',
          welcome: 'extension/pages/welcome/index.html',
          registration: 'extension/pages/registration/index.html',
          privacy: 'extension/pages/privacy/index.html',
        },
      },
    },
  };
}

/**
 * crxjs lists every dynamic content script as web-accessible on all sites, which would let any page find out that we
 * are installed. Registered IIFE scripts run without it (measured in both browsers, 2026-11).
 */
function withoutWebAccessibleResources(): Plugin {
  return {
    name: 'dialmark:no-web-accessible-resources',
    enforce: 'post',
    renderCrxManifest(manifest: Record<string, unknown>) {
      delete manifest.web_accessible_resources;
      return manifest;
    },
  } as Plugin;
}

/** Adds files that crxjs leaves out: messages, which it expects in the root, and the policy's schema. */
function extensionFiles(): Plugin {
  return {
    name: 'dialmark:extension-files',
    async generateBundle(_options, bundle) {
      // crxjs leaves an ESM copy of each content script beside the one that runs; nothing imports it.
      for (const [name, file] of Object.entries(bundle))
        if (file.type === 'chunk' && file.facadeModuleId?.endsWith('.iife.ts')) delete bundle[name];
      const { managedSchema } = await import('./extension/managed-schema.ts');
      for (const language of readdirSync('extension/_locales'))
        this.emitFile({
          type: 'asset',
          fileName: `_locales/${language}/messages.json`,
          source: readFileSync(`extension/_locales/${language}/messages.json`),
        });
      this.emitFile({
        type: 'asset',
        fileName: 'managed-schema.json',
        source: `${JSON.stringify(managedSchema(), null, 2)}\n`,
      });
    },
  };
}

async function widget(): Promise<UserConfig> {
  const { widgetBundle } = await import('./widget/bundle/widget-bundle.ts');
  return {
    plugins: [widgetBundle(packageJson.version)],
    build: {
      outDir: 'dist/widget',
      target: ['chrome148', 'firefox153', 'safari18'],
      lib: { entry: 'widget/element.tsx', formats: ['es'], fileName: () => 'widget.js' },
      // Vite leaves libraries' white space and `@__PURE__` for their users' bundlers; this one is loaded as it is.
      rolldownOptions: { output: { minify: true, comments: { annotation: false } } },
    },
  };
}

/** Builds what runs in Node, without node_modules. @param input by output name: a worker thread needs its own file. */
function server(part: string, input: Record<string, string>): UserConfig {
  return {
    // Zod's own entries load its texts in 50 languages, of which none is used: 0.1 s at each command.
    ssr: { noExternal: ['zod'] },
    build: {
      outDir: `dist/${part}`,
      ssr: true,
      target: 'node20',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input,
        external: [
          ...builtinModules,
          ...builtinModules.map((name) => `node:${name}`),
          ...Object.keys(packageJson.dependencies).filter((name) => name !== 'zod'),
        ],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', format: 'es' },
      },
    },
  };
}

function crm(): UserConfig {
  return {
    root: 'demo/crm',
    base: './',
    plugins: [preact()],
    build: {
      outDir: '../../dist/crm',
      emptyOutDir: true,
      target: ['chrome148', 'firefox153'],
      modulePreload: { polyfill: false },
    },
  };
}
