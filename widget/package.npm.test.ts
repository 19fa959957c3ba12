/** The widget as an npm package, from the relay into fresh projects: types, build, and the built page in Chromium. */
import path from 'node:path';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureChromium } from '../testing/browsers/find-browsers.ts';
import { startChild } from '../testing/child.ts';
import { type RelayProcess, startRelayProcess } from '../testing/relay/relay-process.ts';
import { servePages } from '../testing/servers/serve-pages.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts';
import { buildStale } from '../tools/build.ts';
import { filesUnder, writeFiles } from '../tools/zip.ts';

interface Project {
  packages: string[];
  /** Checks types. */
  check: string[];
  files: Record<string, string>;
}

const compilerOptions = {
  ...{ target: 'ES2023', module: 'ESNext', moduleResolution: 'bundler', strict: true, noEmit: true },
  ...{ skipLibCheck: false, lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: [], verbatimModuleSyntax: true },
};
const tsconfig = (more: object) =>
  JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, include: ['src'] });
const html = (script: string) => `<!doctype html><title>loading</title><div id="app"></div>
<script type="module" src="/src/${script}"></script>`;
const common = ['vite@8.3.8', 'typescript@5.9.3'];

/** The page's title becomes the first problem that the widget reports. */
const projects: Record<string, Project> = {
  'React 19': {
    packages: ['react@19.3.1', 'react-dom@19.3.1', '@types/react@19.3.0', '@types/react-dom@19.3.0'],
    check: ['tsc'],
    files: {
      'tsconfig.json': tsconfig({ jsx: 'react-jsx' }),
      'index.html': html('main.tsx'),
      'src/main.tsx': `import type { Call } from 'dialmark-widget/react';
import 'dialmark-widget/react';
import { createRoot } from 'react-dom/client';
// @ts-expect-error
export const wrong = <dialmark-widget mode="upside-down" />;
createRoot(document.getElementById('app')!).render(
  <dialmark-widget relay="http://127.0.0.1:9" mode="dial" className="calls" getTicket={async () => 'ticket'}
    ondialmark:error={({ detail }) => { document.title = detail.code; }}
    ondialmark:call={({ detail }: CustomEvent<Call>) => console.log(detail.talkSeconds)} />,
);
`,
    },
  },
  Preact: {
    packages: ['preact@11.2.0'],
    check: ['tsc'],
    files: {
      'tsconfig.json': tsconfig({ jsx: 'react-jsx', jsxImportSource: 'preact' }),
      'vite.config.js': "export default { oxc: { jsx: { importSource: 'preact' } } };",
      'index.html': html('main.tsx'),
      'src/main.tsx': `import 'dialmark-widget/preact';
import { render } from 'preact';
// @ts-expect-error
export const wrong = <dialmark-widget mode="upside-down" />;
render(
  <dialmark-widget relay="http://127.0.0.1:9" mode="dial" class="calls" getTicket={async () => 'ticket'}
    ondialmark:error={({ detail }) => { document.title = detail.code; }} />,
  document.getElementById('app')!,
);
`,
    },
  },
  'Vue 3': {
    packages: ['vue@3.5.45', '@vitejs/plugin-vue@6.0.11', 'vue-tsc@3.3.14'],
    check: ['vue-tsc', '--noEmit'],
    files: {
      'tsconfig.json': tsconfig({ jsx: 'preserve' }),
      'vite.config.js': `import vue from '@vitejs/plugin-vue';
export default { plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'dialmark-widget' } } })] };`,
      'index.html': html('main.ts'),
      'src/shims.d.ts':
        "declare module '*.vue' { const component: import('vue').Component; export default component; }",
      'src/main.ts': `import { createApp } from 'vue';
import App from './App.vue';
createApp(App).mount('#app');
`,
      'src/App.vue': `<script setup lang="ts">
import type { WidgetProblem } from 'dialmark-widget';
import 'dialmark-widget';
const getTicket = async () => 'ticket';
const show = ({ detail }: CustomEvent<WidgetProblem>) => { document.title = detail.code; };
</script>
<template>
  <dialmark-widget relay="http://127.0.0.1:9" mode="dial" :getTicket="getTicket" @dialmark:error="show" />
</template>
`,
    },
  },
  'Svelte 5': {
    packages: ['svelte@5.57.3', '@sveltejs/vite-plugin-svelte@7.3.1', 'svelte-check@4.7.8'],
    check: ['svelte-check', '--fail-on-warnings'],
    files: {
      'tsconfig.json': tsconfig({ skipLibCheck: true }),
      'vite.config.js': `import { svelte } from '@sveltejs/vite-plugin-svelte';
export default { plugins: [svelte()] };`,
      'svelte.config.js': `import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
export default { preprocess: vitePreprocess() };`,
      'index.html': html('main.ts'),
      'src/main.ts': `import { mount } from 'svelte';
import App from './App.svelte';
mount(App, { target: document.getElementById('app')! });
`,
      'src/App.svelte': `<script lang="ts">
  import type { WidgetProblem } from 'dialmark-widget';
  import 'dialmark-widget';
  import { on } from 'svelte/events';
  const getTicket = async () => 'ticket';
  const show = ({ detail }: CustomEvent<WidgetProblem>) => { document.title = detail.code; };
  const listen = (element: HTMLElement) => on(element, 'dialmark:error', show);
</script>
<dialmark-widget relay="http://127.0.0.1:9" mode="dial" {getTicket} {@attach listen}></dialmark-widget>
`,
    },
  },
};

let relay: RelayProcess;
let browser: Browser;
let folder: TemporaryFolder;
beforeAll(async () => {
  await buildStale(['relay', 'widget']);
  folder = await temporaryFolder();
  relay = await startRelayProcess({ STORE: 'memory:' });
  browser = await chromium.launch({
    executablePath: await ensureChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(async () => {
  await browser?.close();
  await relay?.stop();
  await folder.remove();
});

const writeProject = (project: string, files: Record<string, string>) =>
  writeFiles(
    project,
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
  );

async function run(project: string, ...command: string[]): Promise<void> {
  const child = startChild(command, { folder: project });
  const code = await child.exited;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${child.output()}`);
}

describe('dialmark-widget from /widget.tgz', () => {
  it.each(Object.entries(projects))('type-checks, builds, runs in %s', async (name, project) => {
    const own = folder.file(name.replace(' ', '-').toLowerCase());
    await writeProject(own, { 'package.json': '{ "private": true, "type": "module" }', ...project.files });
    const packages = [`${relay.url}/widget.tgz`, ...common, ...project.packages];
    await run(own, 'npm', 'install', '--no-audit', '--no-fund', '--save-exact', ...packages);
    await run(own, 'npx', '--no-install', ...project.check);
    await run(own, 'npx', '--no-install', 'vite', 'build', '--logLevel', 'warn');

    const built = await filesUnder(path.join(own, 'dist'));
    const files = [...built].map(([file, bytes]) => [`/${file}`, Buffer.from(bytes)] as const);
    const pages = await servePages({
      ...Object.fromEntries(files),
      '/': Buffer.from(built.get('index.html')!),
    });
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(pages.url('/'));
    await page.locator('dialmark-widget').locator('[part=widget]').waitFor();
    await page.waitForFunction(() => document.title !== 'loading');
    expect([await page.title(), errors]).toEqual(['offline', []]);
    await page.close();
    pages.close();
  });

  it('brings no other package along', async () => {
    const own = folder.file('alone');
    await writeProject(own, { 'package.json': '{ "private": true }' });
    await run(own, 'npm', 'install', '--no-audit', '--no-fund', `${relay.url}/widget.tgz`);
    const installed = await filesUnder(path.join(own, 'node_modules'));
    const foreign = [...installed.keys()].filter((file) => !/^(\.|dialmark-widget\/)/.test(file));
    expect(foreign).toEqual([]);
    expect(installed.has('dialmark-widget/widget.js')).toBe(true);
  });
});
