/** The commands for the next and the previous number, on a page with frames. */
import type { Tab } from '../testing/browsers/browser.ts';
import { resetToRelay } from '../testing/extension/ask-background.ts';
import { paintedNumbers, waitUntilClickable } from '../testing/extension/marked-numbers.ts';
import { runCommand } from '../testing/extension/run-command.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

/** Lines that refuse at once. */
const numbers = { top: '(48) 3371-9015', shadow: '(48) 3372-9015', last: '(48) 3373-9015' };
const frame = (id: string) =>
  `<iframe id="${id}" src="/${id}" style="display:block;border:0;width:500px;height:150px"></iframe>`;

let pages: ServedPages;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/': html(`<p>Central ${numbers.top}</p>${frame('editor')}<div id="host"></div>
      <script>document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '${frame('shadow')}';</script>
      ${frame('last')}`),
    '/editor': html('<p contenteditable>Nota</p>'),
    '/shadow': html(`<p>Ana ${numbers.shadow}</p>`),
    '/last': html(`<p>Rui ${numbers.last}</p>`),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

/** The frame whose number has the focus. */
const focusedFrame = (tab: Tab) =>
  tab.evaluate<string | undefined>(`(() => {
    let id = 'top';
    let focused = document.activeElement;
    while (focused && focused.localName !== 'dialmark-overlay') {
      if (focused.localName === 'iframe') id = focused.id;
      focused = focused.shadowRoot?.activeElement ?? focused.contentDocument?.activeElement;
    }
    return focused ? id : undefined;
  })()`);

test('commands lead through the numbers of all frames, from whichever has the focus', async ({
  workstation,
  calls,
  tab,
}) => {
  await tab.goto(pages.url('/'));
  await until(async () => (await paintedNumbers(tab)).includes(numbers.top), 'the mark');
  const step = async (command: Parameters<typeof runCommand>[1], to: string) => {
    await tab.activate();
    await runCommand(workstation.browser, command);
    await until(async () => (await focusedFrame(tab)) === to, `the number in ${to}`);
  };
  await tab.click('#editor');
  expect(await tab.evaluate('document.activeElement.id')).toBe('editor');
  await step('next-number', 'shadow');
  await step('next-number', 'last');
  await step('next-number', 'top');
  await step('previous-number', 'last');
  await waitUntilClickable(tab);
  await calls.expectOnly(() => tab.press('Enter'), '4833739015');
});
