/** The main job: an agent clicks a number in the CRM, the phone rings, and everything that shows calls shows how it ended. */

import { resetToRelay } from '../testing/extension/ask-background.ts';
import { callsFinished, cardState, clickNumber, pointAtNumber } from '../testing/extension/marked-numbers.ts';
import { agent } from '../testing/extension/options-page.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

test.beforeAll(async ({ workstation }) => {
  await resetToRelay(workstation);
});

/** The CRM without its timers, so that nothing moves between looking and clicking. */
const crm = (workstation: Workstation) => `${workstation.sandbox.url}/crm/`;

/** Talks for longer than the story runs. */
const long = { text: '+55 11 3350-9002', to: '1133509002' };
const mobile = { text: '(11) 98822-4177', to: '11988224177' };
const office = { text: '11 3350-4188', to: '1133504188' };

test('a click on a marked number places one call that page, popup, widget follow to its end', async ({
  workstation,
  tab,
}) => {
  const { browser, sandbox } = workstation;
  const popup = await browser.newTab(`${browser.extensionOrigin}/extension/pages/popup/index.html`);
  await until(() => popup.count('#dial-input'), 'the popup');
  await tab.goto(`${crm(workstation)}#/test-lines`);
  const before = sandbox.calls.length;
  await clickNumber(tab, long.text);

  const inWidget = () =>
    tab.evaluate<string | null>(
      `document.querySelector('dialmark-widget')?.shadowRoot?.querySelector('[data-state]')?.dataset.state ?? null`,
    );
  const everywhere = async (state: string) => {
    await until(async () => (await cardState(tab)) === state, `${state} in the page`);
    await until(async () => (await inWidget()) === state, `${state} in the widget`);
    await until(
      async () => (await popup.attribute('#recent li', 'data-state')) === state,
      `${state} in the popup`,
    );
  };
  await everywhere('callingCaller');
  expect(await popup.attribute('#live-call', 'data-state')).toBe('callingCaller');
  // The call lasts until all have shown it, and so long that somebody talks: it rings for half a second.
  await until(() => Date.now() - Date.parse(sandbox.calls[before]!.at) > 1_000, 'the talk');
  const { callid } = sandbox.calls[before]!;
  sandbox.hangUp(callid!);
  await everywhere('disconnected');
  const { billsec } = sandbox.notifications.find((sent) => sent.callid === callid)!.body;
  expect(Number(billsec)).toBeGreaterThan(0);
  expect((await popup.text('#recent li')).replace(/\s+/g, ' ')).toContain(spoken(Number(billsec)));

  const calls = sandbox.calls.slice(before);
  expect(calls).toHaveLength(1);
  expect(calls[0]!.fields).toMatchObject({ from: agent, to: long.to });
  expect(tab.errors()).toEqual([]);
  await popup.close();
  await callsFinished(workstation);
});

test('marking changes nothing in the serialised page but adds the one overlay', async ({
  workstation,
  tab,
}) => {
  const serialised = `(() => { const copy = document.documentElement.cloneNode(true);
    copy.querySelector(':scope > dialmark-overlay')?.remove(); return copy.outerHTML; })()`;
  // The same page under a name on which the extension is not enabled.
  const untouched = await workstation.browser.newTab(crm(workstation).replace('127.0.0.1', 'other.test'));
  await tab.goto(crm(workstation));
  await pointAtNumber(tab, mobile.text);
  // Each may still be drawing itself.
  await expect(async () => {
    const without = await untouched.evaluate<string>(serialised);
    expect(await tab.evaluate<string>(serialised)).toBe(without.replaceAll('other.test', '127.0.0.1'));
  }).toPass({ timeout: 30_000 });
  expect(await tab.count('html > dialmark-overlay')).toBe(1);
  expect(await untouched.count('html > dialmark-overlay')).toBe(0);
  expect(await untouched.count('#app > *')).toBeGreaterThan(0);
  await untouched.close();
});

test('dials the new number when the page changes one in place', async ({ workstation, tab }) => {
  const { sandbox } = workstation;
  await tab.goto(crm(workstation));
  const before = sandbox.calls.length;
  const at = await pointAtNumber(tab, mobile.text);
  await tab.evaluate(`(() => { const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.data.includes('(11) 98822-4177')) { node.data = node.data.replace('(11) 98822-4177', 'no number here'); } })()`);
  await tab.clickAt(at);
  // The next click on a number that is still there is the event that shows the first one placed nothing.
  await clickNumber(tab, office.text);
  await until(() => sandbox.calls.length > before, 'the second click');
  expect(sandbox.calls.slice(before).map((call) => call.fields.to)).toEqual([office.to]);
  await callsFinished(workstation);
});

test('synthetic clicks or events dial nothing; the page finds no secret', async ({ workstation, tab }) => {
  const { sandbox, key } = workstation;
  await tab.goto(crm(workstation));
  const before = sandbox.calls.length;
  const at = await pointAtNumber(tab, mobile.text);
  await tab.evaluate(`(() => {
    const target = document.elementFromPoint(${at.x}, ${at.y});
    const host = document.querySelector('html > dialmark-overlay');
    for (const element of [target, host, document.documentElement]) {
      element.click();
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, clientX: ${at.x}, clientY: ${at.y}, button: 0 }));
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }));
    }
    window.postMessage({ type: 'content.dial', text: '(11) 98822-4177' }, '*');
    // The browser's own answer to a scripted tel: link is a dialog over the page; this test is about ours.
    const stay = (event) => event.preventDefault();
    document.addEventListener('click', stay);
    document.querySelector('a[href^="tel:"]').click();
    document.removeEventListener('click', stay);
    return true;
  })()`);
  const everything = await tab.evaluate<string>(`(() => {
    const host = document.querySelector('html > dialmark-overlay');
    return JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.documentElement.outerHTML,
      host?.shadowRoot === null, typeof globalThis.chrome?.storage, typeof globalThis.browser?.storage]);
  })()`);
  expect(everything).not.toContain(key);
  expect(JSON.parse(everything).slice(3)).toEqual([true, 'undefined', 'undefined']);

  await clickNumber(tab, office.text);
  await until(() => sandbox.calls.length > before, 'the one real click');
  expect(sandbox.calls.slice(before).map((call) => call.fields.to)).toEqual([office.to]);
  await callsFinished(workstation);
});

/** As the popup writes how long somebody talked. */
const spoken = (seconds: number) =>
  [seconds >= 60 && `${Math.floor(seconds / 60)} min`, seconds % 60 > 0 && `${seconds % 60} sec`]
    .filter(Boolean)
    .join(' ');
