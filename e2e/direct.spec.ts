/** Without a relay between: the browser itself sends the one `/call`, from the extension's background. */

import { configure, ownPage, resetExtension } from '../testing/extension/ask-background.ts';
import { dialInPopup } from '../testing/extension/dial-in-popup.ts';
import { agent, openOptions } from '../testing/extension/options-page.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ workstation }) => {
  await resetExtension(workstation);
  const page = await ownPage(workstation);
  // Without a relay to follow it, a call is open as long as a phone may ring: not so long that the next story waits.
  await configure(page, workstation, ({ agent }) => Object.assign(agent, { timeout: 2 }));
  await page.close();
});

const number = '(11) 3350-4160';
const to = '1133504160';

/** A name that neither browser takes for loopback, though it leads to this machine: where Firefox's upgrade to https bites. */
const overTheNetwork = (url: string) => url.replace('127.0.0.1', 'pbx.test');

async function expectOneCall(workstation: Workstation, before: number): Promise<void> {
  await until(() => workstation.sandbox.calls.length > before, 'the call at the service');
  const calls = workstation.sandbox.calls.slice(before);
  expect(calls.map(({ fields }) => [fields.from, fields.to])).toEqual([[agent, to]]);
}

test('plain http beyond this computer says what it means, and is not saved without a deliberate yes', async ({
  workstation,
}) => {
  const options = await openOptions(workstation);
  await options.click('#mode-direct');
  await options.fill('#primary-url', overTheNetwork(workstation.sandbox.url));
  await options.click('#save');
  await until(() => options.count('#unsaved-problems'), 'what keeps it from being saved');
  expect(await options.text('.notice-warn')).toMatch(/read|network/i);
  expect(await options.attribute('#primary-url', 'aria-invalid')).toBe('true');
  expect(await options.count('#saved')).toBe(0);
  await options.close();
});

test('with the yes, plain http to a PBX in the network works', async ({ workstation }) => {
  const before = workstation.sandbox.calls.length;
  await workstation.setUp({
    mode: 'direct',
    primaryUrl: overTheNetwork(workstation.sandbox.url),
    allowPlaintext: true,
  });
  expect((await dialInPopup(workstation, number, ['callingCaller', 'unknown'])).state).toBe('callingCaller');
  await expectOneCall(workstation, before);
});

test('the secondary address gets the one call where the primary does not answer its probe', async ({
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

test('a connection that breaks after the request is never tried again, and says that it may be ringing', async ({
  workstation,
}) => {
  const before = workstation.sandbox.calls.length;
  await workstation.setUp({
    mode: 'direct',
    secondaryUrl: workstation.sandbox.url.replace('127.0.0.1', 'localhost'),
  });
  const { state, sentence } = await dialInPopup(workstation, '(11) 3350-9012', ['unknown', 'failed']);
  expect(state).toBe('unknown');
  expect(sentence).toMatch(/may ring/i);
  expect(workstation.sandbox.calls.length - before).toBe(1);
});

test('announced to a relay, the end of a call that the browser placed is known', async ({ workstation }) => {
  const before = workstation.sandbox.calls.length;
  await workstation.setUp({ mode: 'direct', relayUrl: workstation.relay.url });
  const { state, sentence } = await dialInPopup(workstation, number, ['disconnected']);
  expect(state).toBe('disconnected');
  expect(sentence).toMatch(/0:04|4 s/);
  await expectOneCall(workstation, before);
});
