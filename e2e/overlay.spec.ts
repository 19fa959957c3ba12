/**
 * The overlay in each of its states: readable in every theme, named, inside the viewport, and not animated.
 * The closed root is opened to the driver's scripts (`Tab.openOverlay`), which measure what people see.
 */
import messages from '../extension/_locales/en/messages.json' with { type: 'json' };
import type { ChipCall, SettingsView } from '../extension/messages/views.ts';
import type { Tab } from '../testing/browsers/browser.ts';
import type { ChromiumTab } from '../testing/browsers/chromium-tab.ts';
import { ask, resetExtension, sendToContent } from '../testing/extension/ask-background.ts';
import { axeViolations } from '../testing/extension/axe.ts';
import {
  cardState,
  clickHangUp,
  clickNumber,
  hoverText,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { agent } from '../testing/extension/options-page.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

const text = (key: keyof typeof messages, ...values: (string | number)[]) =>
  messages[key].message.replace(/\$(\d)/g, (_, index) => String(values[index - 1]));

/** Numbers inside a text, in a corner, wrapped over two lines, and in a link that shows another number than it calls. */
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

const tableNumbers = [1, 2, 3, 4].map((row) => `(48) 3322-441${row}`);
const table = html(
  `<table>${tableNumbers.map((number) => `<tr><td>Ana<td>${number}<td>Vendas`).join('')}</table>`,
);

let pages: ServedPages;
let own: Tab;
test.beforeAll(async ({ workstation }) => {
  await resetExtension(workstation);
  pages = await servePages({ '/ltr': body('ltr'), '/rtl': body('rtl'), '/table': table });
  await workstation.enableSite('127.0.0.1');
  own = await workstation.browser.newTab(
    `${workstation.browser.extensionOrigin}/extension/pages/call/index.html`,
  );
});
test.afterAll(async () => {
  await own.close();
  pages.close();
});

/** Sends the background's messages to the active page once our script is there, so that a call lasts exactly as long as a story needs. */
const send = (message: object) =>
  until(
    async () => (await sendToContent(own, pages.url('/'), message)).length,
    'a page that hears the background',
  );

async function card(tab: Tab, state: string): Promise<void> {
  await until(async () => (await cardState(tab)) === state, `the card in ${state}`);
}
const news = (of: Partial<ChipCall>) => ({
  type: 'background.call',
  call: {
    id: 'A'.repeat(22),
    display: numbers.plain,
    sentence: 'so it stands',
    createdAt: new Date().toISOString(),
    changedAt: new Date().toISOString(),
    ...of,
  },
});
const call = (state: ChipCall['state'], sentence: string) => async (tab: Tab) => {
  await send(news({ state, sentence, canHangUp: state === 'callingCaller' }));
  await card(tab, state);
};

interface State {
  reach(tab: Tab): Promise<unknown>;
  /** Part of the overlay that exists in this state only. */
  shows: string;
  /** Disappears by itself after a while. */
  leaves?: true;
}
const callCard = (state: ChipCall['state'], sentence: string): State => ({
  reach: call(state, sentence),
  shows: `.card[data-state=${state}]`,
});

/** Every visible state, and the steps to it. */
const states: Readonly<Record<string, State>> = {
  tip: { reach: (tab) => hoverText(tab, numbers.plain), shows: '.tip' },
  tipInCorner: { reach: (tab) => hoverText(tab, numbers.corner), shows: '.tip' },
  tipOfWrapped: { reach: (tab) => hoverText(tab, numbers.wrapped), shows: '.tip' },
  tipWithWarning: { reach: (tab) => hoverText(tab, numbers.abroad), shows: '.tip .warn' },
  tipAgain: {
    async reach(tab) {
      const at = await hoverText(tab, numbers.lie);
      // A tip that is hidden while the click waits for it has not been read.
      await tab.evaluate(`addEventListener('pointerup', () => {
        document.querySelector('dialmark-overlay').hidePopover(); }, { capture: true, once: true })`);
      await tab.clickAt(at);
      await until(
        async () => (await tab.overlay()).filter(({ attributes }) => attributes.class === 'title')[1],
        'the hint',
      );
    },
    shows: '.tip .title ~ .title',
  },
  focus: {
    reach: (tab) =>
      until(async () => {
        await send({ type: 'background.step', to: 'next' });
        return partOf(tab, 'link');
      }, 'the link under the keyboard'),
    shows: '.link:focus',
  },
  confirm: {
    async reach(tab) {
      await clickNumber(tab, numbers.lie);
      await card(tab, 'confirm');
    },
    shows: '.card[data-state=confirm]',
  },
  error: {
    async reach(tab) {
      await clickNumber(tab, numbers.plain);
      await card(tab, 'error');
    },
    shows: '.card[data-state=error]',
  },
  initiating: callCard('initiating', text('state_initiating')),
  callingCaller: callCard('callingCaller', text('state_callingCaller', agent)),
  disconnected: { ...callCard('disconnected', text('state_disconnected', '1:05')), leaves: true },
  failed: callCard('failed', text('state_failed_callerNoAnswer', 30)),
  unknown: callCard('unknown', text('state_error_notJson')),
};

/** Measures the overlay in a state, which must be there before and after. */
async function lookedAt<T>(tab: Tab, { reach, shows, leaves }: State, look: () => Promise<T>): Promise<T> {
  if (leaves) {
    await reach(tab);
    await faded(tab);
  }
  const seen = await look();
  expect(
    await tab.evaluate(
      `document.querySelector('dialmark-overlay').shadowRoot.querySelector('${shows}') !== null`,
    ),
    shows,
  ).toBe(true);
  return seen;
}

/** Parts of the overlay that leave the viewport, overflow their box, break a number, or hide the number they belong to. */
const misplaced = `(() => {
  const root = document.querySelector('dialmark-overlay').shadowRoot;
  const wrong = [];
  // Only a text has boxes to compare, not generated content. The clock behind a line's words is left as it is.
  const asText = [...root.querySelectorAll('[data-words]')].map((part) => {
    const { words } = part.dataset;
    const text = new Text(words);
    part.prepend(text);
    delete part.dataset.words;
    return () => { text.remove(); part.dataset.words = words; };
  });
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
  for (const line of root.querySelectorAll('.title, .line, .warn')) {
    const text = line.firstChild;
    if (line.matches('.title') && !text?.data) wrong.push('a title has no words');
    for (const { 0: number, index } of (text?.data ?? '').matchAll(/\\+?\\(?\\d(?:[ ().-]{0,2}\\d){5,}/g)) {
      const range = new Range(); range.setStart(text, index); range.setEnd(text, index + number.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) wrong.push(number + ' is broken over two lines');
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page scrolls sideways');
  for (const putBack of asText) putBack();
  return wrong; })()`;

/** Waits until its parts have appeared. */
const faded = (tab: Tab) =>
  until(
    () =>
      tab.evaluate<boolean>(`document.querySelector('dialmark-overlay').shadowRoot.querySelector('.root')
        .getAnimations({ subtree: true }).length === 0`),
    'the overlay to appear',
  );

/** Texts with less contrast than WCAG 2.2 asks of small ones (1.4.3); axe says of every one here that it cannot decide. */
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
    // Chromium paints a backplate behind text, whatever the button's colour.
    if (part.className === 'yes' && matchMedia('(forced-colors: active)').matches && getComputedStyle(part).forcedColorAdjust === 'auto')
      return ['yes on a plate'];
    const [dark, light] = [luminance(getComputedStyle(part).color), luminance(paper(part))].sort((one, other) => one - other);
    const ratio = (light + 0.05) / (dark + 0.05);
    return ratio < 4.5 ? [part.className + ' ' + ratio.toFixed(2)] : [];
  }); })()`;

async function inLook(workstation: Workstation, look: string): Promise<void> {
  await workstation.browser.setForcedColors(look === 'forced');
  await workstation.browser.setColorScheme(look === 'dark' ? 'dark' : 'light');
}

const layouts = {
  'on a page from left to right': { path: '/ltr', size: { width: 1280, height: 800 } },
  'on a page from right to left': { path: '/rtl', size: { width: 1280, height: 800 } },
  'at 200 %': { path: '/ltr', size: { width: 640, height: 400 } },
  'in a narrow window': { path: '/rtl', size: { width: 320, height: 256 } },
} as const;

for (const [where, { path, size }] of Object.entries(layouts)) {
  test(`every state of the overlay is readable by name within the viewport ${where} @exhaustive`, async ({
    workstation,
    tab,
  }, story) => {
    test.setTimeout(600_000);
    await tab.setViewport(size);
    for (const [name, state] of Object.entries(states)) {
      await inLook(workstation, 'light');
      await tab.goto(pages.url(path));
      await tab.activate();
      await state.reach(tab);
      await tab.openOverlay();
      await faded(tab);
      for (const look of ['light', 'dark', 'forced']) {
        await inLook(workstation, look);
        await lookedAt(tab, state, () => tab.screenshot(story.outputPath(`${name}-${look}.png`)));
        for (const wrong of [
          await lookedAt(tab, state, () => axeViolations(tab, 'dialmark-overlay')),
          await lookedAt(tab, state, () => tab.evaluate(faint)),
          await lookedAt(tab, state, () => tab.evaluate(misplaced)),
        ])
          expect.soft(wrong, `${name}, ${look}`).toEqual([]);
      }
    }
    await inLook(workstation, 'light');
    expect(tab.errors()).toEqual([]);
  });
}

test('the overlay is not animated; a delay of the tip only hides it at first', async ({ tab }) => {
  const animations = () =>
    tab.evaluate(`[...document.querySelector('dialmark-overlay').shadowRoot.querySelectorAll('*')]
      .map((part) => getComputedStyle(part))
      .filter(({ animationName }) => animationName !== 'none')
      .map(({ animationDelay, animationDuration }) => [animationDelay, animationDuration])`);
  const delayTip = async (tipDelayMs: number) => {
    const { value } = await ask<SettingsView>(own, { type: 'page.settings' });
    const { settings } = value;
    const appearance = { ...settings.appearance, tipDelayMs };
    await ask(own, { type: 'page.saveSettings', settings: { ...settings, appearance } });
  };
  await tab.goto(pages.url('/ltr'));
  await hoverText(tab, numbers.plain);
  await tab.openOverlay();
  await call('failed', text('state_failed_other'))(tab);
  expect(await animations()).toEqual([]);
  await delayTip(400);
  await hoverText(tab, numbers.plain);
  await expect.poll(animations).toEqual([['0.4s', '0s']]);
  await delayTip(0);
});

// Nothing makes Firefox (153) show a page as on paper.
test('paper shows neither the marks nor the card @chromium', async ({ tab }) => {
  const { page } = tab as ChromiumTab;
  await tab.goto(pages.url('/ltr'));
  await call('callingCaller', text('state_callingCaller', agent))(tab);
  await until(() => tab.evaluate<number>('[...CSS.highlights.values()][0]?.size'), 'the marks');
  await page.emulateMedia({ media: 'print' });
  const withOurs = await page.screenshot();
  await tab.evaluate(`CSS.highlights.clear(), document.querySelector('dialmark-overlay').remove()`);
  expect((await page.screenshot()).equals(withOurs)).toBe(true);
  await page.emulateMedia({ media: null });
});

test('a copy of the whole page has neither our tip nor our card', async ({ tab }) => {
  await tab.goto(pages.url('/table'));
  await tab.evaluate(`document.body.append(document.createElement('textarea'))`);
  await call('callingCaller', text('state_callingCaller', agent))(tab);
  await hoverText(tab, tableNumbers[0]!);
  await tab.press('Control+a');
  await tab.press('Control+c');
  await tab.click('textarea');
  await tab.press('Control+v');
  const pasted = () => tab.evaluate<string>(`document.querySelector('textarea').value`);
  await until(async () => (await pasted()) !== '', 'the copy');
  expect(await pasted()).not.toContain('+55');
});

test('an update of an earlier call waits until an open question is answered', async ({ tab }) => {
  await tab.goto(pages.url('/ltr'));
  await clickNumber(tab, numbers.lie);
  await card(tab, 'confirm');
  await send(news({ state: 'disconnected' }));
  expect(await cardState(tab)).toBe('confirm');
  await tab.clickInOverlay({ selector: { attribute: ['class', 'no'] } });
  await card(tab, 'disconnected');
});

test('late updates of a call, or of an earlier call, are not shown', async ({ tab }) => {
  await tab.goto(pages.url('/ltr'));
  await call('callingCaller', text('state_callingCaller', agent))(tab);
  await send(news({ state: 'initiating', changedAt: '2026-01-01T00:00:00.000Z' }));
  await send(news({ state: 'disconnected', id: 'B'.repeat(22), createdAt: '2026-01-01T00:00:00.000Z' }));
  expect(await cardState(tab)).toBe('callingCaller');
  await send(news({ state: 'failed' }));
  await card(tab, 'failed');
});

test('hanging up counts as soon as the state of the call has changed', async ({ tab }) => {
  await tab.goto(pages.url('/ltr'));
  await send(news({ state: 'callingCallee', canHangUp: true }));
  await card(tab, 'callingCallee');
  await waitUntilClickable(tab);
  await send(news({ state: 'connected', sentence: 'The two talk, and the card is wider.', canHangUp: true }));
  await card(tab, 'connected');
  await clickHangUp(tab);
  // The relay does not know this call.
  await card(tab, 'error');
});

/** Shows a call in this state, and above it the refusal of another one. @returns the number of the call. */
async function refuseDuringCall(tab: Tab, state: ChipCall['state']): Promise<string> {
  await tab.goto(pages.url('/ltr'));
  const display = '+55 48 3222-9999';
  await send(news({ state, display, canHangUp: true }));
  await card(tab, state);
  await clickNumber(tab, numbers.plain);
  await card(tab, 'error');
  return display;
}

test('a refusal stays until it is closed, above a call that goes on', async ({ tab }) => {
  const display = await refuseDuringCall(tab, 'callingCallee');
  await send(news({ state: 'connected', display, sentence: 'The two talk.', canHangUp: true }));
  await until(async () => (await partOf(tab, 'card'))?.text.includes('The two talk.'), 'the newer state');
  expect(await cardState(tab)).toBe('error');
  expect((await tab.overlay()).filter(({ attributes }) => attributes.class === 'hang-up')).toHaveLength(1);
  await tab.clickInOverlay({ selector: { attribute: ['class', 'close'] } });
  await card(tab, 'connected');
});

test('the card of an ended call goes away after the mouse has closed a notice on it', async ({ tab }) => {
  const display = await refuseDuringCall(tab, 'connected');
  await tab.clickInOverlay({ selector: { attribute: ['class', 'close'] } });
  await card(tab, 'connected');
  await tab.moveTo({ x: 1, y: 1 });
  await send(news({ state: 'disconnected', display, sentence: 'The two have talked.', isDone: true }));
  await card(tab, 'disconnected');
  await until(async () => (await cardState(tab)) === undefined, 'no card');
});

test('the tip covers no other number of a table', async ({ tab }) => {
  await tab.goto(pages.url('/table'));
  await hoverText(tab, tableNumbers[0]!);
  await tab.openOverlay();
  for (const number of tableNumbers) {
    await hoverText(tab, number);
    const boxes = `[...CSS.highlights.get('dialmark-number')].flatMap(({ startContainer, startOffset, endOffset }) => {
      const range = new Range(); range.setStart(startContainer, startOffset); range.setEnd(startContainer, endOffset);
      return [...range.getClientRects()]; })`;
    const covered = await tab.evaluate(`(() => {
      const tip = document.querySelector('dialmark-overlay').shadowRoot.querySelector('.tip').getBoundingClientRect();
      return ${boxes}.filter(({ left, top, right, bottom }) =>
        left < tip.right && right > tip.left && top < tip.bottom && bottom > tip.top).length; })()`);
    expect(covered, number).toBe(0);
  }
});

test('a tip that the page covers is on top again while the pointer rests', async ({ tab }) => {
  await tab.goto(pages.url('/ltr'));
  await hoverText(tab, numbers.plain);
  await waitUntilClickable(tab);
  // In a shadow root no event announces it.
  await tab.evaluate(`(() => {
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    root.innerHTML = '<div popover="manual" style="inset:0;width:100%;height:100%;pointer-events:none"></div>';
    root.firstChild.showPopover();
    window.host = document.querySelector('dialmark-overlay');
    host.addEventListener('toggle', () => { window.raised = true; });
  })()`);
  await until(() => tab.evaluate<boolean>('window.raised'), 'the overlay to be put on top again');
});
