/** What an agent reads when something is wrong: one sentence that says what to do, soon, whatever broke. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAfresh } from '../testing/extension/ask-background.ts';
import { dialInPopup } from '../testing/extension/dial-in-popup.ts';
import { setUpDirect, setUpRelay } from '../testing/extension/options-page.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { type Desk, expect, test } from './fixtures.ts';

test.describe.configure({ mode: 'serial' });
test.beforeAll(({ desk }) => startAfresh(desk));

async function sentenceAfterDialling(desk: Desk, number: string): Promise<string> {
  return (await dialInPopup(desk, number, ['failed', 'unknown'])).sentence;
}

const number = '(11) 3350-4160';

test('a wrong agent key', async ({ desk }) => {
  await setUpRelay(desk, { key: `${desk.key.slice(0, -4)}AAAA` });
  expect(await sentenceAfterDialling(desk, number)).toMatch(/does not accept your agent key/i);
});

test('a relay that cannot be reached', async ({ desk }) => {
  await setUpRelay(desk, { relayUrl: `http://127.0.0.1:${await freePort()}` });
  expect(await sentenceAfterDialling(desk, number)).toMatch(/relay did not answer/i);
});

test('a service that does not accept the token', async ({ desk }) => {
  await setUpDirect(desk, { token: 'not-the-token' });
  expect(await sentenceAfterDialling(desk, number)).toMatch(/token/i);
});

test('a service that cannot be reached', async ({ desk }) => {
  await setUpDirect(desk, { primaryUrl: `http://127.0.0.1:${await freePort()}` });
  expect(await sentenceAfterDialling(desk, number)).toMatch(/cannot be reached/i);
});

test('a web page in place of the service', async ({ desk }) => {
  const site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Login'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  try {
    await setUpDirect(desk, { primaryUrl: `http://127.0.0.1:${(site.address() as AddressInfo).port}` });
    expect(await sentenceAfterDialling(desk, number)).toMatch(/web page answered/i);
  } finally {
    site.closeAllConnections();
    site.close();
  }
});

test('a refusal by the service, in its own words', async ({ desk }) => {
  await setUpRelay(desk);
  expect(await sentenceAfterDialling(desk, '(11) 3350-9015')).toMatch(/refused/i);
});

test('a phone that was not picked up', async ({ desk }) => {
  await setUpRelay(desk);
  expect(await sentenceAfterDialling(desk, '(11) 3350-9005')).toMatch(/your phone was not answered/i);
});
