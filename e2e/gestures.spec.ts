/**
 * What mouse, keys and fingers do to marked numbers: only a deliberate act dials, and everything else does what it does without us.
 * After gestures that must not dial the agent clicks one honest number: only its call shows that they placed none.
 */
import type { Point, PointerStep, Tab } from '../testing/browsers/browser.ts';
import { configure, ownPage, resetToRelay, sendToContent } from '../testing/extension/ask-background.ts';
import {
  callsFinished,
  cardState,
  clickNumber,
  hoverText,
  paintedNumbers,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, type StoryCalls, test } from './fixtures.ts';

test.describe.configure({ mode: 'default' });

/** Lines that refuse at once, so that the next call need not wait: the first is for gestures, the second for the deliberate click. */
const number = { text: '(48) 3322-9015', to: '4833229015' };
const honest = { text: '(48) 3323-9015', to: '4833239015' };
const linked = { text: '(48) 3324-9015', to: '4833249015' };

/** For each key a line of its own, which rings and is hung up at once: a second call to it within the minute asks. */
const walked = { Enter: '(48) 3341-9017', Space: '(48) 3342-9017', command: '(48) 3343-9017' } as const;
/** Two lines of text at 45 degrees: the box around each covers words of the others. */
const turned = ['(48) 3331-9015', '(48) 3332-9015'] as const;

let pages: ServedPages;
let own: Tab;

test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/': html(
      `<p id="before">Antes do texto</p><p id="bait">Fale com <span id="number">${number.text}</span> hoje mesmo</p>
      <p><a id="link" href="tel:+55${linked.to}">${linked.text}</a></p><input id="field">
      <div id="track" style="position:relative;height:30px;background:#eee"><div id="row" style="position:absolute;width:260px">arraste (48) 3325-9015</div></div>
      <div id="box" style="height:60px;overflow:auto;width:300px"><p id="boxed">na caixa (48) 3326-9015</p><p style="height:400px"></p></div>
      <dialog id="dialog"><p>na janela</p></dialog>
      <p style="margin-top:120px" id="honest">ou ${honest.text}</p><p style="height:1200px"></p>`,
      `<script>
        window.heard = [];
        for (const type of ['click', 'dblclick', 'auxclick', 'contextmenu', 'mousedown', 'mouseup', 'keydown'])
          addEventListener(type, (event) => heard.push(type + (event.key ? ' ' + event.key : '')));
        addEventListener('contextmenu', (event) => event.preventDefault());
        let from; // A row that follows the pointer, as sortable lists and sliders do.
        addEventListener('mousedown', (event) => { if (event.target.id === 'row') { from = event.clientX; event.preventDefault(); } });
        addEventListener('mousemove', (event) => { if (from !== undefined) document.querySelector('#row').style.left = event.clientX - from + 'px'; });
        addEventListener('mouseup', () => { from = undefined; });
      </script>`,
    ),
    ...Object.fromEntries(
      Object.entries(walked).map(([key, text]) => [
        `/${key}`,
        html(`<input id="field"><p>Fale com ${text}</p>`),
      ]),
    ),
    '/turned': html(
      `<p style="position:fixed;right:20px;bottom:20px;width:180px;margin:0;font:20px/1.3 sans-serif;transform:rotate(45deg) scale(1.5)">
      ${turned[0]}<br>Rua Sete de Maio<br>${turned[1]}</p>
      <p class="layer" style="transform:rotate(-90deg) scale(.8);width:200px;margin:120px 0">${number.text}</p>`,
      // Effects of a pressed row lie over its text as a pseudo-element.
      '<style>.layer::after { content: ""; position: absolute; inset: 0 }</style>',
    ),
  });
  await resetToRelay(workstation);
  own = await ownPage(workstation);
});
test.afterAll(() => pages.close());

const press: readonly PointerStep[] = [{ down: 0 }, { up: 0 }];
const selection = (tab: Tab) => tab.evaluate<string>('String(getSelection())');
const heard = (tab: Tab) => tab.evaluate<string[]>('heard.splice(0)');
const focused = (tab: Tab) =>
  tab.evaluate<string>('document.activeElement.id || document.activeElement.localName');
const send = (message: object) => sendToContent(own, pages.url('/'), message);
const shift = ({ x, y }: Point, by: number, down = 0): Point => ({ x: x + by, y: y + down });

async function open(tab: Tab): Promise<void> {
  await tab.goto(pages.url('/'));
  await tab.activate();
  await until(async () => (await paintedNumbers(tab)).length >= 4, 'the marks');
}

const honestCallOnly = (calls: StoryCalls, tab: Tab): Promise<void> =>
  calls.expectOnly(() => clickNumber(tab, honest.text), honest.to);

test('dragging over a number selects it without a call', async ({ calls, tab }) => {
  await open(tab);
  for (const [from, to, selected] of [
    [-40, 40, /3/],
    [0, 140, /hoje/],
    [-90, 10, /48/],
  ] as const) {
    await tab.evaluate('getSelection().empty()'); // A press on selected text would drag it.
    const at = await hoverText(tab, number.text);
    await waitUntilClickable(tab);
    await tab.gesture([
      { move: shift(at, from) },
      { down: 0 },
      { move: shift(at, from / 2 + to / 2) },
      { move: shift(at, to) },
      { up: 0 },
    ]);
    expect(await selection(tab)).toMatch(selected);
    expect(await selection(tab)).not.toContain('arraste');
    expect(await heard(tab)).toContain('mouseup');
  }
  await honestCallOnly(calls, tab);
});

test('a right or middle click on a number is the page’s', async ({ calls, tab }) => {
  await open(tab);
  await hoverText(tab, number.text);
  await waitUntilClickable(tab);
  await heard(tab);
  await tab.gesture([{ down: 2 }, { up: 2 }, { waitMs: 600 }, { down: 1 }, { up: 1 }]);
  const events = await heard(tab);
  expect(events.filter((type) => /mouse/.test(type))).toEqual([
    'mousedown',
    'mouseup',
    'mousedown',
    'mouseup',
  ]);
  expect(events).toContain('contextmenu');
  expect(events).toContain('auxclick');
  // A middle click on a tel: link opens no tab.
  await tab.evaluate(
    `addEventListener('auxclick', (event) => { window.prevented = event.defaultPrevented; })`,
  );
  await tab.gesture([{ move: await tab.pointOfText(linked.text) }, { down: 1 }, { up: 1 }]);
  expect(await tab.evaluate('prevented')).toBe(true);
  await honestCallOnly(calls, tab);
});

test('a double click selects a word, reaches the page, places one call', async ({ calls, tab }) => {
  await open(tab);
  const act = async () => {
    await hoverText(tab, number.text);
    await waitUntilClickable(tab);
    await tab.gesture([...press, ...press]);
    await until(async () => (await selection(tab)) !== '', 'the selected word');
  };
  await calls.expectOnly(act, number.to);
  expect(await heard(tab)).toContain('dblclick');
});

/** Less than the 300 ms after which a press on the tip's number counts. */
const unreadMs = 280;

test('a double click before the tip was read calls no one, as the tip says', async ({
  workstation,
  calls,
  tab,
}) => {
  await open(tab);
  const pressedAfterMs = async () => {
    await tab.evaluate(`['mouseenter', 'mousedown'].forEach((type) =>
      number.addEventListener(type, ({ timeStamp }) => { window['last ' + type] = timeStamp; }))`);
    await hoverText(tab, number.text);
    await tab.gesture([...press, ...press]);
    return tab.evaluate<number>(`window['last mousedown'] - window['last mouseenter']`);
  };
  // On a busy machine the tip may have been read before the press, which is a call then.
  while ((await pressedAfterMs()) > unreadMs) {
    await callsFinished(workstation);
    calls.ignoreEarlier();
    await open(tab);
  }
  await until(
    async () => (await tab.overlay()).some(({ text }) => /double click/.test(text)),
    'what the tip says of a double click',
  );
  await honestCallOnly(calls, tab);
});

test('the tip goes with the click, then comes back with the pointer', async ({ calls, tab }) => {
  await open(tab);
  const at = await hoverText(tab, number.text);
  await waitUntilClickable(tab);
  const act = async () => {
    await tab.clickAt(at);
    await until(async () => (await partOf(tab, 'tip')) === undefined, 'the tip to be gone');
    await tab.moveTo(shift(at, 1));
    await waitUntilClickable(tab);
    expect(await partOf(tab, 'tip')).toBeUndefined();
    await tab.moveTo({ x: at.x, y: 1 });
    await tab.moveTo(at);
    await until(() => partOf(tab, 'tip'), 'the tip again');
  };
  await calls.expectOnly(act, number.to);
});

test('what the page drags by its number moves, then is let go on a number without a call @exhaustive', async ({
  calls,
  tab,
}) => {
  await open(tab);
  const at = await hoverText(tab, '(48) 3325-9015');
  await waitUntilClickable(tab);
  await tab.gesture([{ down: 0 }, { move: shift(at, 20) }, { move: shift(at, 60) }, { up: 0 }]);
  expect(await tab.evaluate(`document.querySelector('#row').style.left`)).toBe('60px');
  const other = await tab.pointOfText(number.text);
  await tab.gesture([
    { move: await tab.pointOfText('arraste') },
    { down: 0 },
    { move: shift(other, 5) },
    { move: other },
    { waitMs: 500 },
    { up: 0 },
  ]);
  await tab.gesture([{ move: shift(other, 200) }]);
  expect(await tab.evaluate(`from`).catch(() => 'over')).not.toBe(0);
  await honestCallOnly(calls, tab);
});

test('a second Enter after a click places no call, since the focus stays in the page', async ({
  calls,
  tab,
}) => {
  await open(tab);
  await tab.evaluate(
    `document.querySelector('#bait').addEventListener('mousedown', (event) => event.preventDefault())`,
  );
  await tab.click('#field');
  await calls.expectOnly(() => clickNumber(tab, number.text), number.to);
  expect(await focused(tab)).toBe('field');
  await heard(tab);
  await tab.press('Enter');
  await tab.press('j');
  expect(await heard(tab)).toEqual(['keydown Enter', 'keydown j']);
  await honestCallOnly(calls, tab);
});

test('a number has the hand as cursor only while the pointer is on it', async ({ tab }) => {
  await open(tab);
  await hoverText(tab, number.text);
  const cursor = () => tab.evaluate<string>(`getComputedStyle(document.querySelector('#number')).cursor`);
  expect(await cursor()).toBe('pointer');
  const at = await tab.pointOfText('Antes do texto');
  await tab.moveTo(at);
  await until(async () => (await cursor()) === 'auto', 'the ordinary cursor');
});

test('a click 100 ms after pointing is taken, wherever the pointer is by then; Escape cancels it', async ({
  calls,
  tab,
}) => {
  await open(tab);
  const at = await hoverText(tab, number.text);
  const away = shift(at, 0, 300);
  const quick: readonly PointerStep[] = [
    { move: away },
    { waitMs: 200 },
    { move: shift(at, 1) },
    { move: at },
    { waitMs: 100 },
    ...press,
    { move: away },
  ];
  // A number that is not still keeps the click waiting, until the key has come: from the release on, however late that is.
  await tab.evaluate(`addEventListener('pointerup', () => {
    const { style } = document.querySelector('#bait');
    const move = () => { style.marginLeft = style.marginLeft ? '' : '1px'; };
    move();
    const wiggle = setInterval(move, 20);
    addEventListener('keyup', () => { clearInterval(wiggle); style.marginLeft = ''; }, { once: true });
  }, { once: true })`);
  await tab.gesture(quick);
  await tab.press('Escape');
  await waitUntilClickable(tab);
  await tab.press('Escape');
  await honestCallOnly(calls, tab);
  await calls.expectOnly(() => tab.gesture(quick), number.to);
});

test('a quick click on a number that changes before it was read places no call @exhaustive', async ({
  calls,
  tab,
}) => {
  await open(tab);
  const at = await hoverText(tab, linked.text);
  // It moves at the press: however late that comes, the tip is to be read again, which the change precedes.
  await tab.evaluate(`addEventListener('pointerdown', () => {
    document.querySelector('#link').style.marginLeft = '1px';
    setTimeout(() => { document.querySelector('#link').href = 'tel:+554833279015'; }, 50); }, { once: true })`);
  await tab.gesture([
    { move: shift(at, 0, 300) },
    { waitMs: 100 },
    { move: at },
    { waitMs: 100 },
    ...press,
    { waitMs: 500 },
  ]);
  await honestCallOnly(calls, tab);
});

test('a first tap shows what would be dialled, a second tap or the button dials', async ({ calls, tab }) => {
  await open(tab);
  const at = await tab.pointOfText(number.text);
  const tap: readonly PointerStep[] = [{ move: at }, { down: 0 }, { waitMs: 30 }, { up: 0 }];
  await tab.gesture(tap, 'touch');
  await until(() => partOf(tab, 'call'), 'the button in the tip');
  await waitUntilClickable(tab);
  await calls.expectOnly(() => tab.gesture(tap, 'touch'), number.to);
  // The page of ours that saw the call end was in front, or this is the second half of a double tap.
  await waitUntilClickable(tab);
  await tab.gesture(tap, 'touch');
  await until(() => partOf(tab, 'call'), 'the button in the tip again');
  await waitUntilClickable(tab);
  const byButton = () => tab.clickInOverlay({ selector: { attribute: ['class', 'call'] } });
  await calls.expectOnly(byButton, number.to);
});

test('a pen taps as a finger does; dragging it places no call @exhaustive', async ({ calls, tab }) => {
  await open(tab);
  const at = await tab.pointOfText(number.text);
  const drag: readonly PointerStep[] = [
    { move: shift(at, -20) },
    { move: at },
    { down: 0 },
    { move: shift(at, 8) },
    { move: shift(at, 30) },
    { move: at },
    { up: 0 },
  ];
  await tab.gesture(drag, 'pen');
  await tab.gesture(drag, 'pen');
  await tab.evaluate('getSelection().empty()');
  const tap: readonly PointerStep[] = [{ move: at }, { down: 0 }, { up: 0 }];
  await tab.gesture(tap, 'pen');
  await until(() => partOf(tab, 'call'), 'the button in the tip');
  await waitUntilClickable(tab);
  calls.expectNone();
  await calls.expectOnly(() => tab.gesture(tap, 'pen'), number.to);
});

test('of numbers in turned text a click dials the one under the pointer @exhaustive', async ({
  calls,
  tab,
}) => {
  await tab.goto(pages.url('/turned'));
  await until(async () => (await paintedNumbers(tab)).length === 3, 'the marks');
  const dialled: string[] = [];
  for (const text of [...turned, number.text]) {
    const at = await hoverText(tab, text);
    await tab.openOverlay();
    const isInView = `(() => { const { left, top, right, bottom } =
      document.querySelector('dialmark-overlay').shadowRoot.querySelector('.tip').getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight; })()`;
    expect(await tab.evaluate(isInView)).toBe(true);
    await waitUntilClickable(tab);
    dialled.push(text.replace(/\D/g, ''));
    const dials = () => tab.clickAt(at);
    await calls.expectOnly(dials, dialled.at(-1)!);
  }
  // Other words, within the box around a number, are none.
  const word = await tab.pointOfText('Sete');
  await tab.moveTo(shift(word, 1));
  await tab.moveTo(word);
  await waitUntilClickable(tab);
  expect(await partOf(tab, 'tip')).toBeUndefined();
});

test('a long or scrolling touch places no call @exhaustive', async ({ calls, tab }) => {
  await open(tab);
  const at = await tab.pointOfText(number.text);
  const long: readonly PointerStep[] = [
    { move: at },
    { down: 0 },
    { waitMs: 700 },
    { move: shift(at, 2) },
    { up: 0 },
  ];
  const scroll: readonly PointerStep[] = [
    { move: at },
    { down: 0 },
    { move: shift(at, 0, -15) },
    { move: shift(at, 0, -30) },
    { move: shift(at, 0, -45) },
    { up: 0 },
  ];
  for (const steps of [long, long, scroll, scroll]) {
    await tab.gesture(steps, 'touch');
    await waitUntilClickable(tab);
  }
  await tab.evaluate('scrollTo(0, 0)');
  await honestCallOnly(calls, tab);
});

for (const [key, text] of Object.entries(walked)) {
  const tag = key === 'Enter' ? '' : ' @exhaustive';
  test(`a number reached by keyboard is dialled once by ${key}, which asks before a second call${tag}`, async ({
    workstation,
    calls,
    tab,
    browserUnderTest,
  }) => {
    await configure(own, workstation, ({ agent }) => {
      agent.askAgainSeconds = 600;
    });
    await tab.goto(pages.url(`/${key}`));
    await tab.activate();
    await until(async () => (await paintedNumbers(tab)).includes(text), 'the mark');
    await tab.click('#field');
    const act = async () => {
      await sendToContent(own, pages.url(`/${key}`), { type: 'background.step', to: 'next' });
      await until(() => partOf(tab, 'link'), 'the link under the keyboard');
      await waitUntilClickable(tab);
      if (key === 'command') {
        await sendToContent(own, pages.url(`/${key}`), { type: 'background.dialFocused' });
        await sendToContent(own, pages.url(`/${key}`), { type: 'background.dialFocused' });
      } else await tab.hold(key === 'Space' && browserUnderTest.name === 'chromium' ? ' ' : key);
    };
    const to = text.replace(/\D/g, '');
    await calls.expectOnly(act, to);
    await tab.activate();
    expect(await focused(tab)).toBe('field');
    await act();
    await until(async () => (await cardState(tab)) === 'confirm', 'the question');
    expect(await partOf(tab, 'card')).toMatchObject({
      text: expect.stringMatching(/You called this number/),
    });
    calls.expectNone();
    await configure(own, workstation, () => {}); // Nothing is asked a second time in other stories.
  });
}

test('a telephone link that a script focused is shown by Enter, not dialled @exhaustive', async ({
  calls,
  tab,
}) => {
  await open(tab);
  await tab.click('#field');
  await tab.evaluate(
    `document.querySelector('#field').addEventListener('keydown', () => document.querySelector('#link').focus())`,
  );
  await tab.press('x');
  expect(await focused(tab)).toBe('link');
  await tab.press('Enter');
  await tab.press('Enter');
  await until(() => partOf(tab, 'tip'), 'the tip');
  // Nor is one dialled that the page focuses in place of Tab.
  await tab.evaluate(
    `(document.querySelector('#field').addEventListener('keydown', (event) => event.preventDefault()), document.querySelector('#field').focus(), true)`,
  );
  await tab.press('Tab');
  expect(await focused(tab)).toBe('link');
  await until(() => partOf(tab, 'tip'), 'the tip');
  await waitUntilClickable(tab);
  await tab.press('Enter');
  await until(
    async () => /again/i.test((await partOf(tab, 'tip'))?.text ?? ''),
    'the tip that asks to press again',
  );
  await tab.press('Tab');
  await until(async () => (await partOf(tab, 'tip')) === undefined, 'the tip gone with the focus');
  await tab.evaluate(`document.querySelector('#field').blur()`);
  await honestCallOnly(calls, tab);
});

test('by keyboard alone, Tab, Enter or the arrows lead to the numbers where no shortcut does', async ({
  workstation,
  browserUnderTest,
  calls,
  tab,
}) => {
  await open(tab);
  const own = await ownPage(workstation);
  // Which shortcuts a browser under test has is its own business.
  await own.evaluate(
    `(globalThis.browser ?? chrome).commands.update?.({ name: 'next-number', shortcut: '' })`,
  );
  await tab.goto(pages.url('/'));
  await tab.activate();
  await until(async () => (await tab.count('html > dialmark-overlay[tabindex]')) === 1, 'the skip link');
  await tab.press('Tab');
  expect(await tab.evaluate('document.activeElement.localName')).toBe('dialmark-overlay');
  expect(await tab.attribute('html > dialmark-overlay', 'aria-label')).toMatch(/Enter/);
  const tipOf = async (number: string) =>
    until(async () => (await partOf(tab, 'title'))?.text.includes(number), `the tip of ${number}`);
  await tab.press('Enter');
  await tipOf('3322-9015');
  await tab.press('ArrowDown');
  await tipOf('3325-9015');
  await tab.press('ArrowUp');
  await tipOf('3322-9015');
  await waitUntilClickable(tab);
  await calls.expectOnly(() => tab.press('Enter'), number.to);
  // After a call the focus is on the skip link again. It stays there while another tab has the focus.
  const other = await browserUnderTest.newTab();
  await other.activate();
  await other.close();
  await tab.activate();
  await tab.press('Enter');
  await tipOf('3322-9015');
  await tab.press('ArrowDown');
  await tipOf('3325-9015');
  await waitUntilClickable(tab);
  await calls.expectOnly(() => tab.press('Enter'), '4833259015');
});

test('a telephone link focused by Tab is dialled by Enter', async ({ calls, tab }) => {
  await open(tab);
  const act = async () => {
    await tab.evaluate(
      `(document.activeElement.blur(), getSelection().collapse(document.querySelector('#bait'), 0))`,
    );
    await tab.press('Tab');
    // Our skip link comes first, where the browser under test has no shortcut.
    if ((await focused(tab)) !== 'link') await tab.press('Tab');
    expect(await focused(tab)).toBe('link');
    await until(() => partOf(tab, 'tip'), 'the tip');
    await waitUntilClickable(tab);
    await tab.hold('Enter');
  };
  await calls.expectOnly(act, linked.to);
});

test('the keyboard dials no number that is scrolled out of its box or covered @exhaustive', async ({
  calls,
  tab,
}) => {
  await open(tab);
  for (const change of [
    `document.querySelector('#box').scrollTop = 300`,
    `document.querySelector('#box').insertAdjacentHTML('beforebegin', '<div id="cover" style="position:absolute;z-index:9;width:900px;height:90px;background:#fff;pointer-events:none"></div>')`,
    `document.querySelector('#box').style.height = '1px'`,
  ]) {
    await tab.evaluate(
      `(document.querySelector('#cover')?.remove(), document.querySelector('#box').scrollTop = 0, true)`,
    );
    await until(async () => {
      await send({ type: 'background.step', to: 'next' });
      return (await partOf(tab, 'link'))?.attributes['aria-label']?.includes('3326-9015');
    }, 'the number in the box');
    await tab.evaluate(`(${change}, true)`);
    await waitUntilClickable(tab);
    await tab.press('Enter');
    await tab.press('Escape');
  }
  await honestCallOnly(calls, tab);
});

test('the keyboard walk skips numbers behind a modal dialog', async ({ tab }) => {
  await open(tab);
  await tab.evaluate(
    `(document.querySelector('#dialog').insertAdjacentHTML('beforeend', '<p>tel. (48) 3328-9015</p>'), document.querySelector('#dialog').showModal())`,
  );
  await until(async () => (await paintedNumbers(tab)).includes('(48) 3328-9015'), 'the mark in the dialog');
  for (let count = 0; count < 3; count++) {
    await send({ type: 'background.step', to: 'next' });
    const name = (await partOf(tab, 'link'))?.attributes['aria-label'] ?? '3328-9015';
    expect(name).toContain('3328-9015');
  }
});

test('one Escape closes our card, the next one the dialog of the page', async ({ tab }) => {
  await open(tab);
  await tab.evaluate(`document.querySelector('#dialog').showModal()`);
  await send({
    type: 'background.call',
    call: {
      id: 'A'.repeat(22),
      display: number.text,
      sentence: 'x',
      state: 'unknown',
      createdAt: new Date().toISOString(),
      changedAt: new Date().toISOString(),
    },
  });
  await until(() => cardState(tab), 'the card');
  const isOpen = () => tab.evaluate<boolean>(`document.querySelector('#dialog').open`);
  await tab.press('Escape');
  await until(async () => (await cardState(tab)) === undefined, 'the card closed');
  expect(await isOpen()).toBe(true);
  await tab.press('Escape');
  await until(async () => !(await isOpen()), 'the dialog closed');
});

test('a number is dialled while a question about another is open, which gives the focus back @exhaustive', async ({
  workstation,
  calls,
  tab,
}) => {
  await open(tab);
  await tab.evaluate(`document.querySelector('#link').textContent = '(48) 3322-0000'`);
  await clickNumber(tab, '(48) 3322-0000');
  await until(async () => (await cardState(tab)) === 'confirm', 'the question');
  expect(await focused(tab)).not.toBe('dialmark-overlay');
  await honestCallOnly(calls, tab);
  await callsFinished(workstation);
});
