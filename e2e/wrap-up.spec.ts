/** What the agent says of a call: one key in the panel, kept by the relay. */
import type { Call } from '../shared/call/call.ts';
import type { Tab } from '../testing/browsers/browser.ts';
import { ownPage, readyToDial, resetToRelay } from '../testing/extension/ask-background.ts';
import { clickNumber, partOf } from '../testing/extension/marked-numbers.ts';
import { agent } from '../testing/extension/options-page.ts';
import { hangup } from '../testing/relay/test-relay.ts';
import { html, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import { expect, test } from './fixtures.ts';

/** Places a call that ends by itself, and waits for its end. */
async function callUntilItsEnd(panel: Tab): Promise<void> {
  await panel.fill('#dial-input', '(48) 3322-9001');
  await until(async () => (await panel.attribute('#dial-button', 'disabled')) === null, 'the dial button');
  await panel.click('#dial-button');
  const liveState = () => panel.attribute('#live-call', 'data-state');
  await until(async () => (await liveState()) === 'disconnected', 'the end of the call');
}

test('one key in the panel saves the outcome of the call that has just ended', async ({ workstation }) => {
  await resetToRelay(workstation);
  const { browser } = workstation;
  const panel = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  try {
    await panel.activate();
    await readyToDial(panel);
    await callUntilItsEnd(panel);
    const id = await panel.attribute('#live-call', 'data-id');
    await until(() => panel.count('.outcome'), 'the outcomes');
    await panel.press('1');
    const wrapUp = async () => {
      const headers = { authorization: `Bearer ${workstation.key}` };
      const response = await fetch(`${workstation.relay.url}/v1/calls/${id}`, { headers });
      return ((await response.json()) as Call).wrapUp;
    };
    await until(wrapUp, 'the wrap-up at the relay');
    expect(await wrapUp()).toMatchObject({ outcome: 'reached', revision: 1 });
    expect(await panel.attribute('[data-code=reached]', 'aria-pressed')).toBe('true');
    await until(() => panel.count('#dial-input:focus'), 'the focus of the next call');
    await panel.press('Tab');
    for (const key of ['o', 'k', 'Enter']) await panel.press(key);
    await until(async () => (await wrapUp())?.note === 'ok', 'the note at the relay');
  } finally {
    await panel.close();
  }
});

test('the time typed in one go is when the callback is due', async ({ workstation }) => {
  await resetToRelay(workstation);
  const { browser } = workstation;
  const panel = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  const time = '.wrap-up [type=datetime-local]';
  try {
    await panel.activate();
    await readyToDial(panel);
    await callUntilItsEnd(panel);
    await until(() => panel.count('.outcome'), 'the outcomes');
    await panel.click('[data-code=callAgain]');
    await until(() => panel.count(time), 'the time');
    await until(
      async () => (await panel.text('.wrap-up')).includes('Saved'),
      'the proposed time at the relay',
    );
    await panel.click(time);
    for (let part = 0; part < 6; part++) await panel.press('ArrowLeft');
    for (const key of '123120990205P') await panel.press(key);
    const shown = () => panel.evaluate<string>(`document.querySelector('${time}').value`);
    expect(await shown()).toBe('2099-12-31T14:05');
    await panel.click('.save-wrap-up');
    await until(async () => (await panel.text('.callback')).includes('2099'), 'the callback of that day');
    await panel.click('.callback .done');
    await until(async () => (await panel.count('.callback')) === 0, 'no callback');
  } finally {
    await panel.close();
  }
});

test('a callback that a colleague hands over appears in the open panel, where it is closed', async ({
  workstation,
}) => {
  await resetToRelay(workstation);
  const { browser, relay } = workstation;
  const key = await relay.print('key', 'add', '--from', '1106', '--client-calls');
  const send = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more };
    const response = await fetch(new URL(path, relay.url), {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.ok).toBe(true);
    return response.json();
  };
  const { call, returnUrl } = await send(
    'POST',
    '/v1/calls',
    { to: '4833229002', placedBy: 'client' },
    { 'idempotency-key': crypto.randomUUID() },
  );
  const end = await fetch(returnUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(hangup()),
  });
  expect(end.ok).toBe(true);
  const panel = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  const row = `.callback[data-id="${call.id}"]`;
  try {
    await panel.activate();
    await readyToDial(panel);
    // A call of the agent's own, whose outcome is open, keeps the events coming.
    await callUntilItsEnd(panel);
    expect(await panel.count(row)).toBe(0);
    const wrapUp = { callBackAt: new Date().toISOString(), callBackBy: agent, note: 'Ask for Ana' };
    await send('PATCH', `/v1/calls/${call.id}/wrap-up`, wrapUp, { 'if-match': '0' });
    await until(() => panel.count(row), 'the callback');
    expect(await panel.text(row)).toContain('Ask for Ana');
    await panel.click(`${row} .done`);
    await until(async () => (await panel.count(row)) === 0, 'no callback');
    const { wrapUp: closed } = await send('GET', `/v1/calls/${call.id}`);
    expect(closed).not.toHaveProperty('callBackAt');
  } finally {
    await panel.close();
  }
});

/** What the button opens: Chromium's side panel, and in Firefox, where a page's click opens no sidebar, the popup. */
const openedBy = {
  chromium: {
    count: `chrome.runtime.getContexts({ contextTypes: ['SIDE_PANEL'] }).then((found) => found.length)`,
    close: `chrome.sidePanel.setOptions({ enabled: false }).then(() => chrome.sidePanel.setOptions({ enabled: true }))`,
  },
  firefox: {
    count: `browser.extension.getViews({ type: 'popup' }).length`,
    close: `browser.extension.getViews({ type: 'popup' }).forEach((view) => view.close())`,
  },
};

test("the button of the page's card opens the panel", async ({ tab, workstation }) => {
  await resetToRelay(workstation);
  const own = await ownPage(workstation);
  const { count, close } = openedBy[workstation.browser.name];
  const panels = () => own.evaluate<number>(count);
  const pages = await servePages({ '/': html('<p>Telefone (48) 3322-9001</p>') });
  try {
    await readyToDial(own);
    await tab.goto(pages.url('/'));
    await clickNumber(tab, '(48) 3322-9001');
    await until(() => partOf(tab, 'wrap-up'), 'the button of the card');
    expect(await panels()).toBe(0);
    await tab.clickInOverlay({ selector: { attribute: ['class', 'wrap-up'] } });
    await until(panels, 'the panel');
    await own.evaluate(close);
    await until(async () => (await panels()) === 0, 'no panel');
  } finally {
    pages.close();
  }
});

test('the button of the card opens the panel as a tab for a window that has no panel', async ({
  workstation,
}) => {
  await resetToRelay(workstation);
  const own = await ownPage(workstation);
  const pages = await servePages({ '/': html('<p>Telefone (48) 3322-9001</p>') });
  const opened = async (isMeant: (url: string) => boolean) => {
    const tabs = await workstation.browser.openTabs();
    const urls = await Promise.all(tabs.map((each) => each.url()));
    return tabs.filter((_, index) => isMeant(urls[index]!));
  };
  const panels = () => opened((url) => url.endsWith('/popup/index.html'));
  await own.evaluate(
    `(globalThis.browser ?? chrome).windows.create({ type: 'popup', url: '${pages.url('/')}' }).then(() => null)`,
  );
  const crm = await until(async () => (await opened((url) => url === pages.url('/')))[0], "the CRM's window");
  await until(() => crm.evaluate<boolean>("document.readyState === 'complete'"), "the CRM's page");
  const pressWrapUp = () => crm.clickInOverlay({ selector: { attribute: ['class', 'wrap-up'] } });
  await clickNumber(crm, '(48) 3322-9001');
  await until(() => partOf(crm, 'wrap-up'), 'the button of the card');
  await pressWrapUp();
  const [panel] = await until(async () => (await panels()).length > 0 && panels(), 'the panel');
  await until(() => panel!.count('.outcome'), 'the outcomes');
  const isShown = () =>
    panel!.evaluate<boolean>('(globalThis.browser ?? chrome).tabs.getCurrent().then(({ active }) => active)');
  await own.activate();
  await until(async () => !(await isShown()), 'the panel behind another tab');
  await crm.activate();
  await pressWrapUp();
  await until(isShown, 'the same panel');
  expect(await panels()).toHaveLength(1);
  await panel!.close();
  await crm.close();
  await readyToDial(own);
  pages.close();
});
