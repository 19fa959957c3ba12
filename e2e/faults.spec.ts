/** For each fault the popup shows one sentence: what is wrong, and what to do. */

import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resetExtension } from '../testing/extension/ask-background.ts';
import { dialInPopup } from '../testing/extension/dial-in-popup.ts';
import { callsFinished } from '../testing/extension/marked-numbers.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { serveHttp } from '../testing/servers/serve-http.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

test.beforeAll(({ workstation }) => resetExtension(workstation));

async function sentenceAfterDialling(workstation: Workstation, number: string): Promise<string> {
  return (await dialInPopup(workstation, number, ['failed', 'unknown'])).sentence;
}

const number = '(11) 3350-4160';

test('explains a wrong agent key @exhaustive', async ({ workstation }) => {
  await workstation.setUp({ key: `${workstation.key.slice(0, -4)}AAAA` });
  expect(await sentenceAfterDialling(workstation, number)).toMatch(/does not accept your agent key/i);
});

test('explains that the relay cannot be reached, so that the phone may ring @exhaustive', async ({
  workstation,
}) => {
  await workstation.setUp({ relayUrl: `http://127.0.0.1:${await freePort()}` });
  expect(await sentenceAfterDialling(workstation, number)).toMatch(/relay did not confirm.*may ring/i);
});

test('says that the phone may ring when the relay refuses a retry whose first reply was lost', async ({
  workstation,
}) => {
  // Forwards the first request, drops its reply, and refuses every further one.
  let tries = 0;
  const proxy = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const isTry = request.method === 'POST' && request.url === '/v1/calls';
      if (isTry && tries > 0) {
        tries += 1;
        return response
          .writeHead(429, { 'content-type': 'application/problem+json', 'access-control-allow-origin': '*' })
          .end(
            JSON.stringify({ type: 't', title: 'Too many requests', status: 429, code: 'tooManyRequests' }),
          );
      }
      if (isTry) tries += 1;
      const answer = await fetch(workstation.relay.url + request.url, {
        method: request.method!,
        headers: Object.entries(request.headers)
          .filter(([name]) => !['host', 'connection', 'content-length'].includes(name))
          .map(([name, value]) => [name, String(value)]),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (isTry) return request.socket.destroy();
      response
        .writeHead(
          answer.status,
          // Firefox repeats a request by itself where a connection that it reuses breaks.
          Object.fromEntries([
            ...[...answer.headers].filter(([name]) => name !== 'transfer-encoding'),
            ['connection', 'close'],
          ]),
        )
        .end(body);
    });
  });
  try {
    await workstation.setUp({ relayUrl: proxy.url });
    const before = workstation.sandbox.calls.length;
    expect(await sentenceAfterDialling(workstation, '(11) 3350-4161')).toMatch(/your phone may ring/i);
    expect(tries).toBeGreaterThan(1);
    expect(workstation.sandbox.calls).toHaveLength(before + 1);
    await callsFinished(workstation);
  } finally {
    await proxy.close();
  }
});

test('shows the end of a call whose reply was lost with the network', async ({ workstation, tab }) => {
  // Breaks while the relay answers, and before that brings no event that would be the answer, too.
  let state: 'silent' | 'down' | 'back' = 'silent';
  const network = createServer((request, response) => {
    const { method, url, headers } = request;
    if (state === 'down' || (state === 'silent' && url?.startsWith('/v1/events')))
      return request.socket.destroy();
    const forwarded = sendRequest(workstation.relay.url + url, { method, headers }, (answer) => {
      if (state === 'silent' && method === 'POST' && url === '/v1/calls') state = 'down';
      if (state === 'down') return network.closeAllConnections();
      answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
  try {
    await workstation.setUp({ relayUrl: `http://127.0.0.1:${(network.address() as AddressInfo).port}` });
    expect(await sentenceAfterDialling(workstation, '(11) 3350-9002')).toMatch(/your phone may ring/i);
    state = 'back';
    await tab.goto(`${workstation.browser.extensionOrigin}/extension/pages/popup/index.html`);
    const shownState = () => tab.attribute('#recent li', 'data-state');
    await until(async () => (await shownState()) === 'callingCaller', 'the call that the relay has');
    const { callid = '' } = workstation.sandbox.calls.at(-1)!;
    await until(() => workstation.sandbox.hangUp(callid), 'the call to hang up');
    await until(async () => (await shownState()) === 'disconnected', 'the end of the call');
  } finally {
    network.closeAllConnections();
    network.close();
  }
});

test('explains a token that the service does not accept @exhaustive', async ({ workstation }) => {
  await workstation.setUp({ mode: 'direct', token: 'not-the-token' });
  expect(await sentenceAfterDialling(workstation, number)).toMatch(/token/i);
});

test('explains that the service cannot be reached @exhaustive', async ({ workstation }) => {
  await workstation.setUp({ mode: 'direct', primaryUrl: `http://127.0.0.1:${await freePort()}` });
  expect(await sentenceAfterDialling(workstation, number)).toMatch(/cannot be reached/i);
});

test('explains a web page in place of the service @exhaustive', async ({ workstation }) => {
  const site = await serveHttp((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Login'),
  );
  try {
    await workstation.setUp({ mode: 'direct', primaryUrl: site.url });
    expect(await sentenceAfterDialling(workstation, number)).toMatch(/web page answered/i);
  } finally {
    await site.close();
  }
});

test('shows a refusal in the words of the service', async ({ workstation }) => {
  await workstation.setUp();
  expect(await sentenceAfterDialling(workstation, '(11) 3350-9015')).toMatch(/refused/i);
});

test('explains that the phone was not answered @exhaustive', async ({ workstation }) => {
  await workstation.setUp();
  expect(await sentenceAfterDialling(workstation, '(11) 3350-9005')).toMatch(/your phone was not answered/i);
});
