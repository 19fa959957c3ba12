/** Cards whose link or button is stretched over all of their text: it keeps every click, and our button beside the number calls. */
import type { Tab } from '../testing/browsers/browser.ts';
import { resetToRelay } from '../testing/extension/ask-background.ts';
import { openWithMarks, partOf, pointAt, waitUntilClickable } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

/** Lines that refuse at once. */
const stretched = { text: '(48) 3361-9015', to: '4833619015' };
const inset = { text: '(48) 3362-9015', to: '4833629015' };
const hidden = { text: '(48) 3363-9015', to: '4833639015' };
const cover = 'position:absolute;inset:0';

let pages: ServedPages;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/': html(
      `<style>.card { position: relative; padding: 8px; margin-bottom: 90px } .card > h3 > a::after { content: ""; ${cover} }</style>
      <div class="card"><h3><a href="#stretched">Ana Souza</a></h3><p>Tel. <span>${stretched.text}</span></p></div>
      <div class="card"><p>Tel. <span>${inset.text}</span></p><a href="#inset" aria-label="Rui" style="${cover}"></a></div>
      <div class="card"><p>Tel. <span>${hidden.text}</span></p><a href="#menu" style="${cover};background:white">Menu</a></div>`,
    ),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

const open = (tab: Tab) => openWithMarks(tab, pages.url('/'), 3);
const callButton = (tab: Tab) => until(() => partOf(tab, 'call'), 'our button');

for (const [how, { text, to }, hash] of [
  ['a link of another block', stretched, '#stretched'],
  ['a link without text', inset, '#inset'],
] as const)
  test(`a number under ${how} is called by our button`, async ({ calls, tab }) => {
    await open(tab);
    const act = async () => {
      const at = await pointAt(tab, text);
      await callButton(tab);
      await waitUntilClickable(tab);
      // The click on the card is the page's own.
      await tab.clickAt(at);
      expect(await tab.evaluate('location.hash')).toBe(hash);
      await pointAt(tab, text);
      await callButton(tab);
      await waitUntilClickable(tab);
      await tab.clickInOverlay({ selector: { attribute: ['class', 'call'] } });
    };
    await calls.expectOnly(act, to);
  });

test('a number that a link hides has no tip', async ({ tab }) => {
  await open(tab);
  await pointAt(tab, hidden.text);
  await waitUntilClickable(tab);
  expect(await partOf(tab, 'tip')).toBeUndefined();
  await pointAt(tab, inset.text);
  await callButton(tab);
});
