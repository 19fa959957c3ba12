/**
 * What we put over a page, in each of its states: readable in every theme, named, inside the viewport, and still where movement is
 * not wanted. The closed root is opened to the driver's scripts (`Tab.openOverlay`); what they measure is what people see.
 */
import messages from '../extension/_locales/en/messages.json' with { type: 'json' };
import type { Tab } from './browsers/browser.ts';
import { until } from './browsers/until.ts';
import { startAfresh } from './desk/ask-background.ts';
import { axeFindings } from './desk/axe.ts';
import { enableSite } from './desk/configure.ts';
import { cardState, clickNumber, lookAt, partOf } from './desk/numbers-in-page.ts';
import { agent, type Desk, expect, test } from './fixtures.ts';
import { html, type ServedPages, servePages } from './pages/serve-pages.ts';

test.describe.configure({ mode: 'serial' });

const text = (key: keyof typeof messages, ...values: (string | number)[]) =>
  messages[key].message.replace(/\$(\d)/g, (_, index) => String(values[index - 1]));

/** In the middle of a text, in a corner, wrapped over two lines, and in a link that calls another number than it shows. */
const numbers = {
  plain: '(48) 3322-4455',
  corner: '(48) 3322-4466',
  wrapped: '(48) 3322-4477',
  abroad: '+49 30 22730027',
  lie: '(48) 3322-0000',
};
const body = (dir: 'ltr' | 'rtl') =>
  html(
    `<p>Fale com ${numbers.plain} hoje</p>
    <p style="width:6em">ligue ${numbers.wrapped}</p><p>ou ${numbers.abroad}</p>
    <p><a href="tel:+554833224488">${numbers.lie}</a></p>
    <p style="position:fixed;inset-block-end:4px;inset-inline-end:4px;margin:0">${numbers.corner}</p>`,
    '<meta name="color-scheme" content="light dark">',
  ).replace('<html', `<html dir="${dir}"`);

let pages: ServedPages;
let own: Tab;
test.beforeAll(async ({ desk }) => {
  await startAfresh(desk);
  pages = await servePages({ '/ltr': body('ltr'), '/rtl': body('rtl') });
  await enableSite(desk, '127.0.0.1');
  own = await desk.browser.newTab(`${desk.browser.extensionOrigin}/extension/call/index.html`);
});
test.afterAll(async () => {
  await own.close();
  pages.close();
});

/** What the background sends to the page in front; calls that last exactly as long as a story looks at them. A page hears nothing before the background has greeted it: send until it shows. */
const send = (message: object) =>
  own.evaluate(`(async () => { const api = globalThis.browser ?? chrome;
    for (const { id, url } of await api.tabs.query({}))
      if (url?.startsWith(${JSON.stringify(pages.url('/'))})) await api.tabs.sendMessage(id, ${JSON.stringify(message)}).catch(() => {});
    return true; })()`);

async function card(tab: Tab, state: string): Promise<void> {
  await until(async () => (await cardState(tab)) === state, `the card in ${state}`);
}
const call = (state: string, sentence: string) => async (tab: Tab) => {
  const createdAt = new Date().toISOString();
  const call = { id: 'A'.repeat(22), display: numbers.plain, state, sentence, createdAt };
  await until(async () => {
    await send({ type: 'background.call', call });
    return (await cardState(tab)) === state;
  }, `the card in ${state}`);
};

/** Every state that people get to see, and the way to it. */
const states: Readonly<Record<string, (tab: Tab) => Promise<unknown>>> = {
  tip: (tab) => lookAt(tab, numbers.plain),
  tipInCorner: (tab) => lookAt(tab, numbers.corner),
  tipOfWrapped: (tab) => lookAt(tab, numbers.wrapped),
  tipWithWarning: async (tab) => {
    await lookAt(tab, numbers.abroad);
    expect(await partOf(tab, 'warn')).toBeDefined();
  },
  tipTooSoon: async (tab) => {
    const at = await lookAt(tab, numbers.lie);
    await tab.clickAt({ x: at.x, y: at.y });
  },
  focus: async (tab) => {
    await until(async () => {
      await send({ type: 'background.step', to: 'next' });
      return partOf(tab, 'link');
    }, 'the link under the keyboard');
  },
  confirm: async (tab) => {
    await clickNumber(tab, numbers.lie);
    await card(tab, 'confirm');
  },
  error: async (tab) => {
    await clickNumber(tab, numbers.plain);
    await card(tab, 'error');
  },
  initiating: call('initiating', text('state_initiating')),
  callingCaller: call('callingCaller', text('state_callingCaller', agent)),
  disconnected: call('disconnected', text('state_disconnected', '1:05')),
  failed: call('failed', text('state_failed_callerNoAnswer', 30)),
  unknown: call('unknown', text('state_error_notJson')),
};

/** What of the overlay is not wholly in the viewport, spills out of its box, or hides the number that it belongs to. */
const misplaced = `(() => {
  const root = document.querySelector('dialmark-overlay').shadowRoot;
  const wrong = [];
  for (const part of root.querySelectorAll('.tip, .card, .card button, .tip *, .card *')) {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const name = part.className + ' ' + [left, top, right, bottom].map(Math.round);
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) wrong.push(name + ' is out of ' + [innerWidth, innerHeight]);
    if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0) wrong.push(name + ' spills');
    const around = part.parentElement.closest('.tip, .card')?.getBoundingClientRect();
    if (around && (left < around.left || right > around.right || bottom > around.bottom)) wrong.push(name + ' is out of its box');
  }
  const tip = root.querySelector('.tip')?.getBoundingClientRect();
  for (const box of tip ? root.querySelectorAll('.box') : []) {
    const { left, top, right, bottom } = box.getBoundingClientRect();
    if (left < tip.right && right > tip.left && top < tip.bottom && bottom > tip.top) wrong.push('the tip hides the number');
  }
  const card = root.querySelector('.card');
  const close = card?.querySelector('.close')?.getBoundingClientRect();
  for (const line of close ? card.querySelectorAll('.title, .line, .warn') : []) {
    const range = new Range(); range.selectNodeContents(line);
    for (const { left, top, right, bottom } of range.getClientRects())
      if (left < close.right && right > close.left && top < close.bottom && bottom > close.top) wrong.push('the button hides ' + line.className);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
  return wrong; })()`;

/** Its parts have appeared. */
const faded = `Promise.all(document.querySelector('dialmark-overlay').shadowRoot.querySelector('.root')
  .getAnimations({ subtree: true }).map(({ finished }) => finished)).then(() => true)`;

/** Texts with less contrast than WCAG 2.2 asks of small ones (1.4.3); axe says of every one here that it cannot tell. */
const faint = `(() => {
  const root = document.querySelector('dialmark-overlay').shadowRoot;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const channels = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const luminance = (color) => channels(color).slice(0, 3)
    .map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const paper = (part) => { const { backgroundColor } = getComputedStyle(part);
    return channels(backgroundColor)[3] === 255 ? backgroundColor : paper(part.parentElement); };
  return [...root.querySelectorAll('.title, .line, .warn, button')].flatMap((part) => {
    // Chromium puts a plate in the paper's colour behind words, whatever the button's own.
    if (part.className === 'yes' && matchMedia('(forced-colors: active)').matches && getComputedStyle(part).forcedColorAdjust === 'auto')
      return ['yes on a plate'];
    const [dark, light] = [luminance(getComputedStyle(part).color), luminance(paper(part))].sort((one, other) => one - other);
    const ratio = (light + 0.05) / (dark + 0.05);
    return ratio < 4.5 ? [part.className + ' ' + ratio.toFixed(2)] : [];
  }); })()`;

async function inLook(desk: Desk, look: string): Promise<void> {
  await desk.browser.setForcedColors(look === 'forced');
  await desk.browser.setColorScheme(look === 'dark' ? 'dark' : 'light');
}

const layouts = {
  'on a page from left to right': { path: '/ltr', size: { width: 1280, height: 800 } },
  'on a page from right to left': { path: '/rtl', size: { width: 1280, height: 800 } },
  'at 200 %': { path: '/ltr', size: { width: 640, height: 400 } },
  'in a narrow window': { path: '/rtl', size: { width: 320, height: 256 } },
} as const;

for (const [where, { path, size }] of Object.entries(layouts)) {
  test(`every state of the overlay is readable, named and in the viewport ${where}`, async ({
    desk,
    tab,
  }, story) => {
    await tab.setViewport(size);
    for (const [state, reach] of Object.entries(states)) {
      await inLook(desk, 'light');
      await tab.goto(pages.url(path));
      await tab.activate();
      await reach(tab);
      await tab.openOverlay();
      await tab.evaluate(faded);
      for (const look of ['light', 'dark', 'forced']) {
        await inLook(desk, look);
        await tab.screenshot(story.outputPath(`${state}-${look}.png`));
        expect.soft(await axeFindings(tab, 'dialmark-overlay'), `${state}, ${look}`).toEqual([]);
        expect.soft(await tab.evaluate(faint), `${state}, ${look}`).toEqual([]);
        expect.soft(await tab.evaluate(misplaced), `${state}, ${look}`).toEqual([]);
      }
    }
    await inLook(desk, 'light');
    expect(tab.errors()).toEqual([]);
  });
}

test('nothing of the overlay moves for people who do not want movement', async ({ desk, tab }) => {
  await tab.goto(pages.url('/ltr'));
  await lookAt(tab, numbers.plain);
  await tab.openOverlay();
  const animations = `[...document.querySelector('dialmark-overlay').shadowRoot.querySelectorAll('*')]
    .map((part) => getComputedStyle(part).animationName).filter((name) => name !== 'none')`;
  expect(await tab.evaluate(animations)).toEqual(['in']);
  await desk.browser.setReducedMotion(true);
  await until(() => tab.evaluate<boolean>(`matchMedia('(prefers-reduced-motion)').matches`), 'the wish');
  await call('failed', text('state_failed_other'))(tab);
  expect(await tab.evaluate(animations)).toEqual([]);
  await desk.browser.setReducedMotion(false);
});
