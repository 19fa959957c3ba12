/** What is asked before a call is answered by a fresh press on a page of ours, and by nothing else. */
import type { Tab } from '../testing/browsers/browser.ts';
import {
  ask,
  ownPage,
  readyToDial,
  resetExtension,
  resetToRelay,
} from '../testing/extension/ask-background.ts';
import {
  callsFinished,
  clickNumber,
  openedCallPage,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { html, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

let own: Tab;
test.beforeAll(async ({ workstation }) => {
  await resetToRelay(workstation, ({ agent }) => {
    agent.askAgainSeconds = 60;
  });
  own = await ownPage(workstation);
});
test.afterAll(async ({ workstation }) => {
  // Leaves no minute in which the stories of other files are asked.
  await resetExtension(workstation);
});

async function openOwn(workstation: Workstation, page: string, ready: string): Promise<Tab> {
  const tab = await workstation.browser.newTab(
    `${workstation.browser.extensionOrigin}/extension/pages/${page}`,
  );
  await until(() => tab.count(ready), ready);
  await tab.activate();
  return tab;
}
const focused = (tab: Tab) => tab.evaluate<string>('document.activeElement?.id ?? ""');

test('Enter held down in the popup asks, but confirms nothing until it is pressed afresh', async ({
  workstation,
  calls,
}) => {
  const popup = await openOwn(workstation, 'popup/index.html', '#dial-input');
  await popup.fill('#dial-input', '+49 30 22730027');
  // More than a second: longer than the question ignores clicks.
  await popup.hold('Enter', 40);
  await until(async () => (await focused(popup)) === 'confirm-yes', 'the question');
  calls.expectNone();
  await popup.press('Escape');
  await until(async () => (await popup.count('#confirm')) === 0, 'the question to go');
  await popup.close();
});

test('Enter held down on the call page, which shows why it asks, places one call', async ({
  workstation,
}) => {
  const page = await openOwn(workstation, 'call/index.html?u=%2B49%2030%2022730027', '#call-button');
  const before = workstation.sandbox.calls.length;
  await until(async () => (await focused(page)) === 'call-button', 'the button');
  await waitUntilClickable(page);
  await page.hold('Enter', 40);
  await until(() => workstation.sandbox.calls.length > before, 'the call');
  await callsFinished(workstation);
  expect(workstation.sandbox.calls).toHaveLength(before + 1);
  await page.close();
});

test('an emergency number is refused on the call page before it says what it dials', async ({
  workstation,
}) => {
  const page = await openOwn(workstation, 'call/index.html?u=tel:190', '#not-allowed');
  expect(await page.text('#not-allowed')).toMatch(/emergency/i);
  expect(await page.text('main')).not.toContain('Dials');
  expect(await page.count('#call-button')).toBe(0);
  expect(await page.count('#call-close')).toBe(1);
  await page.close();
});

test('a second call to the same number within a minute asks first, also by redial', async ({
  workstation,
}) => {
  await readyToDial(own);
  const popup = await openOwn(workstation, 'popup/index.html', '#dial-input');
  const before = workstation.sandbox.calls.length;
  await popup.fill('#dial-input', '(11) 3350-9001');
  await popup.press('Enter');
  await until(() => workstation.sandbox.calls.length === before + 1, 'the first call');
  await readyToDial(own);
  await until(async () => (await popup.attribute('.redial', 'disabled')) === null, 'the end in the popup');
  await popup.click('.redial');
  await until(() => popup.count('#confirm'), 'the question');
  expect(await popup.text('#confirm-reason')).toMatch(/You called this number \d+ s ago/);
  expect(workstation.sandbox.calls).toHaveLength(before + 1);
  await until(async () => {
    if ((await popup.count('#confirm-yes')) > 0) await popup.click('#confirm-yes');
    return workstation.sandbox.calls.length === before + 2;
  }, 'the confirmed call');
  await readyToDial(own);
  await popup.close();
});

test('a premium number in a page is confirmed on our own page, not in the page', async ({
  workstation,
  calls,
  tab,
}) => {
  const pages = await servePages({ '/': html('<p><a href="tel:0900123456">0900 123456</a>') });
  await tab.goto(pages.url('/'));
  await clickNumber(tab, '0900 123456');
  await until(
    async () => /window that opened/.test((await partOf(tab, 'card'))?.text ?? ''),
    'the card that points to our page',
  );
  const opened = await openedCallPage(workstation, '0900');
  calls.expectNone();
  expect((await ask<unknown>(own, { type: 'page.state' })).ok).toBe(true);
  await opened.close();
  pages.close();
});

test('our own page comes to the front of a window that takes no tab', async ({ workstation }) => {
  const pages = await servePages({ '/': html('<p><a href="tel:0900123456">0900 123456</a>') });
  const inOwn = (expression: string) => own.evaluate(`(globalThis.browser ?? chrome).${expression}`);
  const inFront = () => inOwn('windows.getLastFocused().then(({ id }) => id)');
  await inOwn(`windows.create({ type: 'popup', url: '${pages.url('/')}' }).then(() => null)`);
  const crm = await until(async () => {
    for (const tab of await workstation.browser.openTabs())
      if ((await tab.url()) === pages.url('/')) return tab;
    return undefined;
  }, "the CRM's window");
  await clickNumber(crm, '0900 123456');
  const opened = await openedCallPage(workstation, '0900');
  const ofOpened = await opened.evaluate(
    `(globalThis.browser ?? chrome).windows.getCurrent().then(({ id }) => id)`,
  );
  // To Chromium without a screen (156) every window is in front: the unit test shows it for both.
  if (workstation.browser.name === 'firefox')
    await until(async () => (await inFront()) === ofOpened, 'its window in front');
  await opened.close();
  await crm.close();
  pages.close();
});

test('the popup keeps an emergency number as typed, without letters', async ({ workstation }) => {
  const popup = await openOwn(workstation, 'popup/index.html', '#dial-input');
  const isDisabled = async () => (await popup.attribute('#dial-button', 'disabled')) !== null;
  await popup.fill('#dial-input', 'abc');
  expect(await isDisabled()).toBe(true);
  await popup.fill('#dial-input', '190');
  expect(await popup.evaluate('document.querySelector("#dial-input").value')).toBe('190');
  await until(async () => /emergency/i.test(await popup.text('#dial-hint')), 'the reason');
  expect(await isDisabled()).toBe(true);
  await popup.close();
});
