/** The extension is updated, or turned off and on, while pages are open: its old scripts leave no element and no error. */

import type { Tab } from '../testing/browsers/browser.ts';
import type { BrowserName } from '../testing/browsers/launch.ts';
import {
  callsFinished,
  cardState,
  clickHangUp,
  clickNumber,
  paintedNumbers,
  partOf,
  waitUntilClickable,
} from '../testing/extension/marked-numbers.ts';
import { until } from '../testing/until.ts';
import { openWorkstation, type Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

const longCall = '+55 11 3350-9002';
const refused = { text: '+55 11 3350-9015', to: '1133509015' };

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
test('the card of a call with its hang-up button survives an update of the extension @exhaustive', async ({}, {
  project,
}) => {
  await hangUpAfter(project.name as BrowserName, updateExtension);
});

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
test('open pages show the card of their call once the extension is on again', async ({}, { project }) => {
  await hangUpAfter(project.name as BrowserName, async ({ browser }, tab) => {
    await browser.turnOffAndOn();
    await until(async () => (await paintedNumbers(tab)).includes(longCall), 'the marks');
  });
});

/** @param tab with our overlay. @returns once the overlay of the script before the update is gone. */
async function updateExtension({ browser }: Workstation, tab: Tab): Promise<void> {
  await tab.evaluate(`(() => { window.oldOverlay = document.querySelector('html > dialmark-overlay'); })()`);
  await browser.reloadExtension();
  // The old script notices the update at the next event, such as a move of the pointer.
  await tab.activate();
  await until(async () => {
    await tab.moveTo({ x: 300 + Math.round(Math.random() * 40), y: 400 });
    return tab.evaluate<boolean>('!window.oldOverlay.isConnected');
  }, 'the old overlay to be gone');
}

/**
 * Places a call from a page, interrupts the extension, then hangs up by the button that the page shows again. A call
 * to another number comes after that.
 */
async function hangUpAfter(
  name: BrowserName,
  interrupt: (workstation: Workstation, tab: Tab) => Promise<void>,
): Promise<void> {
  const workstation = await openWorkstation(name, { build: false, events: 'all', sandbox: { speed: 0.5 } });
  const { browser, sandbox } = workstation;
  try {
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
    const tab = await browser.newTab(`${sandbox.url}/crm/#/test-lines`);
    await clickNumber(tab, longCall);
    await until(() => partOf(tab, 'hang-up'), 'the hang-up button');
    await interrupt(workstation, tab);
    await until(() => partOf(tab, 'hang-up'), 'the hang-up button of the new script');
    // Nothing replaces the button from then on.
    await until(async () => (await cardState(tab)) === 'connected', 'the conversation');
    await waitUntilClickable(tab);
    await clickHangUp(tab);
    await until(
      async () => (await cardState(tab)) === 'disconnected',
      'the end of the call by the button in the page',
    );
    await callsFinished(workstation);
    await clickNumber(tab, refused.text);
    await until(() => sandbox.calls.length > 1, 'the next call');
    expect(sandbox.calls.map(({ fields }) => fields.to)).toEqual(['1133509002', refused.to]);
    expect(await tab.count('html > dialmark-overlay')).toBe(1);
    expect(tab.errors()).toEqual([]);
  } finally {
    await workstation.close();
  }
}
