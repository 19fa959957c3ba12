/** Text that lets the pointer through to its own card, as SAP's cards and tags have it. It covers nothing, and reads as all text. */
import type { Tab } from '../testing/browsers/browser.ts';
import { resetToRelay } from '../testing/extension/ask-background.ts';
import {
  clickNumber,
  openWithMarks,
  partOf,
  pointAt,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { expect, test } from './fixtures.ts';

/** Lines that refuse at once. */
const inCard = { text: '(48) 3361-9015', to: '4833619015' };
const inTag = { text: '(48) 3362-9015', to: '4833629015' };
const behindCard = { text: '(48) 3363-9015' };

let pages: ServedPages;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/': html(
      `<style>.through { pointer-events: none } .card { padding: 8px; margin-bottom: 90px }</style>
      <div class="card" tabindex="0"><div class="through"><h3>Ana Souza</h3><p>Tel. ${inCard.text}</p></div></div>
      <p class="card">Rui Prado <x-tag>${inTag.text}</x-tag></p>
      <div class="card" style="background:white"><p class="through" style="position:relative;z-index:-1">Tel. ${behindCard.text}</p></div>
      <script>document.querySelector('x-tag').attachShadow({ mode: 'open' }).innerHTML =
        '<div style="display:inline-flex"><span style="pointer-events:none;overflow:hidden"><slot></slot></span></div>';</script>`,
    ),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

const open = (tab: Tab) => openWithMarks(tab, pages.url('/'), 3);

for (const [where, { text, to }] of [
  ['the text of a card', inCard],
  ['the slot of a tag', inTag],
] as const)
  test(`a number in ${where} that lets the pointer through is dialled`, async ({ calls, tab }) => {
    await open(tab);
    await calls.expectOnly(() => clickNumber(tab, text), to);
  });

test('a number that the background of its own card hides is not dialled', async ({ calls, tab }) => {
  await open(tab);
  const act = async () => {
    const at = await pointAt(tab, behindCard.text);
    await waitUntilClickable(tab);
    await tab.clickAt(at);
    await clickNumber(tab, inCard.text);
  };
  await calls.expectOnly(act, inCard.to);
});

test('a page whose body is disabled, as under an open menu, shows no tip', async ({ tab }) => {
  await open(tab);
  await tab.evaluate(`document.body.style.pointerEvents = 'none'`);
  await pointAt(tab, inCard.text);
  await waitUntilClickable(tab);
  expect(await partOf(tab, 'tip')).toBeUndefined();
});
