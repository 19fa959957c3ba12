/** A page that the browser kept, one that is no HTML, and text that is typed by an input method. */
import type { Tab } from '../testing/browsers/browser.ts';
import type { ChromiumTab } from '../testing/browsers/chromium-tab.ts';
import { resetToRelay } from '../testing/extension/ask-background.ts';
import { clickNumber, onlyThisDials, paintedNumbers } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

const shown = { text: '(48) 3323-9015', to: '4833239015' };

let pages: ServedPages;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/kept': html(`<p>Fale com ${shown.text}</p>
      <script>addEventListener('pageshow', ({ persisted }) => { window.cameBack = persisted; })</script>`),
    '/other': html('<p>Outra</p>'),
    '/favicon.ico': '',
    '/feed.xml': `<?xml version="1.0"?><feed><tel>${shown.text}</tel></feed>`,
    '/form': html(`<p>Fale com ${shown.text}</p>
      <form onsubmit="window.submitted = true; return false">
        <input id="field"><a href="tel:+554833229015"><button style="display: none">ligar</button></a>
      </form>`),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

const marked = (tab: Tab) => until(async () => (await paintedNumbers(tab)).includes(shown.text), 'the mark');

test('a page that comes back from the cache dials what its tip shows', async ({ workstation, tab }) => {
  await tab.goto(pages.url('/kept'));
  await marked(tab);
  const before = workstation.sandbox.calls.length;
  await tab.evaluate(`void setTimeout(() => { location.href = '/other'; })`);
  await until(async () => (await tab.url()).endsWith('/other'), 'the other page');
  await tab.evaluate('void setTimeout(() => history.back())');
  const isBack = () => tab.evaluate<boolean>('window.cameBack === true').catch(() => false);
  await until(isBack, 'the page from the cache');
  const dialled = await onlyThisDials(workstation, before, () => clickNumber(tab, shown.text), shown.to);
  expect(dialled).toEqual([shown.to]);
});

test('a data file that is a page of its own has no error of ours', async ({ tab }) => {
  await tab.goto(pages.url('/kept'));
  await marked(tab);
  await tab.goto(pages.url('/feed.xml'));
  await tab.goto(pages.url('/kept'));
  await marked(tab);
  expect(tab.errors()).toEqual([]);
});

test('the Enter that ends an input method neither dials nor changes what is typed @chromium', async ({
  workstation,
  tab,
}) => {
  await tab.goto(pages.url('/form'));
  await marked(tab);
  const before = workstation.sandbox.calls.length;
  await tab.click('#field');
  const { page } = tab as ChromiumTab;
  const session = await page.context().newCDPSession(page);
  const composing = { selectionStart: 2, selectionEnd: 2 };
  await session.send('Input.imeSetComposition', { text: 'かな', ...composing });
  // As systems send the key that an input method takes.
  for (const key of ['Process', 'Enter'])
    for (const type of ['rawKeyDown', 'keyUp'] as const)
      await session.send('Input.dispatchKeyEvent', { type, key, windowsVirtualKeyCode: 229 });
  await session.send('Input.insertText', { text: '仮名' });
  expect(await tab.evaluate(`document.querySelector('#field').value`)).toBe('仮名');
  expect(await tab.evaluate('window.submitted ?? false')).toBe(false);
  const dialled = await onlyThisDials(workstation, before, () => clickNumber(tab, shown.text), shown.to);
  expect(dialled).toEqual([shown.to]);
});
