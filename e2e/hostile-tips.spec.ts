/** What a page may do to our tip: its look and its place stay, and where it is covered, or its frame is, a click dials nothing. */
import type { Point, Tab } from '../testing/browsers/browser.ts';
import { resetToRelay } from '../testing/extension/ask-background.ts';
import { clickNumber, hoverText, waitUntilClickable } from '../testing/extension/marked-numbers.ts';
import { html, type ServedPages, servePages } from '../testing/servers/serve-pages.ts';
import { expect, test } from './fixtures.ts';

test.describe.configure({ mode: 'default' });

const bait = '(48) 3322-9015';
const honest = { text: '(48) 3323-9015', to: '4833239015' };
const number = `<p style="margin:120px 40px">Fale com <span id="number">${bait}</span> hoje</p>`;
const cover = 'position:fixed;inset:0;background:#fff;pointer-events:none';
const readTip = async (tab: Tab): Promise<Point> => {
  const at = await hoverText(tab, bait);
  await waitUntilClickable(tab);
  return at;
};

/** How our tip looks, and where: read in the page once the closed root is open. */
const looksOfTip = `(() => {
  const tip = document.querySelector('dialmark-overlay').shadowRoot.querySelector('.tip');
  const looks = [...tip.querySelectorAll('*'), tip].map((part) => {
    const { color, backgroundColor, fontSize, fontFamily, opacity, display, visibility, direction, animationName } = getComputedStyle(part);
    return { text: part.dataset.words, color, backgroundColor, fontSize, fontFamily, opacity, display, visibility, direction, animationName };
  });
  const { width, height } = tip.getBoundingClientRect();
  return { looks, size: [width, height].map((length) => Math.round(length / 4)) }; })()`;
const written = {
  'registers properties of the names that our style might use': `<script>
    for (const name of ['--accent', '--paper', '--ink', '--quiet', '--font', '--color', '--background'])
      CSS.registerProperty({ name, syntax: '<length>', inherits: true, initialValue: '0px' });</script>`,
  'sets everything that is inherited': `<style>html,body,dialmark-overlay{direction:rtl!important;unicode-bidi:bidi-override!important;
    color:transparent!important;font:1px serif!important;letter-spacing:9px!important;text-indent:99px!important;visibility:hidden!important;
    color-scheme:dark!important;--paper:transparent!important;line-height:0!important;text-transform:uppercase!important;writing-mode:vertical-rl!important;
    -webkit-text-fill-color:transparent!important;word-spacing:50px!important;zoom:1!important;opacity:1}body p{visibility:visible;color:#000;font:16px sans-serif;direction:ltr;writing-mode:horizontal-tb;letter-spacing:0}</style>`,
  'names fonts and animations as ours': `<style>@font-face{font-family:system-ui;src:local("Webdings")}@font-face{font-family:sans-serif;src:local("Webdings")}
    @keyframes in{from,to{opacity:0}}</style>`,
  'zooms its root': `<style>html{zoom:2}body{zoom:.5}</style>`,
  'makes its root tiny': `<style>html{zoom:.02}body{zoom:50}</style>`,
};

let pages: ServedPages;
test.beforeAll(async ({ workstation }) => {
  pages = await servePages({
    '/honest': html(`<p style="margin:120px 40px">ou ${honest.text}</p>`),
    '/written/honest': html(number),
    ...Object.fromEntries(
      Object.values(written).map((head, index) => [`/written/${index}`, html(number, head)]),
    ),
    '/framed': html(number),
    '/framed/busy': html(`${number}<script>
      addEventListener('message', () => { for (const end = performance.now() + 2_000; performance.now() < end;); });</script>`),
    '/covering': html(`<script>const over = (look) => {
        const layer = document.createElement('div'); layer.style.cssText = look; document.body.append(layer); };</script>
      <iframe id="frame" style="width:700px;height:400px;border:0"></iframe>`),
  });
  await resetToRelay(workstation);
});
test.afterAll(() => pages.close());

for (const [index, tries] of Object.keys(written).entries())
  test(`our tip looks as on an honest page where a page ${tries}${index > 0 ? ' @exhaustive' : ''}`, async ({
    tab,
  }) => {
    await tab.goto(pages.url('/written/honest'));
    await readTip(tab);
    await tab.openOverlay();
    const honestLooks = await tab.evaluate(looksOfTip);
    await tab.goto(pages.url(`/written/${index}`));
    const at = await readTip(tab);
    await tab.openOverlay();
    expect(await tab.evaluate(looksOfTip)).toEqual(honestLooks);
    const { left, top, right, bottom } = await tab.evaluate<DOMRect>(
      `document.querySelector('dialmark-overlay').shadowRoot.querySelector('.tip').getBoundingClientRect().toJSON()`,
    );
    expect(Math.max(left - at.x, at.x - right, top - at.y, at.y - bottom)).toBeLessThan(60);
  });

/** Opens the page of a site with a frame of ours, and waits until its number is marked. */
async function openAround(tab: Tab, host: 'enabled' | 'other', framed: string): Promise<void> {
  await tab.goto(pages.url('/covering', host));
  await tab.activate();
  await tab.evaluate(`new Promise((resolve) => { const frame = document.querySelector('#frame'); frame.onload = () => resolve(true);
    frame.src = ${JSON.stringify(pages.url(framed))}; })`);
  await waitUntilClickable(tab);
}
const inFrame = { x: 150, y: 130 };

/** Frames: the page around one covers it, where only Chromium says so. */
for (const [site, host] of [
  ['the same site', 'enabled'],
  ['another site', 'other'],
] as const)
  test(`no call is placed in a frame that a page of ${site} covers`, async ({ calls, tab }) => {
    await openAround(tab, host, '/framed');
    // The pointer comes to the number under the cover.
    await tab.evaluate(`(over('${cover}'), true)`);
    for (let count = 0; count < 3; count++) {
      await tab.moveTo({ x: inFrame.x + 1 + count, y: inFrame.y });
      await tab.moveTo(inFrame);
      await waitUntilClickable(tab);
      await tab.clickAt(inFrame);
    }
    await tab.goto(pages.url('/honest'));
    await calls.expectOnly(() => clickNumber(tab, honest.text), honest.to);
  });

test('no call is placed in a frame that another site covers while it is busy', async ({ calls, tab }) => {
  await openAround(tab, 'other', '/framed/busy');
  await tab.moveTo({ x: inFrame.x + 1, y: inFrame.y });
  await tab.moveTo(inFrame);
  await waitUntilClickable(tab);
  // Press and release wait in the busy frame, as does the browser's report that the frame is covered.
  await tab.evaluate(
    `(document.querySelector('#frame').contentWindow.postMessage('', '*'), over('${cover}'), true)`,
  );
  await waitUntilClickable(tab);
  await tab.gesture([{ down: 0 }, { up: 0 }]);
  await tab.goto(pages.url('/honest'));
  await calls.expectOnly(() => clickNumber(tab, honest.text), honest.to);
});

test('a number is dialled under the strictest policy of a page', async ({ calls, tab }) => {
  const strict = await servePages(
    { '/': html(number) },
    {
      'content-security-policy':
        "default-src 'none'; style-src 'none'; require-trusted-types-for 'script'; sandbox allow-scripts",
    },
  );
  await tab.goto(strict.url('/'));
  await calls.expectOnly(() => clickNumber(tab, bait), '4833229015');
  strict.close();
});
