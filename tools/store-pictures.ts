/**
 * Draws the stores' pictures from the real extension in a real Chromium, with sandbox and relay: `node --import tsx
 * tools/store-pictures.ts`. Each language gets five pictures of 1280x800 and a tile of 440x280 in `docs/images/store/`.
 * The README shows some of these pictures.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { chooseLanguage, text } from '../extension/text.ts';
import type { ChromiumBrowser } from '../testing/browsers/chromium.ts';
import type { ChromiumTab } from '../testing/browsers/chromium-tab.ts';
import { root } from '../testing/child.ts';
import { callsFinished, cardState, clickNumber, pointAtNumber } from '../testing/extension/marked-numbers.ts';
import { openOptions } from '../testing/extension/options-page.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';

const folder = path.join(root, 'docs/images/store');
const languages = ['en', 'pt_BR', 'es'] as const;
const size = { width: 1280, height: 800 };
const panel = { width: 400, height: 800 };
/** The number on the contact's page, and the numbers of earlier calls: answered, busy, answered and handed on. */
const number = '(48) 3322-4455';
const earlier = ['11 3350-9004', '11 3350-9007', '48 3322-4455'];
const abroad = '+351 21 123 4567';
/** The tab that shows our own markup. */
let shown: Page | undefined;

const workstation = await openWorkstation<ChromiumBrowser>('chromium', { sandbox: { speed: 2 } });
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await workstation.setUp();
  await workstation.enableSite('127.0.0.1');
  await placeCalls(workstation);
  for (const language of languages) await draw(workstation, language);
} finally {
  await workstation.close();
}

/** Fills the history. */
async function placeCalls(from: Workstation): Promise<void> {
  const popup = await openPage(from, 'popup/index.html');
  for (const typed of earlier) {
    const before = from.sandbox.calls.length;
    await popup.fill('#dial-input', typed);
    await popup.press('Enter');
    await until(() => from.sandbox.calls.length > before, `the call to ${typed}`);
    await callsFinished(from);
  }
  await popup.close();
}

async function draw(from: Workstation<ChromiumBrowser>, language: (typeof languages)[number]): Promise<void> {
  chooseLanguage(language);
  await chooseAppearance(from, language);
  const save = async (page: Page, name: string) => {
    const file = path.join(folder, `${language}-${name}.jpg`);
    await page.screenshot({ path: file, type: 'jpeg', quality: 82, scale: 'css', animations: 'disabled' });
    console.log(path.relative(root, file));
  };

  const crm = (await from.openTab(`${from.sandbox.url}/crm/`)) as ChromiumTab;
  await pointAtNumber(crm, number);
  await save(crm.page, '1-tip');
  await clickNumber(crm, number);
  await until(async () => (await cardState(crm)) === 'callingCaller', 'the card of the call');
  // A screenshot does not end animations in our closed root.
  await crm.openOverlay();
  const animations = `document.querySelector('dialmark-overlay')
    .shadowRoot.querySelector('.root').getAnimations({ subtree: true })`;
  await until(() => crm.evaluate<boolean>(`${animations}.length === 0`), 'the card to have appeared');
  await save(crm.page, '2-call');
  await until(async () => (await cardState(crm)) === 'disconnected', 'the end of the call');
  await callsFinished(from);

  const popup = await openPage(from, 'popup/index.html');
  await popup.setViewport(panel);
  await until(() => popup.count('#recent li'), 'the recent calls');
  await popup.click('#recent li summary');
  await popup.evaluate('scrollTo(0, 0)');
  await crm.setViewport({ width: size.width - panel.width, height: size.height });
  await crm.moveTo({ x: 4, y: 4 });
  await save(await beside(from, crm.page, popup.page), '3-panel');

  await popup.fill('#dial-input', abroad);
  await popup.press('Enter');
  await until(() => popup.count('#confirm'), 'the question');
  await save(await beside(from, crm.page, popup.page), '4-question');
  await popup.close();
  await crm.close();

  const options = (await openOptions(from)) as ChromiumTab;
  await save(options.page, '5-settings');
  await options.close();
  await drawTile(from, save);
}

async function chooseAppearance(from: Workstation, language: string): Promise<void> {
  const options = await openOptions(from);
  await options.select('#language', language);
  if ((await options.attribute('#save', 'disabled')) === null) await options.click('#save');
  await until(
    async () => (await options.attribute('html', 'lang')) === language.replace('_', '-'),
    `the options in ${language}`,
  );
  await options.close();
}

async function openPage(from: Workstation, page: string): Promise<ChromiumTab> {
  const tab = await from.browser.newTab(`${from.browser.extensionOrigin}/extension/pages/${page}`);
  await until(() => tab.count('h1:not(.visually-hidden), h2, #dial-input'), page);
  return tab as ChromiumTab;
}

/** A page that shows two others side by side, as a side panel and a website are shown. */
async function beside(from: Workstation<ChromiumBrowser>, site: Page, own: Page): Promise<Page> {
  const pictures = [];
  for (const page of [site, own]) {
    await page.bringToFront();
    pictures.push(
      `data:image/png;base64,${(await page.screenshot({ animations: 'disabled' })).toString('base64')}`,
    );
  }
  return show(from, size, pictures.map((source) => `<img src="${source}">`).join(''), 'display: flex');
}

async function drawTile(
  from: Workstation<ChromiumBrowser>,
  save: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const icon = (await readFile(path.join(root, 'extension/icons/128.png'))).toString('base64');
  const style = `display: grid; place-content: center; justify-items: center; gap: 10px;
    padding: 0 36px; text-align: center;
    font: 17px/1.35 system-ui; color: #1c1e21; background: #eef4fd; box-sizing: border-box; height: 280px`;
  const markup = `<img src="data:image/png;base64,${icon}" width="72" height="72">
    <b style="font-size: 34px">Dialmark</b>
    <span>${text('manifest_description')}</span>`;
  await save(await show(from, { width: 440, height: 280 }, markup, style), 'tile');
}

/** Shows markup of ours in a tab of its own. */
async function show(
  { browser }: Workstation<ChromiumBrowser>,
  viewport: { width: number; height: number },
  markup: string,
  style: string,
): Promise<Page> {
  shown ??= await browser.context.newPage();
  await shown.setViewportSize(viewport);
  await shown.setContent(`<body style="margin: 0; ${style}">${markup}</body>`);
  await shown.bringToFront();
  return shown;
}
