/** The widget in React, Vue and Svelte, by keyboard, and every state in the gallery: axe, large text, right to left, forced colours. */
import { compile } from 'svelte/compiler';
import { build, type Plugin, type Rollup } from 'vite';
import type { Tab } from '../testing/browsers/browser.ts';
import type { ChromiumTab } from '../testing/browsers/chromium-tab.ts';
import { axeViolations } from '../testing/extension/axe.ts';
import { until } from '../testing/until.ts';
import { startWidgetGallery } from '../widget/gallery/serve.ts';
import { widgetStates } from '../widget/gallery/states.ts';
import { expect } from './fixtures.ts';
import { aCall, ended, test, widgetTag } from './widget/test-site.ts';
import { clickInWidget, inWidget, waitForConnection, waitForText } from './widget/widget-in-tab.ts';

/** The same page in each framework: the widget with attributes and the getTicket property, a button that changes its language, one that removes it. */
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

const frameworkPages = { 'React 19': react, 'Vue 3': vue, 'Svelte 5': svelte } as const;

for (const [framework, source] of Object.entries(frameworkPages)) {
  const tag = framework === 'React 19' ? '' : ' @exhaustive';
  test(`works with its attributes, property or events in ${framework}${tag}`, async ({ site, tab }) => {
    site.file('/page.js', await bundlePage(source), 'text/javascript');
    await tab.goto(
      site.page(
        '/',
        `<div id="app"></div><script>window.relay = ${JSON.stringify(site.relay.url)}; window.states = [];
         window.getTicket = async () => (await (await fetch('/ticket')).json()).ticket;</script>
         <script type="module" src="/widget.js"></script><script type="module" src="/page.js"></script>`,
      ),
    );
    await waitForConnection(tab);
    const call = aCall();
    site.relay.push(call);
    await waitForText(tab, 'Ringing your phone, then (48) 3322-4455');
    await tab.click('#spanish');
    await waitForText(tab, 'Suena su teléfono, después (48) 3322-4455');
    site.relay.push(ended(call));
    await until(() => tab.evaluate('states.length === 2'), 'both events');
    expect(await tab.evaluate('states')).toEqual(['callingCaller', 'disconnected']);
    await tab.click('#remove');
    await until(() => site.relay.streams.size === 0, 'no stream any more');
    expect(tab.errors().filter((error) => !error.includes('404'))).toEqual([]);
  });
}

test('dials, opens a finished call, leaves the widget by keyboard', async ({ site, tab }) => {
  const past = ended(aCall({ createdAt: '2026-01-01T00:00:00Z' }));
  site.relay.history = [ended(aCall()), past];
  await tab.goto(
    site.page(
      '/',
      `<script type="module" src="/widget.js"></script>${widgetTag(site, 'mode="dial"')}<button id="after">after</button>`,
    ),
  );
  await waitForText(tab, 'Recent calls');
  const focused = () =>
    inWidget<string>(
      tab,
      `root.activeElement ? root.activeElement.tagName + (root.activeElement.matches('[part=redial]') ? ' redial' : '')
         : document.activeElement.id || document.activeElement.localName`,
    );
  const walked: string[] = [];
  for (let step = 0; step < 8 && walked.at(-1) !== 'after'; step++) {
    await tab.press('Tab');
    const next = async () => {
      const now = await focused();
      return now !== 'body' && now !== walked.at(-1) && now;
    };
    walked.push(await until(next, `the focus to leave ${walked.at(-1) ?? 'the page'}`));
    if (walked.at(-1) === 'SUMMARY') {
      await tab.press('Enter');
      await until(() => inWidget<boolean>(tab, `root.querySelector('details').open`), 'the opened call');
    }
  }
  // The extension's way to the numbers comes first, as soon as it has marked them.
  if (walked[0] === 'dialmark-overlay') walked.shift();
  expect(walked).toEqual(['INPUT', 'BUTTON', 'BUTTON redial', 'SUMMARY', 'BUTTON redial', 'after']);
});

test('keeps the focus when the pressed button is gone', async ({ site, tab }) => {
  site.tickets.rights.push('hangup');
  await tab.goto(
    site.page('/', `<script type="module" src="/widget.js"></script>${widgetTag(site, 'mode="dial"')}`),
  );
  await waitForConnection(tab);
  const call = aCall({ canHangUp: true });
  site.relay.push(call);
  await clickInWidget(tab, '[part=hang-up]');
  const focused = () => inWidget<string | undefined>(tab, 'root.activeElement?.part.value');
  expect(await focused()).toBe('hang-up');
  site.relay.push(ended(call, { canHangUp: false }));
  await waitForText(tab, 'Talked for 1:05');
  expect(await focused()).toBe('widget');
  await tab.press('Tab');
  expect(await focused()).toBe('input');
  await site.relay.stop();
  await clickInWidget(tab, '[part=retry]');
  await site.relay.start();
  await tab.press('Enter');
  await waitForConnection(tab);
  expect(await focused()).toBe('widget');
});

test('is hidden with its parent, without the style of a rule for every element', async ({ site, tab }) => {
  site.relay.history = [ended(aCall())];
  await tab.goto(
    site.page(
      '/',
      `<style>* { color: rgb(255, 0, 0); letter-spacing: 9px; text-transform: uppercase }</style>
       <script type="module" src="/widget.js"></script><div style="visibility: hidden">${widgetTag(site)}</div>`,
    ),
  );
  await until(() => inWidget<boolean>(tab, `!!root?.querySelector('[part=state]')`), 'the call');
  const isVisible = () =>
    inWidget<boolean>(
      tab,
      `root.querySelector('[part=state]').checkVisibility({ visibilityProperty: true })`,
    );
  expect(await isVisible()).toBe(false);
  await tab.evaluate(`void (document.querySelector('div').style.visibility = '')`);
  expect(await isVisible()).toBe(true);
  const style = await inWidget<Record<string, string>>(
    tab,
    `(({ color, letterSpacing, textTransform, fontSize }) => ({ color, letterSpacing, textTransform, fontSize }))(
      getComputedStyle(root.querySelector('[part=state]')))`,
  );
  expect(style).toMatchObject({ letterSpacing: 'normal', textTransform: 'none', fontSize: '15px' });
  expect(style.color).not.toBe('rgb(255, 0, 0)');
});

test.describe('every state', () => {
  let gallery: Awaited<ReturnType<typeof startWidgetGallery>>;
  test.beforeAll(async () => {
    gallery = await startWidgetGallery();
  });
  test.afterAll(() => gallery.close());

  const openGallery = async (tab: Tab, address: string) => {
    await tab.goto(address);
    await until(() => tab.attribute('html', 'data-drawn'), 'the gallery');
  };
  /** Names of the states that are wider than their parent. */
  const overflowing = (tab: Tab) =>
    tab.evaluate<string[]>(
      `[...document.querySelectorAll('dialmark-picture')].filter((each) => { const section = each.shadowRoot.querySelector('section');
         return section.scrollWidth > section.clientWidth + 1 || each.scrollWidth > each.parentElement.clientWidth + 1; })
         .map((each) => each.previousSibling.textContent)`,
    );

  /** The gallery's own page repeats its landmarks. */
  const ofLandmarks = ['page-has-heading-one', 'region', 'landmark-unique'].concat([
    'landmark-no-duplicate-main',
    'landmark-main-is-top-level',
  ]);

  for (const theme of ['light', 'dark'])
    for (const language of ['en', 'pt-BR', 'es']) {
      const tag = language === 'en' && theme === 'light' ? '' : ' @exhaustive';
      test(`passes axe, ${theme}, in ${language}, also narrow with large text${tag}`, async ({ tab }) => {
        await openGallery(tab, `${gallery.url}?lang=${language}&theme=${theme}`);
        expect(await tab.count('dialmark-picture')).toBe(widgetStates.length);
        // Another language has other words in the same places.
        if (language === 'en') expect(await axeViolations(tab, undefined, ofLandmarks)).toEqual([]);
        await tab.setViewport({ width: 320, height: 800 });
        await tab.evaluate(`document.documentElement.style.fontSize = '200%'`);
        expect(await axeViolations(tab, undefined, ofLandmarks)).toEqual([]);
      });
    }

  test('does not overflow when text is twice as large, when it is narrow, when it is right to left', async ({
    tab,
  }) => {
    await openGallery(tab, `${gallery.url}?lang=pt-BR&theme=light`);
    expect(await overflowing(tab)).toEqual([]);
    await tab.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await overflowing(tab)).toEqual([]);
    await tab.evaluate(`document.querySelector('main').style.gridTemplateColumns = '15rem'`);
    expect(await overflowing(tab)).toEqual([]);
    // Of the call path, no word is cut off.
    const cells = await tab.evaluate<boolean[]>(
      `[...document.querySelectorAll('dialmark-picture')].flatMap((each) => [...each.shadowRoot.querySelectorAll('caption, td')])
         .map((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.scrollHeight > cell.clientHeight + 1)`,
    );
    expect(cells).toContain(false);
    expect(cells).not.toContain(true);
    await openGallery(tab, `${gallery.url}?lang=es&theme=dark&dir=rtl`);
    expect(await overflowing(tab)).toEqual([]);
    // Our sentences are read from the left, in their own order.
    const marks = await tab.evaluate<boolean>(
      `[...document.querySelectorAll('dialmark-picture')].every((each) => { const mark = each.shadowRoot.querySelector('[part=call] i');
         const text = each.shadowRoot.querySelector('[part=state]'); return !mark || (mark.getBoundingClientRect().left < text.getBoundingClientRect().left && getComputedStyle(text).direction === 'ltr'); })`,
    );
    expect(marks).toBe(true);
  });

  test('stays distinguishable in forced colours', async ({ tab, browserUnderTest }) => {
    // Headless Firefox cannot emulate forced colours: there the same is checked with its own colours.
    if (browserUnderTest.name === 'chromium')
      await (tab as ChromiumTab).page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await openGallery(tab, `${gallery.url}?lang=en&theme=light`);
    const seen = await tab.evaluate<boolean>(
      `[...document.querySelectorAll('dialmark-picture')].every((each) => { const root = each.shadowRoot; const mark = root.querySelector('i');
         const section = getComputedStyle(root.querySelector('section'));
         return section.borderTopStyle === 'solid' && (!mark || (getComputedStyle(mark).backgroundColor !== section.backgroundColor)); })`,
    );
    expect(seen).toBe(true);
  });
});

/** @returns one classic-module script; `relay`, `getTicket` and `states` are the page's globals. */
async function bundlePage(source: string): Promise<string> {
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
