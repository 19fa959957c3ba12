/** Numbers inside the page's modal dialogs or on its full screen, which make everything outside of them inert. */
import type { Point, Tab } from '../testing/browsers/browser.ts';
import { ownPage, resetToRelay, sendToContent } from '../testing/extension/ask-background.ts';
import {
  callsFinished,
  cardState,
  clickHangUp,
  clickNumber,
  paintedNumbers,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

/** A line that refuses at once. */
const number = { text: '(48) 3351-9015', to: '4833519015' };
const content = `<p>Tel. <span>${number.text}</span></p><button>Fechar</button>`;
const show = `document.querySelector('dialog').showModal()`;

const dialogs: Readonly<Record<string, string>> = {
  'a modal dialog': html(`<p>Ana</p><dialog>${content}</dialog><script>${show}</script>`),
  'a modal dialog inside another': html(
    `<dialog><p>Ana</p><dialog id="inner">${content}</dialog></dialog>
    <script>${show}; document.querySelector('#inner').showModal()</script>`,
  ),
  'a modal dialog in a shadow root': html(
    `<div id="host"></div>
    <script>
      const root = document.querySelector('#host').attachShadow({ mode: 'open' });
      root.innerHTML = '<dialog>${content}</dialog>';
      root.querySelector('dialog').showModal();
    </script>`,
  ),
};
const fullScreen = html(
  `<main style="background:#fff">${content}</main>
  <button id="full" onclick="document.querySelector('main').requestFullscreen()">Tela cheia</button>`,
);
const middleOfNumber = `(() => {
  const root = document.querySelector('#host')?.shadowRoot ?? document;
  const { left, top, width, height } = root.querySelector('span').getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
})()`;
const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`;
const modal = 'a modal dialog';
const full = 'a full screen';

let pages: ServedPages;
let own: Tab;
test.beforeAll(async ({ workstation }) => {
  await resetToRelay(workstation);
  own = await ownPage(workstation);
  pages = await servePages(
    Object.fromEntries(
      Object.entries({ ...dialogs, [full]: fullScreen }).map(([name, page]) => [pathOf(name), page]),
    ),
  );
});
test.afterAll(() => pages.close());

const open = async (tab: Tab, name: string) => {
  await tab.goto(pages.url(pathOf(name)));
  await tab.activate();
};
const beginFullScreen = async (tab: Tab) => {
  await tab.click('#full');
  await until(() => tab.evaluate(`document.fullscreenElement?.localName === 'main'`), 'the full screen');
};
const isCard = (tab: Tab, state: string) =>
  until(async () => (await cardState(tab)) === state, `the card in ${state}`);

/** A call that goes on, whose card has the button that hangs up. */
async function showCall(tab: Tab, name = modal): Promise<void> {
  const at = new Date().toISOString();
  const call = { id: 'A'.repeat(22), display: number.text, sentence: 'x', state: 'callingCallee' };
  const news = { type: 'background.call', call: { ...call, canHangUp: true, createdAt: at, changedAt: at } };
  await until(
    async () => (await sendToContent(own, pages.url(pathOf(name)), news)).length,
    'our script in the page',
  );
  await isCard(tab, 'callingCallee');
}
const hangUp = async (tab: Tab) => {
  await waitUntilClickable(tab);
  await clickHangUp(tab);
  // The relay does not know this call.
  await isCard(tab, 'error');
};

for (const name of Object.keys(dialogs))
  test(`a number in ${name} is dialled by a click`, async ({ workstation, calls, tab }) => {
    await callsFinished(workstation);
    await open(tab, name);
    const click = async () => {
      await until(async () => (await paintedNumbers(tab)).length, 'the mark');
      const at = await tab.evaluate<Point>(middleOfNumber);
      await tab.moveTo({ x: at.x + 1, y: at.y });
      await tab.moveTo(at);
      await until(() => partOf(tab, 'tip'), 'the tip');
      await waitUntilClickable(tab);
      await tab.clickAt(at);
    };
    await calls.expectOnly(click, number.to);
  });

test('the card of a call can be pressed while a modal dialog is open', async ({ tab }) => {
  await open(tab, modal);
  await showCall(tab);
  await hangUp(tab);
});

test('the card of a call can be pressed in a dialog that opens after it', async ({ tab }) => {
  await open(tab, modal);
  await tab.evaluate(`document.querySelector('dialog').close()`);
  await showCall(tab);
  await tab.evaluate(show);
  await hangUp(tab);
});

test('the card of a call can be pressed on a full screen that begins after it', async ({ tab }) => {
  await open(tab, full);
  await showCall(tab, full);
  await beginFullScreen(tab);
  await hangUp(tab);
});

for (const [closes, how] of [
  ['closed', `document.querySelector('dialog').close()`],
  ['removed', `document.querySelector('dialog').remove()`],
] as const)
  test(`the card of a call stays when the dialog that it is in is ${closes}`, async ({ tab }) => {
    await open(tab, modal);
    await showCall(tab);
    await waitUntilClickable(tab);
    await tab.evaluate(how);
    await hangUp(tab);
  });

test('a dialog has no element of ours once the card is gone', async ({ tab }) => {
  await open(tab, modal);
  const dialog = () => tab.evaluate<string>(`document.querySelector('dialog').outerHTML`);
  const before = await dialog();
  await showCall(tab);
  expect(await dialog()).not.toBe(before);
  await tab.clickInOverlay({ selector: { attribute: ['class', 'close'] } });
  await until(async () => (await cardState(tab)) === undefined, 'the card closed');
  expect(await dialog()).toBe(before);
});

test('a number on the full screen is dialled by a click', async ({ workstation, calls, tab }) => {
  await open(tab, full);
  await until(async () => (await paintedNumbers(tab)).includes(number.text), 'the mark');
  await beginFullScreen(tab);
  const act = () => clickNumber(tab, number.text);
  await calls.expectOnly(act, number.to);
  // Another tab in front, which waited for the call, has ended it in Firefox.
  await tab.evaluate('document.fullscreenElement && document.exitFullscreen()');
  await clickNumber(tab, number.text);
  await until(() => cardState(tab), 'the card after the full screen');
  await callsFinished(workstation);
});
