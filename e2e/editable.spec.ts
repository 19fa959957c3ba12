/** A note that the page makes editable in its place, and not editable again. */
import type { Tab } from '../testing/browsers/browser.ts';
import { ownPage, resetToRelay, sendToContent } from '../testing/extension/ask-background.ts';
import { clickNumber, paintedNumbers, pointAtNumber } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

const shown = { text: '(48) 3323-9015', to: '4833239015' };

let pages: ServedPages;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/note': html(`<section id="note"><p>Recado:</p><p>Ligar para ${shown.text} hoje</p></section>
      <p><button id="edit" onclick="note.contentEditable = 'true'">Editar</button>
      <button id="done" onclick="note.contentEditable = 'false'">Pronto</button></p>
      <section contenteditable id="draft"><p>Rascunho para (48) 3322-9001</p></section>
      <button id="send" onclick="draft.removeAttribute('contenteditable')">Enviar</button>`),
    '/mail': html(`<p>Responder a (48) 3322-9002</p><script>document.designMode = 'on'</script>`),
    '/toggle': html(`<p>Ligar para ${shown.text} hoje</p>
      <button id="edit" onclick="document.designMode = 'on'">Editar</button>`),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

const marked = (tab: Tab, ...texts: string[]) =>
  until(
    async () => {
      const painted = await paintedNumbers(tab);
      return painted.length === texts.length && texts.every((text) => painted.includes(text));
    },
    `the marks of ${texts.join(' and ') || 'no number'}`,
  );

test('a number in a note dials only while the note is not being edited', async ({ calls, tab }) => {
  await tab.goto(pages.url('/note'));
  await marked(tab, shown.text);
  const at = await pointAtNumber(tab, shown.text);
  await tab.click('#edit');
  await marked(tab);
  // The pointer rests as long as a tip would have to be shown for a click to dial.
  await tab.gesture([{ move: at }, { waitMs: 600 }, { down: 0 }, { up: 0 }]);
  // The caret is in the number, as the agent wanted.
  expect(await tab.evaluate('note.contains(getSelection().anchorNode)')).toBe(true);
  await tab.click('#done');
  await marked(tab, shown.text);
  await calls.expectOnly(() => clickNumber(tab, shown.text), shown.to);
});

test('marks the numbers of a draft once it can no longer be edited', async ({ tab }) => {
  await tab.goto(pages.url('/note'));
  await marked(tab, shown.text);
  await tab.click('#send');
  await marked(tab, shown.text, '(48) 3322-9001');
});

test('finds no number in a page that is an editor as a whole', async ({ workstation, tab }) => {
  const address = pages.url('/mail');
  await tab.goto(address);
  const own = await ownPage(workstation);
  const lists = await until(async () => {
    const replies = await sendToContent<unknown[]>(own, address, { type: 'background.list' });
    return replies.length > 0 && replies;
  }, 'the list of the page');
  expect(lists).toEqual([[]]);
  expect(await paintedNumbers(tab)).toEqual([]);
});

test('a click dials no number in a page that has become an editor', async ({ calls, tab }) => {
  await tab.goto(pages.url('/toggle'));
  await marked(tab, shown.text);
  await tab.click('#edit');
  const at = await tab.pointOfText(shown.text);
  await tab.gesture([{ move: at }, { waitMs: 600 }, { down: 0 }, { up: 0 }]);
  await marked(tab);
  await tab.goto(pages.url('/note'));
  await marked(tab, shown.text);
  await calls.expectOnly(() => clickNumber(tab, shown.text), shown.to);
});
