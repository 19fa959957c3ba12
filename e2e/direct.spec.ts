/** Direct mode: the extension's background sends the one `/call` itself. */

import { configure, ownPage, resetExtension } from '../testing/extension/ask-background.ts';
import { dialInPopup } from '../testing/extension/dial-in-popup.ts';
import { agent, openOptions } from '../testing/extension/options-page.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

test.beforeAll(async ({ workstation }) => {
  await resetExtension(workstation);
  const page = await ownPage(workstation);
  // Without a relay to follow it, a call is open as long as a phone may ring: not so long that the next story waits.
  await configure(page, workstation, ({ agent }) => Object.assign(agent, { timeout: 2 }));
});

const number = '(11) 3350-4160';
const to = '1133504160';

/** A name of this machine that no browser counts as loopback, so that Firefox would upgrade it to https. */
const overTheNetwork = (url: string) => url.replace('127.0.0.1', 'pbx.test');

async function expectOneCall(workstation: Workstation, before: number): Promise<void> {
  await until(() => workstation.sandbox.calls.length > before, 'the call at the service');
  const calls = workstation.sandbox.calls.slice(before);
  expect(calls.map(({ fields }) => [fields.from, fields.to])).toEqual([[agent, to]]);
}

test('warns of plain http to another machine, saves it only with the permission ticked', async ({
  workstation,
}) => {
  const options = await openOptions(workstation);
  await options.click('#mode-direct');
  await options.fill('#primary-url', overTheNetwork(workstation.sandbox.url));
  await options.click('#save');
  await until(() => options.count('#unsaved-problems'), 'the problem beside the save button');
  expect(await options.text('.notice-warn')).toMatch(/read|network/i);
  expect(await options.attribute('#primary-url', 'aria-invalid')).toBe('true');
  expect(await options.count('#saved')).toBe(0);
  await options.close();
});

test('places a call over plain http to another machine with the permission ticked @exhaustive', async ({
  workstation,
}) => {
  const before = workstation.sandbox.calls.length;
  await workstation.setUp({
    mode: 'direct',
    primaryUrl: overTheNetwork(workstation.sandbox.url),
    allowPlaintext: true,
  });
  expect((await dialInPopup(workstation, number, ['callingCaller', 'unknown'])).state).toBe('callingCaller');
  await expectOneCall(workstation, before);
});

test('places the one call at the secondary address when the primary does not answer its probe', async ({
  workstation,
}) => {
  const before = workstation.sandbox.calls.length;
  await workstation.setUp({
    mode: 'direct',
    primaryUrl: `http://127.0.0.1:${await freePort()}`,
    secondaryUrl: workstation.sandbox.url,
  });
  expect((await dialInPopup(workstation, number, ['callingCaller', 'unknown'])).state).toBe('callingCaller');
  await expectOneCall(workstation, before);
});

test('sends no second request when the connection breaks, but says that the phone may ring', async ({
  workstation,
}) => {
  const before = workstation.sandbox.calls.length;
  await workstation.setUp({
    mode: 'direct',
    secondaryUrl: workstation.sandbox.url.replace('127.0.0.1', 'localhost'),
  });
  const { state, sentence } = await dialInPopup(workstation, '(11) 3350-9012', ['unknown', 'failed']);
  expect(state).toBe('unknown');
  expect(sentence).toMatch(/may still ring/i);
  expect(workstation.sandbox.calls.length - before).toBe(1);
});

test('shows the end of a call that was announced to a relay @exhaustive', async ({ workstation }) => {
  const before = workstation.sandbox.calls.length;
  await workstation.setUp({ mode: 'direct', relayUrl: workstation.relay.url });
  const { state, sentence } = await dialInPopup(workstation, number, ['disconnected']);
  expect(state).toBe('disconnected');
  expect(sentence).toMatch(/0:04|4 s/);
  await expectOneCall(workstation, before);
});
