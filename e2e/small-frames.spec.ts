/** Numbers in frames that are little larger than they are, as of mails in a ticket. */
import type { Point, Tab } from '../testing/browsers/browser.ts';
import { ownPage, readyToDial, resetToRelay } from '../testing/extension/ask-background.ts';
import { openedCallPage, waitUntilClickable } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { test } from './fixtures.ts';

/** A line that refuses at once. */
const number = { text: '(48) 3371-9015', to: '4833719015' };
const heights = { line: 40, paragraph: 90 };
const frameOf = (height: number) =>
  html(`<iframe src="/mail" style="position:absolute;left:0;top:0;width:400px;height:${height}px;border:0"></iframe>
    <p style="margin-top:200px">Chamado</p>`);

let pages: ServedPages;
let own: Tab;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/mail': html(
      `<style>body { margin: 0 }</style><p style="margin:10px">Ligar <span>${number.text}</span></p>`,
    ),
    '/line': frameOf(heights.line),
    '/paragraph': frameOf(heights.paragraph),
  });
  await resetToRelay(workstation);
  own = await ownPage(workstation);
});
test.afterAll(() => pages.close());

const inFrame = (script: string) => `(({ contentWindow }) => contentWindow.eval(${JSON.stringify(script)}))(
  document.querySelector('iframe'))`;

async function clickNumber(tab: Tab): Promise<void> {
  await tab.activate();
  await until(() => tab.evaluate(inFrame(`CSS.highlights.get('dialmark-number')?.size`)), 'the mark');
  const at = await tab.evaluate<Point>(
    inFrame(`(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 }))(
      document.querySelector('span').getBoundingClientRect())`),
  );
  await tab.moveTo({ x: at.x + 1, y: at.y });
  await tab.moveTo(at);
  await until(
    () => tab.evaluate(inFrame(`document.querySelector('dialmark-overlay')?.matches(':popover-open')`)),
    'the tip',
  );
  await waitUntilClickable(tab);
  await tab.clickAt(at);
}

test('a number in a frame of one paragraph is dialled by a click', async ({ calls, tab }) => {
  await tab.goto(pages.url('/paragraph'));
  await calls.expectOnly(() => clickNumber(tab), number.to);
});

test('a number in a frame of one line is asked about on our own page', async ({
  workstation,
  calls,
  tab,
}) => {
  await readyToDial(own);
  await tab.goto(pages.url('/line'));
  await clickNumber(tab);
  const opened = await openedCallPage(workstation, '3371');
  calls.expectNone();
  await opened.close();
});
