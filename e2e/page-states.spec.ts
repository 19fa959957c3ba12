/** Every state of the extension's pages, from its gallery: axe in light and dark, 320 px wide with text twice as large. */
import { buildGallery, pages } from '../extension/gallery/serve.ts';
import type { Tab } from '../testing/browsers/browser.ts';
import { axeSource } from '../testing/extension/axe.ts';
import { framesAfter } from '../testing/extension/marked-numbers.ts';
import { type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { test as base, expect } from './fixtures.ts';

const test = base.extend<object, { gallery: ServedPages }>({
  gallery: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
    async ({}, use) => {
      const gallery = await servePages(await buildGallery());
      await use(gallery);
      gallery.close();
    },
    { scope: 'worker' },
  ],
});

/**
 * What axe finds in each frame, one line each. Contrast takes it most of the time, so that is looked for once in what the
 * frames have in common: `seen` holds what was looked at.
 */
const violations = (theme: string) => `(async () => {
  const contrast = ['color-contrast', 'link-in-text-block'];
  const seen = new Set();
  const unseen = (part, depth) => {
    if (seen.has(part.outerHTML)) return [];
    const isWhole = depth === 0 || part.childElementCount === 0;
    if (!isWhole) return [...part.children].flatMap((child) => unseen(child, depth - 1));
    seen.add(part.outerHTML);
    return [part];
  };
  const found = [];
  for (const { title, contentWindow } of document.querySelectorAll('iframe')) {
    const { document, axe } = contentWindow;
    const root = document.documentElement;
    root.dataset.theme = '${theme}';
    const runs = [];
    // What differs first: an element that is replaced later is looked at while it is there.
    const parts = unseen(document.body, 5);
    if (parts.length > 0) runs.push([{ include: parts }, { runOnly: contrast }]);
    if ('${theme}' === 'light') runs.push([document, { rules: Object.fromEntries(contrast.map((rule) => [rule, { enabled: false }])) }]);
    for (const [context, options] of runs)
      for (const { id, nodes } of (await axe.run(context, { resultTypes: ['violations'], ...options })).violations)
        found.push(...nodes.map(({ html, failureSummary }) => title + ': ' + id + ' ' + html + ' ' + failureSummary));
    if (root.scrollWidth > root.clientWidth) found.push(title + ': wider than its window by ' + (root.scrollWidth - root.clientWidth));
  }
  return found;
})()`;

/** Names of controls that overlap or touch another one, or whose words touch their own border. */
const touching = `(() => {
  const name = (element) => element.ariaLabel ?? element.textContent;
  const box = (element) => element.getBoundingClientRect();
  const gap = (one, other) => Math.max(
    one.left - other.right, other.left - one.right, one.top - other.bottom, other.top - one.bottom);
  const touchesOwnBorder = (control) => {
    const words = document.createRange();
    words.selectNodeContents(control);
    const hasBorder = getComputedStyle(control).borderInlineStartStyle !== 'none';
    return hasBorder && words.getBoundingClientRect().left - box(control).left < 2;
  };
  const controls = [...document.querySelectorAll('button, select, input, textarea')].filter((one) => one.checkVisibility());
  const apart = (one) => controls.every((other) =>
    one === other || one.contains(other) || other.contains(one) || gap(box(one), box(other)) >= 2);
  return [
    ...controls.filter((one) => !apart(one)),
    ...controls.filter((one) => one.localName === 'button' && touchesOwnBorder(one)),
  ].map(name);
})()`;

test('forced colours give the buttons of the popup borders that touch nothing', async ({
  browserUnderTest,
  gallery,
  tab,
}) => {
  await browserUnderTest.setForcedColors(true);
  await tab.goto(gallery.url('/extension/pages/popup/index.html?state=Filled&theme=light&lang=en'));
  await until(() => tab.count('[data-reached] .numbers button'), 'the filled popup');
  expect(await tab.evaluate<string[]>(touching)).toEqual([]);
  await browserUnderTest.setForcedColors(false);
});

/** Names in Hebrew that are not above the beginning of their number. */
const strayNames = `[...document.querySelectorAll('#recent .callee-name')].filter((name) => {
  name.textContent = 'אבי כהן (2)';
  const left = (element) => {
    const words = document.createRange();
    words.selectNodeContents(element);
    return words.getBoundingClientRect().left;
  };
  return Math.abs(left(name) - left(name.nextElementSibling)) > 2;
}).length`;

test('a name that is written from right to left stays at its number', async ({ gallery, tab }) => {
  const state = encodeURIComponent('Known number: talked');
  await tab.goto(gallery.url(`/extension/pages/popup/index.html?state=${state}&theme=light&lang=en`));
  await until(() => tab.count('[data-reached] #recent .callee-name'), 'the names');
  expect(await tab.evaluate<number>(strayNames)).toBe(0);
});

test('each line of a note has the direction of its own language', async ({ gallery, tab }) => {
  await tab.goto(gallery.url('/extension/pages/popup/index.html?state=Filled&theme=light&lang=en'));
  await until(() => tab.count('[data-reached] textarea'), 'the filled popup');
  const direction = `getComputedStyle(document.querySelector('textarea')).unicodeBidi`;
  expect(await tab.evaluate<string>(direction)).toBe('plaintext');
});

test('the whole note of a callback can be read with large text', async ({ gallery, tab }) => {
  await tab.setViewport({ width: 320, height: 600 });
  await tab.goto(gallery.url('/extension/pages/popup/index.html?state=Callbacks&theme=light&lang=en'));
  await until(() => tab.count('[data-reached] .callback'), 'the callbacks');
  const cutNotes = `(() => {
    document.documentElement.style.fontSize = '200%';
    return [...document.querySelectorAll('.callback-note')]
      .filter((note) => note.textContent.length > 0 && note.scrollHeight > note.clientHeight)
      .map((note) => note.textContent);
  })()`;
  expect(await tab.evaluate<string[]>(cutNotes)).toEqual([]);
});

test('a long note of a callback is scrolled by keyboard', async ({ gallery, tab }) => {
  await tab.goto(gallery.url('/extension/pages/popup/index.html?state=Callbacks&theme=light&lang=en'));
  await until(() => tab.count('[data-reached] .callback .hand-over'), 'the callbacks');
  const note = `document.querySelector('.callback-note')`;
  await tab.evaluate(`${note}.textContent = 'Ask for Ana. '.repeat(700)`);
  await tab.click('.callback .hand-over');
  await until(async () => {
    await tab.press('Shift+Tab');
    return tab.evaluate<boolean>(`document.activeElement === ${note}`);
  }, 'the focus in the note');
  await tab.press('ArrowDown');
  await until(() => tab.evaluate<boolean>(`${note}.scrollTop > 0`), 'the next lines of the note');
});

/** Goes through the page by this key. Returns the controls that get the focus, but lie behind the bar. */
async function controlsBehind(bar: string, tab: Tab, key: string): Promise<string[]> {
  const behind: string[] = [];
  for (let stop = 0; stop < 45; stop++) {
    await tab.press(key);
    // Firefox scrolls to the focused control with the next frame.
    await framesAfter(tab, 0);
    const hidden = await tab.evaluate<string>(`(() => {
      const { activeElement: focused } = document;
      const bar = document.querySelector('${bar}');
      const { x, y, width, height } = focused.getBoundingClientRect();
      const isBehind = height > 8 && [y + 2, y + height - 2].some((edge) =>
        bar.contains(document.elementFromPoint(x + width / 2, edge)));
      return isBehind && !focused.contains(bar) && !bar.contains(focused) ? focused.outerHTML.slice(0, 80) : '';
    })()`);
    if (hidden !== '') behind.push(hidden);
  }
  return behind;
}

for (const [page, state, bar] of [
  ['popup', 'Filled', '.bar'],
  ['options', 'Not saved, with a problem', '.save-bar'],
] as const)
  test(`at 400 % zoom the bar of the ${page} page lies over no focused control`, async ({ gallery, tab }) => {
    await tab.setViewport({ width: 320, height: 256 });
    const query = `state=${encodeURIComponent(state)}&theme=light&lang=en`;
    await tab.goto(gallery.url(`/extension/pages/${page}/index.html?${query}`));
    await until(() => tab.count('[data-reached]'), 'the state of the page');
    await tab.click(page === 'popup' ? '#dial-input' : '#agent-from');
    expect(await controlsBehind(bar, tab, 'Tab')).toEqual([]);
    expect(await controlsBehind(bar, tab, 'Shift+Tab')).toEqual([]);
  });

for (const page of pages)
  test(`axe finds nothing in any state of the ${page} page: narrow, large text, light, dark @exhaustive`, async ({
    gallery,
    tab,
  }) => {
    await tab.goto(gallery.url(`/extension/gallery/sheet.html?page=${page}&width=320&zoom=2`));
    await until(
      async () => (await tab.count('iframe')) > 0 && (await tab.count('iframe:not([data-shown])')) === 0,
      `all states of the ${page} page`,
    );
    await tab.evaluate(
      `(() => { for (const frame of document.querySelectorAll('iframe')) frame.contentWindow.eval(${JSON.stringify(axeSource)}); })()`,
    );
    for (const theme of ['light', 'dark'])
      expect(await tab.evaluate<string[]>(violations(theme)), theme).toEqual([]);
    // The recording that one state plays has no server.
    expect(tab.errors().filter((error) => !error.includes('ERR_NAME_NOT_RESOLVED'))).toEqual([]);
    // The settings page asks before it is left with changes; without its frames nothing asks.
    await tab.evaluate(`document.querySelectorAll('iframe').forEach((frame) => frame.remove())`);
  });
