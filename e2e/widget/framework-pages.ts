/** The same page in each framework: the widget with attributes and the getTicket property, a button that changes its language, one that removes it. */
import { compile } from 'svelte/compiler';
import { build, type Plugin, type Rollup } from 'vite';

const react = `
import { createElement as h, useState } from 'react';
import { createRoot } from 'react-dom/client';
function Page() {
  const [lang, setLang] = useState('en');
  const [there, setThere] = useState(true);
  return h('div', null,
    h('button', { id: 'spanish', onClick: () => setLang('es') }), h('button', { id: 'remove', onClick: () => setThere(false) }),
    there && h('dialmark-widget', { relay, lang, country: 'BR', getTicket, 'ondialmark:call': ({ detail }) => states.push(detail.state) }));
}
createRoot(document.querySelector('#app')).render(h(Page));`;

const vue = `
import { createApp, h, ref } from 'vue';
const lang = ref('en'), there = ref(true);
createApp({ render: () => h('div', [
  h('button', { id: 'spanish', onClick: () => { lang.value = 'es'; } }), h('button', { id: 'remove', onClick: () => { there.value = false; } }),
  there.value ? h('dialmark-widget', { relay, lang: lang.value, country: 'BR', getTicket, 'onDialmark:call': ({ detail }) => states.push(detail.state) }) : null,
]) }).mount('#app');`;

const svelteComponent = `
<script>
  const { relay, getTicket, states } = window;
  let lang = $state('en');
  let there = $state(true);
</script>
<button id="spanish" onclick={() => (lang = 'es')}>es</button><button id="remove" onclick={() => (there = false)}>x</button>
{#if there}
  <dialmark-widget {relay} {lang} country="BR" {getTicket} ondialmark:call={({ detail }) => states.push(detail.state)}></dialmark-widget>
{/if}`;

const svelte = `
import { mount } from 'svelte';
import Page from 'virtual:page.svelte';
mount(Page, { target: document.querySelector('#app') });`;

export const frameworkPages = { 'React 19': react, 'Vue 3': vue, 'Svelte 5': svelte } as const;

/** @returns one classic-module script; `relay`, `getTicket` and `states` are the page's globals. */
export async function bundlePage(source: string): Promise<string> {
  const inMemory: Plugin = {
    name: 'page',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}.js` : undefined),
    load(id) {
      if (id === '\0virtual:page.js') return source;
      if (id !== '\0virtual:page.svelte.js') return undefined;
      return compile(svelteComponent, { generate: 'client', filename: 'page.svelte' }).js.code;
    },
  };
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [inMemory],
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
    },
    resolve: { conditions: ['browser', 'module', 'import', 'default'] },
    build: { write: false, rolldownOptions: { input: 'virtual:page' } },
  })) as Rollup.RollupOutput;
  return built.output[0].code;
}
