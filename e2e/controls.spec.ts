/** Numbers in the page's own links, buttons and fields: every click and key stays the page's, and our button beside them calls. */
import { nameAmong } from '../extension/background/numbers/name-among.ts';
import type { NumberOnPage } from '../extension/messages/views.ts';
import type { Point, Tab } from '../testing/browsers/browser.ts';
import { ask, ownPage, resetToRelay, sendToContent } from '../testing/extension/ask-background.ts';
import {
  cardState,
  hoverText,
  paintedNumbers,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

let pages: ServedPages;

test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/': html(
      `<style>p { margin: 0 0 44px } input, textarea { font: inherit; width: 220px }</style>
      <p><a id="link" href="#went">Ana (48) 3322-9015</a> <a href="#next">(48) 3322-9115</a></p>
      <p><button id="button" onclick="location.hash = 'pressed'">Ligar (48) 3323-9015</button></p>
      <p><a id="whatsapp" href="https://wa.me/5548991129015">WhatsApp</a></p>
      <p role="listbox"><span role="option" tabindex="-1">Bia (48) 3324-9015</span></p>
      <p><label>Telefone <input id="phone" type="tel" value="(48) 3325-9015"></label> <button id="save">Salvar</button></p>
      <p><label>Celular <select id="select"><option value="7">(48) 99113-9015</option></select></label></p>
      <p><span style="position:relative;display:inline-block"><span style="position:absolute;inset:0"><input id="over" role="combobox" readonly style="all:unset;width:100%;opacity:0"></span>
        <span style="pointer-events:none">(48) 3335-9015</span></span> <span style="display:inline-grid"><span style="grid-area:1/1">(48) 3339-9015</span>
        <span style="grid-area:1/1"><input role="combobox" style="all:unset;width:2px"></span></span>
        <span style="position:relative">(48) 3340-9015<input id="chosen" role="combobox" readonly value="7" style="all:unset;position:absolute;inset:0;opacity:0"></span> <b role="combobox" tabindex="0">(48) 3336-9015</b> <label id="choice"><input type="radio"> (48) 3337-9015</label>
        <input id="whole" disabled value="+55 48 3326-9015"> <input id="order" name="order" value="4833279015"></p>
      <p><input id="password" type="password" value="(48) 3328-9015"> <input id="card" aria-label="Telefone" autocomplete="cc-number" value="(48) 3328-9115"></p>
      <svg width="300" height="30"><text x="5" y="20">(48) 3329-9015</text></svg>
      <p><x-button onclick="location.hash = 'slotted'">(48) 3333-9015<template shadowrootmode="open"><button><slot></slot></button></template></x-button>
        <x-title id="fallback"><template shadowrootmode="open"><button><slot>(48) 3338-9015</slot></button></template></x-title></p>
      <x-card>(48) 3334-9015<template shadowrootmode="open"><div style="padding: 4px"><slot></slot></div></template></x-card>
      <p><input id="note" style="width:400px" value="Ligar (48) 3341-9015 após 14h, ou (48) 3342-9015"> <label>Contato <input id="contact" value="4833459015"></label></p>
      <div contenteditable="true" role="textbox" aria-readonly="true">Recado de (48) 3343-9015 hoje</div>
      <div contenteditable="true" role="textbox">Rascunho (48) 3344-9015</div><div id="late"></div>
      <p>Texto (48) 3321-9015</p><p><a id="tel" href="tel:+554833309015">Central</a></p>
      <p>Carla <a href="tel:4833319015">(48) 3331-9015</a> <a href="tel:4833329015" data-dialmark="off">Casa</a></p>`,
      `<script>
        window.heard = [];
        for (const type of ['mousedown', 'mouseup', 'click', 'focusin', 'focusout', 'input', 'change', 'keydown'])
          addEventListener(type, ({ target }) => heard.push(type + ' ' + target.localName), true);
      </script>`,
    ),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

const title = async (tab: Tab) => (await partOf(tab, 'title'))?.text ?? '';
const tipWith = (tab: Tab, digits: string) =>
  until(
    async () => (await title(tab)).includes(digits) && (await partOf(tab, 'call')) !== undefined,
    `the tip and button of ${digits}`,
  );
const middleOf = (tab: Tab, selector: string) =>
  tab.evaluate<Point>(`(() => { const element = document.querySelector('${selector}');
    element.scrollIntoView({ block: 'nearest' });
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })()`);
const hover = async (tab: Tab, { x, y }: Point) => {
  await tab.moveTo({ x: x + 1, y });
  await tab.moveTo({ x, y });
};

async function open(tab: Tab): Promise<void> {
  await tab.goto(pages.url('/'));
  await tab.activate();
  await until(async () => (await paintedNumbers(tab)).includes('(48) 3321-9015'), 'the marks');
}

/** The page's numbers as the popup lists them. */
async function listedNumbers(own: Tab): Promise<NumberOnPage[]> {
  const tabId = await own.evaluate<number>(`(globalThis.browser ?? chrome).tabs.query({})
    .then((tabs) => tabs.find(({ url }) => url?.startsWith(${JSON.stringify(pages.url('/'))})).id)`);
  return (await ask<NumberOnPage[]>(own, { type: 'page.numbersOnPage', tabId })).value;
}

test('a number in a link or field is called by our button, which the page does not notice', async ({
  calls,
  tab,
}) => {
  await open(tab);
  const page = `document.body.outerHTML + [...document.querySelectorAll('input')].map(({ value }) => value)`;
  const untouched = await tab.evaluate(page);
  for (const [index, { find, digits, to }] of [
    { find: () => tab.pointOfText('3322-9015'), digits: '3322-9015', to: '4833229015' },
    { find: () => middleOf(tab, '#phone'), digits: '3325-9015', to: '4833259015' },
    { find: () => tab.pointOfText('3339-9015'), digits: '3339-9015', to: '4833399015' },
  ].entries()) {
    const at = await find();
    await hover(tab, at);
    await tipWith(tab, digits);
    // The click on the number is the page's own.
    await tab.clickAt(at);
    expect(await tab.evaluate('location.hash')).toBe('#went');
    await hover(tab, at);
    await tipWith(tab, digits);
    await waitUntilClickable(tab);
    if (index === 0) await tab.openOverlay();
    await tab.evaluate('heard.splice(0)');
    const button = await tab.evaluate<Point>(`(() => { const box =
      document.querySelector('dialmark-overlay').shadowRoot.querySelector('.call').getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; })()`);
    const way = [0.2, 0.4, 0.6, 0.8, 1].map((share) => ({
      x: at.x + (button.x - at.x) * share,
      y: at.y + (button.y - at.y) * share,
    }));
    let heard: string[] = [];
    const act = async () => {
      await tab.gesture([...way.map((move) => ({ move })), { down: 0 }, { up: 0 }]);
      heard = await tab.evaluate('heard');
    };
    await calls.expectOnly(act, to);
    expect(heard.filter((event) => !event.endsWith('overlay'))).toEqual([]);
    await tab.activate();
    await tab.press('Escape'); // Closes the card.
  }
  expect(await tab.evaluate(page)).toBe(untouched);
});

test('numbers in every kind of control have the button, but secret fields are not read', async ({ tab }) => {
  await open(tab);
  for (const [selector, digits] of [
    ['#whatsapp', '99112-9015'],
    ['#select', '99113-9015'],
    ['#over', '3335-9015'],
    ['#chosen', '3340-9015'],
    ['#whole', '3326-9015'],
    ['#contact', '3345-9015'],
    ['#fallback', '3338-9015'],
  ] as const) {
    await tab.moveTo({ x: 1, y: 1 });
    await hover(tab, await middleOf(tab, selector));
    await tipWith(tab, digits);
  }
  for (const text of ['3323-9015', '3324-9015', '3336-9015', '3337-9015', '3333-9015']) {
    await hover(tab, await tab.pointOfText(text));
    await tipWith(tab, text);
  }
  await tab.clickAt(await tab.pointOfText('3337-9015'));
  expect(await tab.evaluate(`document.querySelector('#choice input').checked`)).toBe(true);
  await tab.clickAt(await tab.pointOfText('3333-9015'));
  expect(await tab.evaluate('location.hash')).toBe('#slotted');
  // Marks, as other text.
  for (const text of ['(48) 3329-9015', '(48) 3334-9015']) {
    await hoverText(tab, text);
    await until(async () => (await title(tab)).includes(text.slice(5)), `the tip of ${text}`);
    expect(await partOf(tab, 'call')).toBeUndefined();
  }
  for (const selector of ['#order', '#password', '#card']) {
    await hover(tab, await middleOf(tab, selector));
    await waitUntilClickable(tab);
    expect(await partOf(tab, 'tip')).toBeUndefined();
  }
});

test('a focused field offers the number that is in it now, which the command dials', async ({
  workstation,
  calls,
  tab,
}) => {
  await open(tab);
  const own = await ownPage(workstation);
  await tab.activate();
  await tab.moveTo({ x: 1, y: 1 });
  await tab.fill('#phone', '(48) 3331-901');
  await tab.moveTo({ x: 1, y: 1 });
  await tab.press('5');
  await tipWith(tab, '3331-9015');
  await waitUntilClickable(tab);
  expect(await tab.evaluate('document.activeElement.id')).toBe('phone');
  const act = async () => {
    await sendToContent(own, pages.url('/'), { type: 'background.dialFocused' });
  };
  await calls.expectOnly(act, '4833319015');
  // Escape would close the notice of the start, and the card of the end would come after it.
  await until(async () => (await cardState(tab)) === 'failed', 'the end in the page');
  await tab.activate();
  await tab.press('Escape');
  await tipWith(tab, '3331-9015');
  await tab.press('Escape');
  // If the reply to the request came after the event, it has shown the card once more. The last Escape closed that card.
  if (await partOf(tab, 'tip')) await tab.press('Escape');
  await until(async () => (await partOf(tab, 'tip')) === undefined, 'the tip closed by Escape');
});

test('a number that is none on this site stays the page’s in the address of a link, too @exhaustive', async ({
  workstation,
  calls,
  tab,
}) => {
  await open(tab);
  const own = await ownPage(workstation);
  const exclude = async (isExcluded: boolean) => {
    for (const number of ['+55 48 99112-9015', '+55 48 3330-9015'])
      await ask(own, { type: 'page.excludeNumber', host: '127.0.0.1', number, isExcluded });
  };
  await tab.activate();
  const links = ['#whatsapp', '#tel'];
  for (const selector of links) {
    await hover(tab, await middleOf(tab, selector));
    await until(async () => (await title(tab)) !== '', 'the tip');
  }
  await exclude(true);
  await tab.activate();
  // A control that shows something else is read again at once.
  await tab.evaluate(`document.querySelector('#whatsapp').append(' da loja')`);
  await tab.evaluate(`addEventListener('click', (event) => {
    heard.push((event.defaultPrevented ? 'prevented ' : 'left to ') + event.target.id); event.preventDefault(); })`);
  for (const selector of links) {
    await tab.moveTo({ x: 1, y: 1 });
    await until(async () => {
      await hover(tab, await middleOf(tab, selector));
      await waitUntilClickable(tab);
      return (await title(tab)) === '';
    }, `no tip beside ${selector}`);
    await tab.clickAt(await middleOf(tab, selector));
    expect(await tab.evaluate('heard.at(-1)')).toBe(`left to ${selector.slice(1)}`);
  }
  await tab.evaluate(`document.querySelector('#tel').focus()`);
  await tab.press('Enter');
  expect(await tab.evaluate('heard.at(-1)')).toBe('left to tel');
  const listed = (await listedNumbers(own)).map(({ number }) => number.display);
  expect(listed).toContain('+55 48 3321-9015');
  expect(listed).not.toContain('+55 48 99112-9015');
  await exclude(false);
  calls.expectNone();
});

test('the list has the numbers of controls, as the walk by keyboard has @exhaustive', async ({
  workstation,
  calls,
  tab,
}) => {
  await open(tab);
  const own = await ownPage(workstation);
  await tab.activate();
  const listed = await listedNumbers(own);
  const numbers = ['3322-9015', '3322-9115', '3323-9015', '99112-9015', '3324-9015', '3325-9015'].concat([
    '99113-9015',
    '3335-9015',
    '3339-9015',
    '3340-9015',
    '3336-9015',
    '3337-9015',
    '3326-9015',
    '3329-9015',
    '3334-9015',
    '3341-9015',
    '3342-9015',
    '3345-9015',
    '3343-9015',
    '3321-9015',
  ]);
  // Telephone links are in the list alone: the page's own focus reaches them.
  const links = ['3330-9015', '3331-9015'];
  const inRoots = ['3333-9015', '3338-9015'];
  expect(listed.map(({ number }) => number.display.replace('+55 48 ', ''))).toEqual([
    ...numbers,
    ...links,
    ...inRoots,
  ]);
  const names = [0, 5, 6, -4, -3].map((index) => nameAmong(listed.at(index)!.context));
  expect(names).toEqual(['Ana', undefined, undefined, 'Central', 'Carla']);
  for (const digits of [...numbers, ...inRoots, numbers[0]!]) {
    await sendToContent(own, pages.url('/'), { type: 'background.step', to: 'next' });
    expect((await partOf(tab, 'link'))?.attributes['aria-label']).toContain(digits);
  }
  await waitUntilClickable(tab);
  const act = () => tab.press('Enter');
  await calls.expectOnly(act, '4833229015');
  expect(await tab.evaluate('location.hash')).toBe('');
});

test('a number in prose of a field or of a read-only editor is called by the button beside it', async ({
  tab,
}) => {
  await open(tab);
  /** In the field, so many shares of its width from its start. */
  const inNote = (share: number) =>
    tab.evaluate<Point>(`(() => { const { left, top, height } = document.querySelector('#note').getBoundingClientRect();
      const canvas = new OffscreenCanvas(1, 1).getContext('2d'); canvas.font = getComputedStyle(document.querySelector('#note')).font;
      return { x: left + 3 + canvas.measureText(${JSON.stringify('Ligar (48) 3341-9015 após 14h, ou (48) 3342-9015')}.slice(0, ${share})).width, y: top + height / 2 }; })()`);
  await until(async () => {
    await hover(tab, await inNote(14));
    return (await title(tab)).includes('3341-9015') && partOf(tab, 'call');
  }, 'the button for the first number');
  await until(async () => {
    await hover(tab, await inNote(42));
    return (await title(tab)).includes('3342-9015') && partOf(tab, 'call');
  }, 'the button for the second number');
  await until(async () => {
    await hover(tab, await tab.pointOfText('3343-9015'));
    return (await title(tab)).includes('3343-9015') && partOf(tab, 'call');
  }, 'the button for the number in the editor');
  await hover(tab, await tab.pointOfText('3344-9015'));
  await waitUntilClickable(tab);
  expect(await title(tab)).not.toContain('3344-9015');
});

test('a shadow root that is attached to an element that was there is marked', async ({ tab }) => {
  await open(tab);
  await tab.evaluate(`(() => { const root = document.querySelector('#late').attachShadow({ mode: 'closed' });
    root.innerHTML = '<p>Tel. (48) 3345-9015</p>'; })()`);
  await until(async () => (await paintedNumbers(tab)).includes('(48) 3345-9015'), 'the mark in the new root');
});
