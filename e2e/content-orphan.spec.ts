/** The extension is updated while pages are open: its old scripts must leave no element and no error. */

import type { BrowserName } from '../testing/browsers/launch.ts';
import { callsFinished, clickNumber, pointAtNumber } from '../testing/extension/marked-numbers.ts';
import { until } from '../testing/until.ts';
import { openWorkstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
test('an update of the extension leaves one overlay, no error and working numbers in open pages @exhaustive', async ({}, {
  project,
}) => {
  const workstation = await openWorkstation(project.name as BrowserName, { build: false });
  const { browser } = workstation;
  try {
    await workstation.setUp();
    await workstation.enableSite('127.0.0.1');
    const tab = await browser.newTab(`${workstation.sandbox.url}/crm/`);
    await pointAtNumber(tab, '(11) 98822-4177');
    await tab.evaluate(
      `(() => { window.oldOverlay = document.querySelector('html > dialmark-overlay'); })()`,
    );

    await browser.reloadExtension();
    // The old script notices the update at the next event, such as a move of the pointer.
    await tab.activate();
    await until(async () => {
      await tab.moveTo({ x: 300 + Math.round(Math.random() * 40), y: 400 });
      return tab.evaluate<boolean>('!window.oldOverlay.isConnected');
    }, 'the old overlay to be gone');

    const before = workstation.sandbox.calls.length;
    await clickNumber(tab, '11 3350-4188');
    await until(() => workstation.sandbox.calls.length > before, 'the call');
    expect(workstation.sandbox.calls.slice(before).map(({ fields }) => fields.to)).toEqual(['1133504188']);
    expect(await tab.count('html > dialmark-overlay')).toBe(1);
    expect(tab.errors()).toEqual([]);
    await callsFinished(workstation);
  } finally {
    await workstation.close();
  }
});
