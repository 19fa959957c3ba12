/** The widget in React, Vue and Svelte; and its pictures: for screen readers, by keyboard, large, in forced colours, from right to left. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Tab } from '../testing/browsers/browser.ts';
import type { ChromiumTab } from '../testing/browsers/chromium.ts';
import { until } from '../testing/until.ts';
import { startGallery } from '../widget/gallery/serve.ts';
import { states } from '../widget/gallery/states.ts';
import { test as base, expect } from './fixtures.ts';
import { bundlePage, frameworkPages } from './widget/framework-pages.ts';
import { connects, inWidget, shows } from './widget/look.ts';
import { aCall, ended, type Stage, startStage, widgetTag } from './widget/stage.ts';

const test = base.extend<{ stage: Stage }, { gallery: Awaited<ReturnType<typeof startGallery>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
  stage: async ({}, use) => {
    const stage = await startStage();
    await use(stage);
    await stage.close();
  },
  gallery: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const gallery = await startGallery();
      await use(gallery);
      gallery.close();
    },
    { scope: 'worker' },
  ],
});

for (const [framework, source] of Object.entries(frameworkPages))
  test(`${framework} sets its attributes, its property and its events`, async ({ stage, tab }) => {
    stage.file('/page.js', await bundlePage(source), 'text/javascript');
    await tab.goto(
      stage.page(
        '/',
        `<div id="app"></div><script>window.relay = ${JSON.stringify(stage.relay.url)}; window.told = [];
         window.getTicket = async () => (await (await fetch('/ticket')).json()).ticket;</script>
         <script type="module" src="/widget.js"></script><script type="module" src="/page.js"></script>`,
      ),
    );
    await connects(tab);
    const call = aCall();
    stage.relay.push(call);
    await shows(tab, 'Ringing your phone, then (48) 3322-4455');
    await tab.click('#spanish');
    await shows(tab, 'Suena su teléfono, después (48) 3322-4455');
    stage.relay.push(ended(call));
    await until(() => tab.evaluate('told.length === 2'), 'both events');
    expect(await tab.evaluate('told')).toEqual(['callingCaller', 'disconnected']);
    await tab.click('#remove');
    await until(() => stage.relay.streams.size === 0, 'no stream any more');
    expect(tab.errors().filter((error) => !error.includes('404'))).toEqual([]);
  });

test('a keyboard is enough: dialling, opening a call that is over, leaving', async ({ stage, tab }) => {
  const past = ended(aCall({ createdAt: '2026-01-01T00:00:00Z' }));
  stage.relay.history = [ended(aCall()), past];
  await tab.goto(
    stage.page(
      '/',
      `<script type="module" src="/widget.js"></script>${widgetTag(stage, 'mode="dial"')}<button id="after">after</button>`,
    ),
  );
  await shows(tab, 'Recent calls');
  const focused = () => inWidget<string>(tab, `root.activeElement?.tagName ?? document.activeElement.id`);
  const walked: string[] = [];
  for (let step = 0; step < 8 && walked.at(-1) !== 'after'; step++) {
    await tab.press('Tab');
    const next = async () => {
      const now = await focused();
      return now !== '' && now !== walked.at(-1) && now;
    };
    walked.push(await until(next, `the focus to leave ${walked.at(-1) ?? 'the page'}`));
    if (walked.at(-1) === 'SUMMARY') {
      await tab.press('Enter');
      await until(() => inWidget<boolean>(tab, `root.querySelector('details').open`), 'the opened call');
    }
  }
  expect(walked).toEqual(['INPUT', 'BUTTON', 'SUMMARY', 'after']);
});

test.describe('every picture', () => {
  const openGallery = async (tab: Tab, address: string) => {
    await tab.goto(address);
    await until(() => tab.attribute('html', 'data-drawn'), 'the gallery');
  };
  /** Widgets that are wider than what they stand in, by name. */
  const overflowing = (tab: Tab) =>
    tab.evaluate<string[]>(
      `[...document.querySelectorAll('dialmark-picture')].filter((each) => { const section = each.shadowRoot.querySelector('section');
         return section.scrollWidth > section.clientWidth + 1 || each.scrollWidth > each.parentElement.clientWidth + 1; })
         .map((each) => each.previousSibling.textContent)`,
    );

  for (const theme of ['light', 'dark'])
    for (const language of ['en', 'pt-BR', 'es'])
      test(`passes axe, ${theme}, in ${language}`, async ({ gallery, tab }) => {
        await openGallery(tab, `${gallery.url}?lang=${language}&theme=${theme}`);
        expect(await tab.count('dialmark-picture')).toBe(states.length);
        const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
        // The gallery's own page repeats its landmarks; what is judged is what stands in the widgets.
        const broken = await tab.evaluate<string[]>(
          `(async () => { ${axe};
             const { violations } = await axe.run(document, { rules: { 'page-has-heading-one': { enabled: false }, region: { enabled: false },
               'landmark-unique': { enabled: false }, 'landmark-no-duplicate-main': { enabled: false }, 'landmark-main-is-top-level': { enabled: false } } });
             return violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ': ' + node.html.slice(0, 200) + ' ' + node.failureSummary)); })()`,
        );
        expect([...new Set(broken)].slice(0, 10)).toEqual([]);
      });

  test('fits its place when text is twice as large, when it is narrow, and from right to left', async ({
    gallery,
    tab,
  }) => {
    await openGallery(tab, `${gallery.url}?lang=pt-BR&theme=light`);
    expect(await overflowing(tab)).toEqual([]);
    await tab.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await overflowing(tab)).toEqual([]);
    await tab.evaluate(`document.querySelector('main').style.gridTemplateColumns = '15rem'`);
    expect(await overflowing(tab)).toEqual([]);
    await openGallery(tab, `${gallery.url}?lang=es&theme=dark&dir=rtl`);
    expect(await overflowing(tab)).toEqual([]);
    // The mark stands at the side where reading starts.
    const marks = await tab.evaluate<boolean>(
      `[...document.querySelectorAll('dialmark-picture')].every((each) => { const mark = each.shadowRoot.querySelector('[part=call] i');
         const text = each.shadowRoot.querySelector('[part=state]'); return !mark || mark.getBoundingClientRect().left > text.getBoundingClientRect().left; })`,
    );
    expect(marks).toBe(true);
  });

  test('can be told apart in forced colours', async ({ gallery, tab, browserUnderTest }) => {
    // Headless Firefox has no word for forced colours in its protocol: there the same is asked of the colours it has.
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
