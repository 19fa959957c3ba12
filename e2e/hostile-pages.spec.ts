/**
 * Pages that try to have a number dialled that the agent has not read. One row is one page, and says what it tries. All input is
 * real. After each attempt the agent clicks a number on an honest page: only that call shows that the attempt placed none.
 */
import type { Point, Tab } from '../testing/browsers/browser.ts';
import { resetToRelay } from '../testing/extension/ask-background.ts';
import {
  cardState,
  clickNumber,
  hoverText,
  paintedNumbers,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

test.describe.configure({ mode: 'default' });

/** Lines that refuse at once: the number that the pages try to have called, and the agent's. */
const bait = '(48) 3322-9015';
const honest = { text: '(48) 3323-9015', to: '4833239015' };
const abroad = '+49 30 22730027';

const number = `<p style="margin:120px 40px">Fale com <span id="number">${bait}</span> hoje</p>`;
const link = `<a id="link" href="tel:+554833229015">ligar</a>`;
/** Opaque, and lets the pointer through. */
const cover =
  'position:fixed;inset:0;width:100%;height:100%;margin:0;border:0;padding:0;background:#fff;pointer-events:none';
/**
 * Functions for the pages: `over(look)` lays a layer over everything, `topLayer(parent)` one into the top layer.
 * A cover that begins at `belowNumber()` hides our tip and leaves the number readable.
 */
const helpers = `<script>
  const over = (look) => { const layer = document.createElement('div'); layer.id = 'layer'; layer.style.cssText = look; document.body.append(layer); };
  const topLayer = (parent) => { const layer = document.createElement('div'); layer.popover = 'manual'; layer.style.cssText = '${cover}';
    parent.append(layer); layer.showPopover(); return layer; };
  const belowNumber = () => document.querySelector('#number').getBoundingClientRect().bottom + 1 + 'px';
  const closedRoot = () => { const host = document.createElement('div'); document.body.append(host); return host.attachShadow({ mode: 'closed' }); };
  const waitMs = (time) => new Promise((resolve) => setTimeout(resolve, time));
</script>`;

interface Row {
  /** What the page tries. */
  tries: string;
  body: string;
  /** What the agent does there with a hand that trusts the page. */
  act(tab: Tab): Promise<unknown>;
  /** True for the row of a kind that `npm test` runs, too. */
  isFirst?: true;
}

const run = (tab: Tab, script: string) => tab.evaluate(`(async () => { ${script}; return true; })()`);
const readTip = async (tab: Tab, text = bait): Promise<Point> => {
  const at = await hoverText(tab, text);
  await waitUntilClickable(tab);
  return at;
};
/** Reads the tip, lets the page do something, and clicks twice: the second click comes after what the first one changed. */
const clicksAfter = (script: string, text?: string) => async (tab: Tab) => {
  const at = await readTip(tab, text);
  await run(tab, script);
  for (let count = 0; count < 2; count++) {
    await tab.clickAt(at);
    await waitUntilClickable(tab);
  }
};
/**
 * Reads the tip, which the page then keeps covered: for a click straight after it, and for one after a while. The tip is raised
 * again meanwhile, and covered again before it could be read.
 */
const clicksUnder = (script: string) => async (tab: Tab) => {
  const at = await readTip(tab);
  await run(tab, `const coverTip = () => { ${script} }; coverTip(); setInterval(coverTip, 50)`);
  for (let count = 0; count < 2; count++) {
    await tab.clickAt(at);
    await waitUntilClickable(tab);
    await waitUntilClickable(tab);
  }
};
/** Lets the page do something before the pointer comes. */
const clicksBehind = (script: string) => async (tab: Tab) => {
  const at = await tab.pointOfText(bait);
  await run(tab, script);
  await tab.moveTo({ x: at.x + 1, y: at.y });
  await tab.moveTo(at);
  for (let count = 0; count < 2; count++) {
    await waitUntilClickable(tab);
    await tab.clickAt(at);
  }
};
/** Clicks the number abroad, and waits until our question is there: in the page, or on our own page in front of it. */
const askAbroad = async (tab: Tab): Promise<void> => {
  await clickNumber(tab, abroad);
  await until(
    async () => (await cardState(tab)) === 'confirm' || (await tab.evaluate('!document.hasFocus()')),
    'the question',
  );
};
const covers = (name: string, look: string): Row => ({
  tries: `hides the number under ${name}`,
  body: number,
  act: clicksBehind(`over('position:fixed;inset:0 0 50% 0;pointer-events:none;${look}')`),
});

async function pressEnters(tab: Tab): Promise<void> {
  for (let count = 0; count < 3; count++) {
    await tab.press('Enter');
    await waitUntilClickable(tab);
  }
}

const rows: readonly Row[] = [
  {
    tries: 'covers the tip from a closed shadow root',
    body: number,
    act: clicksUnder(`topLayer(closedRoot()).style.top = belowNumber()`),
    isFirst: true,
  },
  {
    tries: 'covers the tip with an inert popover in a closed shadow root',
    body: number,
    act: clicksUnder(
      `const layer = topLayer(closedRoot()); layer.inert = true; layer.style.pointerEvents = 'auto'; layer.style.top = belowNumber()`,
    ),
  },
  {
    tries: 'covers the tip with a popover outside of a modal dialog',
    body: `<dialog style="margin:80px 40px;border:0">${number}</dialog><script>document.querySelector('dialog').showModal()</script>`,
    act: clicksUnder(
      `const layer = topLayer(closedRoot()); layer.style.pointerEvents = 'auto'; layer.style.top = belowNumber()`,
    ),
  },
  {
    tries: 'puts a popover on top again, unnoticed',
    body: `<script>addEventListener('beforetoggle', (event) => event.stopImmediatePropagation(), true)</script>${number}`,
    act: async (tab) => {
      await run(tab, `window.layer = topLayer(document.body); layer.style.top = '100%'`);
      await clicksUnder(`layer.hidePopover(); layer.style.top = belowNumber(); layer.showPopover()`)(tab);
    },
  },
  {
    tries: 'covers the tip with the shadow of an empty popover in a closed root',
    body: number,
    act: clicksUnder(
      `const layer = topLayer(closedRoot()); layer.style.cssText = 'position:fixed;inset:0;margin:0;width:0;height:0;border:0;padding:0;pointer-events:none';
      layer.style.boxShadow = '0 3000px 0 3000px #fff'; layer.style.top = belowNumber()`,
    ),
  },
  {
    tries: 'covers the tip with a pseudo-element of a popover in a closed root',
    body: number,
    act: clicksAfter(
      `const root = closedRoot(); root.innerHTML = '<style>div::after{content:"";${cover}}</style>'; const layer = topLayer(root); layer.style.cssText = 'position:fixed;width:0;height:0;border:0;padding:0;pointer-events:none;overflow:visible'`,
    ),
  },
  {
    tries: 'covers the tip with a view transition',
    body: `<style>::view-transition{pointer-events:none;background:#fff}::view-transition-group(*),::view-transition-old(*),::view-transition-new(*){animation-duration:100s;animation-delay:0s}</style>${number}`,
    act: clicksAfter(`document.startViewTransition?.(() => {}); await waitMs(200)`),
  },
  {
    tries: 'freezes the page in the picture of a view transition',
    body: `<style>::view-transition{pointer-events:none}</style>${number}`,
    act: async (tab) => {
      const at = await tab.pointOfText(bait);
      await tab.moveTo({ x: at.x, y: at.y + 200 });
      await run(tab, `document.startViewTransition?.(() => waitMs(3000)); await waitMs(100)`);
      await tab.gesture([
        { move: { x: at.x + 1, y: at.y } },
        { move: at },
        { waitMs: 700 },
        { down: 0 },
        { up: 0 },
        { waitMs: 500 },
      ]);
    },
  },
  {
    tries: 'writes beside the tip with a pseudo-element of our own element',
    body: `<style>dialmark-overlay::before,dialmark-overlay::after{content:"Call +55 11 2222-1111"!important;${cover.replaceAll(';', '!important;')}!important;display:block!important}</style>${number}`,
    async act(tab) {
      await readTip(tab);
      const contents = await tab.evaluate(
        `['::before', '::after'].map((name) => getComputedStyle(document.querySelector('dialmark-overlay'), name).display)`,
      );
      expect(contents).toEqual(['none', 'none']);
    },
  },
  covers('a layer that is nearly opaque', 'background:rgb(255 255 255 / .97)'),
  covers('an opaque layer of little transparency', 'background:#fff;opacity:.98'),
  covers('a blurring layer', 'backdrop-filter:blur(20px)'),
  {
    tries: 'hides the number under ten thin layers',
    body: number,
    act: clicksBehind(
      `for (let count = 0; count < 10; count++) over('position:fixed;inset:0 0 50% 0;pointer-events:none;background:rgb(255 255 255 / .3)')`,
    ),
  },
  {
    tries: 'hides the number under the shadow of something else',
    body: number,
    act: clicksBehind(
      `over('position:fixed;left:0;top:0;width:1px;height:1px;pointer-events:none;box-shadow:0 0 0 3000px #fff')`,
    ),
  },
  {
    tries: 'hides the number under an inner shadow',
    body: number,
    act: clicksBehind(
      `over('position:fixed;inset:0 0 50% 0;pointer-events:none;box-shadow:inset 0 0 0 3000px #fff')`,
    ),
  },
  {
    tries: 'moves the number under the resting pointer, for two clicks 620 ms apart',
    body: number,
    isFirst: true,
    async act(tab) {
      const { x, y } = await tab.pointOfText(bait);
      const rest = { x, y: y + 200 };
      await tab.moveTo({ x: rest.x + 1, y: rest.y });
      await tab.moveTo(rest);
      await run(tab, `document.querySelector('p').style.cssText += ';position:relative;top:200px'`);
      await waitUntilClickable(tab);
      await tab.gesture([
        { down: 0 },
        { up: 0 },
        { waitMs: 620 },
        { down: 0 },
        { up: 0 },
        { waitMs: 620 },
        { down: 0 },
        { up: 0 },
      ]);
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'puts the number in the place of its button, which is clicked several times',
    body: `<button id="next" style="position:absolute;left:40px;top:300px;width:300px;height:30px">Próximo</button>${number}
      <script>document.querySelector('#next').onclick = ({ currentTarget }) => {
        currentTarget.remove();
        document.querySelector('p').style.cssText = 'position:absolute;left:40px;top:300px;margin:0';
      }</script>`,
    async act(tab) {
      const { x, y } = await tab.pointOfText(bait);
      const button = { x, y: y + 185 };
      await tab.moveTo({ x: button.x + 1, y: button.y });
      await tab.clickAt(button);
      await until(async () => Math.abs((await tab.pointOfText(bait)).y - button.y) < 15, 'the number there');
      await waitUntilClickable(tab);
      await tab.gesture([{ down: 0 }, { up: 0 }, { waitMs: 620 }, { down: 0 }, { up: 0 }]);
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'scrolls the number under the resting pointer',
    body: `<p style="height:400px"></p>${number}<p style="height:2000px"></p>`,
    async act(tab) {
      await tab.evaluate('scrollTo(0, 0)');
      const at = { x: 160, y: 200 };
      await tab.moveTo({ x: at.x + 1, y: at.y });
      await tab.moveTo(at);
      await run(
        tab,
        `const { top, left } = document.querySelector('#number').getBoundingClientRect();
        document.querySelector('#number').style.cssText = 'position:relative;left:' + (140 - left) + 'px'; scrollBy(0, top - 192)`,
      );
      await waitUntilClickable(tab);
      await tab.gesture([{ down: 0 }, { up: 0 }, { waitMs: 620 }, { down: 0 }, { up: 0 }]);
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'has Enter in its text field press a button inside a telephone link',
    body: `<form onsubmit="window.submitted = true; return false"><input id="field"><a href="tel:+554833229015"><button>ir</button></a></form>`,
    isFirst: true,
    async act(tab) {
      for (let count = 0; count < 3; count++) {
        await tab.click('#field');
        await tab.press('Enter');
        await waitUntilClickable(tab);
      }
      expect(await tab.evaluate('window.submitted')).toBe(true);
    },
  },
  {
    tries: 'takes the focus to a telephone link, for Enter twice 120 ms apart',
    body: `<input id="field">${link}`,
    isFirst: true,
    async act(tab) {
      // The link's number is known, as after a first visit.
      await hoverText(tab, 'ligar');
      await tab.click('#field');
      await run(
        tab,
        `document.querySelector('#field').addEventListener('keydown', () => document.querySelector('#link').focus())`,
      );
      await tab.press('x');
      await tab.press('Enter');
      await tab.gesture([{ waitMs: 120 }]);
      await tab.press('Enter');
      await waitUntilClickable(tab);
      await tab.press('Enter');
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'takes the focus back to a telephone link whenever Tab leaves it',
    body: `<input id="field">${link}<input id="after">`,
    async act(tab) {
      await hoverText(tab, 'ligar');
      await run(
        tab,
        `document.querySelector('#after').addEventListener('focus', () => document.querySelector('#link').focus())`,
      );
      await tab.click('#field');
      await tab.press('Tab');
      await tab.press('Tab');
      await waitUntilClickable(tab);
      await tab.press('Enter');
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'puts the focus on our skip link while our tip opens',
    body: `<input id="field">${number}`,
    async act(tab) {
      await tab.click('#field');
      const focusOurs = `({ target }) => target.localName === 'dialmark-overlay' && target.focus()`;
      await run(tab, `addEventListener('beforetoggle', ${focusOurs}, true)`);
      await readTip(tab);
      await pressEnters(tab);
    },
  },
  {
    tries: 'puts the focus on our skip link while the agent types',
    body: `<input id="field">${number}`,
    async act(tab) {
      await readTip(tab);
      await tab.click('#field');
      // Firefox has no skip link here, as its shortcuts are set. The focus then stays in the field.
      await run(tab, `document.querySelector('dialmark-overlay').focus()`);
      await pressEnters(tab);
    },
  },
  {
    tries: 'presses a telephone link by the access key of another',
    body: `<label for="target">x</label><a id="target" accesskey="q" href="tel:+554833229015">ligar</a>`,
    async act(tab) {
      await tab.press('Alt+Shift+q');
      await tab.press('Alt+q');
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'replaces the number under a finger between two taps',
    body: number,
    async act(tab) {
      const at = await tab.pointOfText(bait);
      await run(tab, `document.querySelector('#number').firstChild.data = '(48) 3322-4400'`);
      await until(async () => (await paintedNumbers(tab)).includes('(48) 3322-4400'), 'the other number');
      const tap = [{ move: at }, { down: 0 }, { waitMs: 30 }, { up: 0 }] as const;
      await tab.gesture(tap, 'touch');
      await until(() => partOf(tab, 'call'), 'the button in the tip');
      await waitUntilClickable(tab);
      await run(
        tab,
        `addEventListener('pointerdown', () => { document.querySelector('#number').firstChild.data = '${bait}'; }, { capture: true, once: true })`,
      );
      await tab.gesture(tap, 'touch');
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'takes the number away while the agent is on another page',
    body: `${number}<script>addEventListener('pageshow', (event) => {
      const isBack = event.persisted || performance.getEntriesByType('navigation')[0].type === 'back_forward';
      if (isBack) document.querySelector('#number').textContent = 'nada aqui'; })</script>`,
    async act(tab) {
      const at = await readTip(tab);
      await tab.goto(pages.url('/honest'));
      await tab.evaluate('setTimeout(() => history.back())');
      const isBack = `document.querySelector('#number')?.textContent === 'nada aqui'`;
      await until(() => tab.evaluate<boolean>(isBack).catch(() => false), 'the page before');
      await tab.clickAt(at);
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'shows something else on the full screen',
    body: `<div id="full" style="background:#fff">.</div>${number}<script>addEventListener('keydown', () =>
      document.querySelector('#full').requestFullscreen().catch(() => over('position:fixed;inset:0;background:#fff')))</script>`,
    async act(tab) {
      const at = await readTip(tab);
      await tab.press('f');
      for (let count = 0; count < 2; count++) {
        await waitUntilClickable(tab);
        await tab.clickAt(at);
      }
      await run(tab, 'if (document.fullscreenElement) await document.exitFullscreen()');
    },
  },
  {
    tries: 'covers our question about a number abroad from a closed shadow root',
    body: `<p style="margin:120px 40px">Berlin ${abroad}</p>`,
    isFirst: true,
    async act(tab) {
      await askAbroad(tab);
      await waitUntilClickable(tab);
      await run(tab, `topLayer(closedRoot())`);
      for (let count = 0; count < 2; count++) {
        if (!(await partOf(tab, 'yes'))) break;
        await tab.clickInOverlay({ selector: { attribute: ['class', 'yes'] } });
        await waitUntilClickable(tab);
      }
    },
  },
  {
    tries: 'uncovers our question about a number abroad only at the press',
    body: `<p style="margin:120px 40px">Berlin ${abroad}</p>`,
    async act(tab) {
      await askAbroad(tab);
      await run(
        tab,
        `const layer = topLayer(closedRoot()); addEventListener('pointerdown', () => layer.remove(), true)`,
      );
      await waitUntilClickable(tab);
      if (await partOf(tab, 'yes')) await tab.clickInOverlay({ selector: { attribute: ['class', 'yes'] } });
      await waitUntilClickable(tab);
    },
  },
  {
    tries: 'locks the pointer over the number',
    body: `<div id="game" style="position:absolute;left:400px;top:300px;width:200px;height:100px">.</div>${number}
      <script>document.querySelector('#game').onclick = ({ currentTarget }) => currentTarget.requestPointerLock()</script>`,
    async act(tab) {
      await tab.pointOfText(bait);
      await tab.moveTo({ x: 449, y: 350 });
      await tab.clickAt({ x: 450, y: 350 });
      await until(() => tab.evaluate('document.pointerLockElement !== null'), 'the lock');
      await run(
        tab,
        `document.querySelector('p').style.cssText = 'position:absolute;margin:0;left:370px;top:340px'`,
      );
      for (const x of [459, 468, 477]) {
        await tab.moveTo({ x, y: 350 });
        await waitUntilClickable(tab);
        await tab.gesture([{ down: 0 }, { up: 0 }]);
      }
      await run(tab, 'document.exitPointerLock()');
    },
  },
  {
    tries: 'searches for the words of our tip',
    body: number,
    async act(tab) {
      await readTip(tab);
      await tab.openOverlay();
      expect(await tab.evaluate(`find('Fale com', false, false, true)`)).toBe(true);
      const found = await tab.evaluate(`(() => {
        const words = [...document.querySelector('dialmark-overlay').shadowRoot.querySelectorAll('[data-words]')];
        return words.map(({ dataset }) => [dataset.words, find(dataset.words, false, false, true)]); })()`);
      expect(found).toContainEqual(['Your phone rings first, then this number.', false]);
      expect(found).not.toContainEqual([expect.stringMatching(/./), true]);
    },
  },
];

/** Covers the tip at the first press; `raisedAt` is when our element was first put above that, in ms since 1970. */
const coverAtPress = `
  const onRaise = ({ newState }) => { if (newState === 'open') window.raisedAt ??= Date.now(); };
  const coverTip = () => { topLayer(closedRoot()).style.top = belowNumber(); addEventListener('beforetoggle', onRaise, true); };
  addEventListener('pointerdown', coverTip, { capture: true, once: true });`;

let pages: ServedPages;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/honest': html(`<p style="margin:120px 40px">ou ${honest.text}</p>`),
    ...Object.fromEntries(rows.map(({ body }, index) => [`/${index}`, html(helpers + body)])),
    '/raised': html(`${helpers}${number}<script>${coverAtPress}</script>`),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

for (const [index, { tries, act, isFirst }] of rows.entries())
  test(`no call is placed where a page ${tries}${isFirst ? '' : ' @exhaustive'}`, async ({ calls, tab }) => {
    await tab.goto(pages.url(`/${index}`));
    await tab.activate();
    await act(tab);
    await tab.goto(pages.url('/honest'));
    await calls.expectOnly(() => clickNumber(tab, honest.text), honest.to);
  });

test('a page that covers the tip at the press gets one call, once the tip was raised to be read @exhaustive', async ({
  workstation,
  calls,
  tab,
}) => {
  await tab.goto(pages.url('/raised'));
  const placed = workstation.sandbox.calls;
  const before = placed.length;
  const at = await readTip(tab);
  const asksAgain = async () => /3322-9015.*again/.test((await partOf(tab, 'tip'))?.text ?? '');
  const act = async () => {
    await tab.clickAt(at);
    // A browser may report the cover before the button is up: then the press waits for the raised tip to be read.
    await until(
      async () => placed.length > before || asksAgain(),
      'the call, or the tip that asks for a click',
    );
    if (placed.length > before) return;
    await waitUntilClickable(tab);
    await tab.clickAt(at);
  };
  await calls.expectOnly(act, '4833229015');
  const dialledAt = Date.parse(placed.at(-1)!.at);
  expect(dialledAt - (await tab.evaluate<number>('raisedAt'))).toBeGreaterThanOrEqual(300);
});
