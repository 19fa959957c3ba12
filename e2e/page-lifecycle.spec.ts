/** A page that the browser kept, one that is no HTML, one in a frame, and text that is typed by an input method. */
import type { Tab } from '../testing/browsers/browser.ts';
import type { ChromiumTab } from '../testing/browsers/chromium-tab.ts';
import { ask, ownPage, readyToDial, resetToRelay } from '../testing/extension/ask-background.ts';
import { cardState, clickNumber, paintedNumbers } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

/** Goes on until the story hangs up. */
const long = '(48) 3322-9002';
const shown = { text: '(48) 3323-9015', to: '4833239015' };

let pages: ServedPages;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/kept': html(`<p>Fale com ${shown.text} ou ${long}</p>
      <script>addEventListener('pageshow', ({ persisted }) => { window.cameBack = persisted; })</script>`),
    '/other': html('<p>Outra</p>'),
    '/favicon.ico': '',
    '/feed.xml': `<?xml version="1.0"?><feed><tel>${shown.text}</tel></feed>`,
    '/framed': html(`<p>Fale com ${long} ou ${shown.text}</p>
      <script>onmessage = ({ source }) =>
        source.postMessage(CSS.highlights.get('dialmark-number')?.size, '*')</script>`),
    '/framing': html('<iframe style="width:600px;height:300px"></iframe>'),
    '/named': html(`<p>Fale com ${shown.text}</p>
      <form name="host"><input name="title"><input name="children"><input name="parentNode">
        <input name="nextSibling"><input name="firstChild"></form>
      <p>Ou <span><form style="display: inline">${long}<input name="parentNode"></form></span></p>`),
    '/form': html(`<p>Fale com ${shown.text}</p>
      <form onsubmit="window.submitted = true; return false">
        <input id="field"><a href="tel:+554833229015"><button style="display: none">ligar</button></a>
      </form>`),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

const marked = (tab: Tab) => until(async () => (await paintedNumbers(tab)).includes(shown.text), 'the mark');

test('a page that comes back from the cache dials what its tip shows', async ({ calls, tab }) => {
  await tab.goto(pages.url('/kept'));
  await marked(tab);
  await tab.evaluate(`void setTimeout(() => { location.href = '/other'; })`);
  await until(async () => (await tab.url()).endsWith('/other'), 'the other page');
  await tab.evaluate('void setTimeout(() => history.back())');
  const isBack = () => tab.evaluate<boolean>('window.cameBack === true').catch(() => false);
  await until(isBack, 'the page from the cache');
  await calls.expectOnly(() => clickNumber(tab, shown.text), shown.to);
});

test('a data file that is a page of its own has no error of ours', async ({ tab }) => {
  await tab.goto(pages.url('/kept'));
  await marked(tab);
  await tab.goto(pages.url('/feed.xml'));
  await tab.goto(pages.url('/kept'));
  await marked(tab);
  expect(tab.errors()).toEqual([]);
});

test('a frame of an enabled site in another page stays marked after a change of the settings', async ({
  workstation,
  tab,
}) => {
  await tab.goto(pages.url('/framing', 'other'));
  await tab.evaluate(`new Promise((resolve) => Object.assign(document.querySelector('iframe'), {
    onload: () => resolve(true), src: ${JSON.stringify(pages.url('/framed'))} }))`);
  const marksInFrame = () =>
    tab.evaluate<number | undefined>(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => resolve(data), { once: true });
      document.querySelector('iframe').contentWindow.postMessage('', '*');
    })`);
  await until(async () => (await marksInFrame()) === 2, 'the marks');
  const own = await ownPage(workstation);
  const exclude = (isExcluded: boolean) =>
    ask(own, { type: 'page.excludeNumber', host: '127.0.0.1', number: '+55 48 3322-9002', isExcluded });
  await exclude(true);
  await until(async () => (await marksInFrame()) === 1, 'the mark that is left');
  await exclude(false);
});

test('a number beside a form with fields named like properties of nodes is dialled', async ({
  calls,
  tab,
}) => {
  await tab.goto(pages.url('/named'));
  await marked(tab);
  await until(async () => (await paintedNumbers(tab)).includes(long), 'the mark behind the form');
  await tab.click('[name=title]');
  await calls.expectOnly(() => clickNumber(tab, shown.text), shown.to);
});

test('the Enter that ends an input method neither dials nor changes what is typed @chromium', async ({
  calls,
  tab,
}) => {
  await tab.goto(pages.url('/form'));
  await marked(tab);
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
  await calls.expectOnly(() => clickNumber(tab, shown.text), shown.to);
});

test('a live call stays in its page while the browser discards the tab', async ({ workstation, tab }) => {
  const own = await ownPage(workstation);
  await readyToDial(own);
  await tab.goto(pages.url('/kept'));
  await clickNumber(tab, long);
  await until(() => cardState(tab), 'the card');
  await own.activate();
  // Chromium ends the driver's connection to the tab, so the extension itself looks for the card, at each point.
  const inTab = (expression: string) =>
    own.evaluate(`(async () => {
      const api = globalThis.browser ?? chrome;
      const tab = (await api.tabs.query({})).find(({ url }) => url?.endsWith('/kept'));
      return tab ? ${expression} : null;
    })()`);
  await inTab('void (await api.tabs.discard(tab.id))');
  await inTab('void (await api.tabs.update(tab.id, { active: true }))');
  const card = `(await api.scripting.executeScript({ target: { tabId: tab.id }, func: () => {
      for (let x = 0; x < innerWidth; x += 20)
        for (let y = 0; y < innerHeight; y += 20)
          if (document.elementFromPoint(x, y)?.localName === 'dialmark-overlay') return true;
    } }).catch(() => []))[0]?.result ?? false`;
  await until(() => inTab(card), 'the card in the page that was loaded again');
  workstation.sandbox.hangUp(workstation.sandbox.calls.at(-1)?.callid ?? '');
});
