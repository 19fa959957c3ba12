/**
 * Pages that try to place a call the agent did not ask for, or to read what is not theirs. After each attempt the agent clicks
 * one honest number: that only its call was placed shows that the attempt placed none.
 */
import type { Tab } from '../testing/browsers/browser.ts';
import { resetToRelay } from '../testing/extension/ask-background.ts';
import {
  clickNumber,
  hoverText,
  paintedNumbers,
  partOf,
  pointAtNumber,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, type StoryCalls, test } from './fixtures.ts';

test.describe.configure({ mode: 'default' });

/** The number that the page tries to have called, and the agent's, whose line is refused at once. */
const bait = '(48) 3322-4455';
const honest = { text: '(48) 3322-9015', to: '4833229015' };
const page =
  html(`<p id="bait">Fale com <span id="number">${bait}</span> hoje</p><p><a id="link" href="tel:+554833224466">ligar</a></p>
  <p style="margin-top:300px" id="honest">ou ${honest.text}</p>`);

/** Paints over the whole page, and lets clicks through. */
const coverAll = `const cover = document.createElement('div'); cover.popover = 'manual';
  cover.style.cssText = 'position:fixed;inset:0;width:100%;height:100%;margin:0;border:0;padding:0;background:#fff;pointer-events:none';
  document.body.append(cover); cover.showPopover();`;

let pages: ServedPages;

test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/': page,
    '/named': page.replace(
      '<body',
      `<script>customElements.define('dialmark-overlay', class extends HTMLElement {
        constructor() { super(); try { this.own = this.attachInternals(); } catch {} window.made = this; }
        connectedCallback() { window.seen = this.own?.shadowRoot ?? null; } });</script><body`,
    ),
    '/framing': html(
      `<p>${honest.text}</p><iframe id="frame" style="width:600px;height:200px;border:0"></iframe>`,
    ),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

async function nothingButTheHonestCall(calls: StoryCalls, tab: Tab): Promise<void> {
  await calls.expectOnly(() => clickNumber(tab, honest.text), honest.to);
}

/** Opens the hostile page and waits for its marks. */
async function openMarked(tab: Tab): Promise<void> {
  await tab.goto(pages.url('/'));
  await until(async () => (await paintedNumbers(tab)).length === 2, 'the marks');
}

test('untrusted or redispatched events of the page dial nothing', async ({ calls, tab }) => {
  await tab.goto(pages.url('/'));
  const at = await hoverText(tab, bait);
  await waitUntilClickable(tab);
  await tab.evaluate(`(() => {
    const host = document.querySelector('dialmark-overlay');
    const targets = [host, document.querySelector('#number'), document.querySelector('#link'), document, window];
    const point = { bubbles: true, composed: true, cancelable: true, clientX: ${at.x}, clientY: ${at.y}, button: 0, detail: 1 };
    document.querySelector('#link').addEventListener('click', (event) => event.preventDefault());
    for (const target of targets) {
      target.click?.();
      for (const type of ['pointermove', 'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        target.dispatchEvent(new PointerEvent(type, point));
      for (const key of ['Enter', ' ']) target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
    }
    // A real click elsewhere, redispatched to our element: it is no longer trusted.
    addEventListener('click', (event) => { if (event.isTrusted) setTimeout(() => host.dispatchEvent(event)); }, { once: true });
    for (const type of ['content.dial', 'background.dialFocused', 'background.call'])
      postMessage({ type, text: '${bait}', contextWords: 'phone', shown: { display: '${bait}', to: '${bait}' }, click: 'AAAAAAAAAAAAAAAAAAAAAA' }, '*');
    return true; })()`);
  await tab.clickAt({ x: at.x, y: at.y + 150 });
  await nothingButTheHonestCall(calls, tab);
});

test('a page that changes the highlight registry adds no number, disables none @exhaustive', async ({
  calls,
  tab,
}) => {
  await openMarked(tab);
  await tab.evaluate(`(() => {
    const word = document.createElement('p'); word.id = 'word'; word.textContent = 'clique aqui'; document.body.append(word);
    const range = new Range(); range.selectNodeContents(word);
    CSS.highlights.get('dialmark-number').add(range);
    return true; })()`);
  const at = await tab.pointOfText('clique aqui');
  await tab.moveTo(at);
  await waitUntilClickable(tab);
  await tab.clickAt(at);
  expect(await partOf(tab, 'tip')).toBeUndefined();
  await tab.evaluate('CSS.highlights.clear()');
  await nothingButTheHonestCall(calls, tab);
});

test('a number that is replaced on pointerdown is not called', async ({ calls, tab }) => {
  await tab.goto(pages.url('/'));
  const at = await hoverText(tab, bait);
  await waitUntilClickable(tab);
  await tab.evaluate(`(() => { const swap = () => { document.querySelector('#number').firstChild.data = '(48) 3322-4466'; };
    for (const type of ['pointerdown', 'mousedown', 'click']) addEventListener(type, swap, { capture: true, once: true }); return true; })()`);
  await tab.clickAt(at);
  await nothingButTheHonestCall(calls, tab);
});

test('a number that moves under the pointer just before the click is not called @exhaustive', async ({
  calls,
  tab,
}) => {
  await openMarked(tab);
  const at = await tab.pointOfText('Fale com');
  await tab.moveTo({ x: at.x, y: at.y + 200 });
  await tab.evaluate(`(() => { const number = document.querySelector('#number');
    addEventListener('pointerdown', () => { number.style.cssText = 'position:fixed;left:${at.x - 30}px;top:${at.y + 190}px'; }, { capture: true, once: true }); return true; })()`);
  await tab.clickAt({ x: at.x, y: at.y + 200 });
  await nothingButTheHonestCall(calls, tab);
});

test('a covered or invisible number cannot be clicked', async ({ calls, tab }) => {
  await openMarked(tab);
  const at = await tab.pointOfText(bait);
  for (const change of [
    `const cover = document.createElement('div'); cover.id = 'cover'; cover.style.cssText = 'position:fixed;inset:0 0 60% 0;background:#fff'; document.body.append(cover)`,
    `document.querySelector('#cover').remove(); document.querySelector('#bait').style.opacity = 0`,
    `document.querySelector('#bait').style.cssText = 'visibility:hidden'`,
    `document.querySelector('#bait').style.cssText = 'pointer-events:none'`,
  ]) {
    await tab.evaluate(`(() => { ${change}; return true; })()`);
    await tab.moveTo({ x: at.x + 1, y: at.y });
    await tab.moveTo(at);
    await waitUntilClickable(tab);
    expect(await partOf(tab, 'tip'), change).toBeUndefined();
    await tab.clickAt(at);
  }
  await nothingButTheHonestCall(calls, tab);
});

test('the page cannot hide or move our element by style; a removed element takes no click', async ({
  calls,
  tab,
}) => {
  await tab.goto(pages.url('/'));
  const at = await hoverText(tab, bait);
  const looks = await tab.evaluate<string[]>(`(() => {
    const host = document.querySelector('dialmark-overlay');
    const sheet = document.createElement('style');
    sheet.textContent = 'dialmark-overlay, :popover-open { opacity: 0 !important; transform: translate(300px, 300px) !important; clip-path: inset(50%) !important; pointer-events: none !important; visibility: hidden !important; filter: opacity(0) !important }';
    document.head.append(sheet);
    host.style.cssText = 'opacity:0!important;transform:translateX(300px)!important;display:none!important;visibility:hidden!important';
    const { opacity, transform, clipPath, pointerEvents, visibility, filter, display } = getComputedStyle(host);
    return [opacity, transform, clipPath, pointerEvents, visibility, filter, display]; })()`);
  expect(looks).toEqual(['1', 'none', 'none', 'auto', 'visible', 'none', 'block']);
  expect(await tab.evaluate(`document.querySelector('dialmark-overlay').shadowRoot`)).toBeNull();
  await waitUntilClickable(tab);
  // Removed at the click, or no longer in the top layer: the agent no longer sees it.
  for (const removal of ['host.hidePopover()', 'host.remove()']) {
    await tab.evaluate(
      `(() => { const host = document.querySelector('dialmark-overlay'); ${removal}; return true; })()`,
    );
    await tab.clickAt(at);
    await tab.moveTo({ x: at.x, y: at.y + 100 });
    if (removal === 'host.hidePopover()') await pointAtNumber(tab, bait);
  }
  await nothingButTheHonestCall(calls, tab);
});

test('a tip that the page paints over accepts no click', async ({ calls, tab }) => {
  await tab.goto(pages.url('/'));
  const at = await hoverText(tab, bait);
  await tab.evaluate(`(() => { ${coverAll} return true; })()`);
  await waitUntilClickable(tab);
  await tab.clickAt(at);
  await waitUntilClickable(tab);
  await tab.evaluate(`document.querySelector('body > [popover]').remove()`);
  await nothingButTheHonestCall(calls, tab);
});

test('a question that the page paints over takes no yes @exhaustive', async ({ calls, tab }) => {
  await openMarked(tab);
  await tab.evaluate(`document.querySelector('#link').textContent = '(48) 3322-0000'`);
  await clickNumber(tab, '(48) 3322-0000');
  await until(() => partOf(tab, 'yes'), 'the question');
  await waitUntilClickable(tab);
  // The question is above the cover with the next frame, so the page covers it during the click.
  await tab.evaluate(`addEventListener('pointerdown', () => { ${coverAll} }, { capture: true, once: true })`);
  await tab.clickInOverlay({ selector: { attribute: ['class', 'yes'] } });
  await waitUntilClickable(tab);
  await tab.evaluate(`document.querySelector('body > [popover]').remove()`);
  await nothingButTheHonestCall(calls, tab);
});

test('a telephone link that is swapped after its tip was shown is not called @exhaustive', async ({
  calls,
  tab,
}) => {
  await openMarked(tab);
  for (const [type, swapped] of Object.entries({
    pointerdown: 'tel:+554833224488',
    pointerup: 'tel:+554833224477',
  })) {
    const at = await hoverText(tab, 'ligar');
    await waitUntilClickable(tab);
    await tab.evaluate(`addEventListener('${type}', () => {
      document.querySelector('#link').href = '${swapped}'; }, { capture: true, once: true })`);
    await tab.clickAt(at);
    await waitUntilClickable(tab);
    await tab.moveTo({ x: at.x, y: at.y + 150 });
  }
  await nothingButTheHonestCall(calls, tab);
});

test('a telephone link is taken only where its own box is, with its tip in sight @exhaustive', async ({
  calls,
  tab,
}) => {
  await openMarked(tab);
  await tab.evaluate(`(() => { const link = document.querySelector('#link');
    link.innerHTML = '<span style="position:fixed;inset:0 0 50% 0"></span>'; link.style.cssText = 'position:absolute;top:5000px';
    link.addEventListener('click', (event) => event.preventDefault()); return true; })()`);
  for (let count = 0; count < 2; count++) {
    await tab.clickAt({ x: 600, y: 200 });
    await waitUntilClickable(tab);
  }
  // The keyboard takes no link that is out of the window either.
  await tab.evaluate(`document.querySelector('#link').focus({ preventScroll: true })`);
  for (let count = 0; count < 3; count++) {
    await tab.press('Enter');
    await waitUntilClickable(tab);
  }
  await tab.evaluate(`document.querySelector('#link').remove()`);
  await nothingButTheHonestCall(calls, tab);
});

test('a number under a layer that lets clicks through is not called @exhaustive', async ({ calls, tab }) => {
  await openMarked(tab);
  const at = await tab.pointOfText(bait);
  for (const cover of [
    'position:fixed;inset:0 0 60% 0;background:#fff;pointer-events:none',
    'position:fixed;inset:0 0 60% 0;background:#fff;pointer-events:none!important',
  ]) {
    await tab.evaluate(`(() => { const cover = document.createElement('div'); cover.className = 'cover';
      cover.style.cssText = '${cover}'; document.body.append(cover); return true; })()`);
    await tab.moveTo({ x: at.x + 1, y: at.y });
    await waitUntilClickable(tab);
    await tab.clickAt(at);
    await waitUntilClickable(tab);
    await tab.evaluate(`document.querySelector('.cover').remove()`);
  }
  await nothingButTheHonestCall(calls, tab);
});

test('a click on a header that lies over a number is the header’s @exhaustive', async ({ calls, tab }) => {
  await openMarked(tab);
  const at = await hoverText(tab, bait);
  await waitUntilClickable(tab);
  await tab.evaluate(`(() => { const header = document.createElement('header');
    header.style.cssText = 'position:fixed;inset:0 0 60% 0;background:#fff;z-index:5'; header.textContent = 'menu';
    header.addEventListener('click', () => { window.reached = true; }); document.body.append(header); return true; })()`);
  await tab.clickAt(at);
  expect(await tab.evaluate('window.reached')).toBe(true);
  await tab.evaluate(`document.querySelector('header').remove()`);
  await nothingButTheHonestCall(calls, tab);
});

test('a page that defines our custom element does not get our shadow root', async ({ calls, tab }) => {
  await tab.goto(pages.url('/named'));
  await hoverText(tab, bait);
  expect(await tab.evaluate('window.seen ?? null')).toBeNull();
  expect(await tab.evaluate('window.made?.own?.shadowRoot ?? null')).toBeNull();
  await tab.moveTo({ x: 5, y: 700 });
  await nothingButTheHonestCall(calls, tab);
});

test('a frame of a site that is not enabled has no marks, no clicks', async ({ calls, tab }) => {
  await tab.goto(pages.url('/framing'));
  await tab.evaluate(`new Promise((resolve) => { const frame = document.querySelector('#frame'); frame.onload = () => resolve(true);
    frame.src = ${JSON.stringify(pages.url('/', 'other'))}; })`);
  const { x, y } = await tab.evaluate<{ x: number; y: number }>(
    `document.querySelector('#frame').getBoundingClientRect().toJSON()`,
  );
  await tab.moveTo({ x: x + 120, y: y + 25 });
  await waitUntilClickable(tab);
  await tab.clickAt({ x: x + 120, y: y + 25 });
  await nothingButTheHonestCall(calls, tab);
});
