/** Streams and tickets of the widget: shared, renewed, broken, faulty, and under load. */
import type { ServerResponse } from 'node:http';
import { startSandbox } from '../sandbox/service.ts';
import type { Tab } from '../testing/browsers/browser.ts';
import type { ChromiumTab } from '../testing/browsers/chromium-tab.ts';
import { agent } from '../testing/extension/options-page.ts';
import { startRelayProcess } from '../testing/relay/relay-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { until } from '../testing/until.ts';
import { expect } from './fixtures.ts';
import { aCall, ended, type TestSite, test, widgetScript, widgetTag } from './widget/test-site.ts';
import {
  connectionOfWidget,
  keepEvents,
  seenEvents,
  stateOfWidget,
  waitForConnection,
  waitForText,
} from './widget/widget-in-tab.ts';

const callIds = async (tab: Tab) =>
  (await seenEvents(tab)).filter(({ name }) => name === 'call').map(({ id }) => id);

test.describe('one stream', () => {
  test('serves every tab or widget, then another tab with each event once when its tab closes', async ({
    site,
    browserUnderTest,
  }) => {
    const page = site.page(
      '/',
      `${keepEvents}${widgetScript}${widgetTag(site)}${widgetTag(site, 'compact')}`,
    );
    const first = await browserUnderTest.newTab(page);
    await waitForConnection(first);
    const second = await browserUnderTest.newTab(page);
    const third = await browserUnderTest.newTab(page);
    for (const tab of [second, third]) for (const nth of [0, 1]) await waitForConnection(tab, nth);
    expect(site.relay.streams.size).toBe(1);
    const call = aCall();
    site.relay.push(call);
    for (const tab of [first, second, third])
      await until(async () => (await stateOfWidget(tab, 1)) === 'callingCaller', 'the call in every tab');

    await first.close();
    // An event between two holders of the stream reaches the next one.
    site.relay.push(ended(call));
    for (const tab of [second, third])
      await until(async () => (await stateOfWidget(tab)) === 'disconnected', 'the end');
    const streamRequests = () => site.relay.requests.filter(({ path }) => path === '/v1/events');
    // The page that closes may still broadcast the end before its own stream is gone.
    await until(
      () => streamRequests().length > 1 && site.relay.streams.size === 1,
      'one stream again, another one',
    );
    for (const tab of [second, third])
      expect(await callIds(tab)).toEqual([call.id, call.id, call.id, call.id]);
    // Two widgets a page, each with one event per change; the next holder sent the cursor of the last.
    expect(streamRequests().at(-1)!.cursor).toBeDefined();
    await second.close();
    await third.close();
  });

  test('that breaks often leaves one request for the history at a time', async ({ site, tab }) => {
    const unanswered = new Set<ServerResponse>();
    site.relay.override('/v1/calls', (_request, response) => {
      unanswered.add(response);
      response.on('close', () => unanswered.delete(response));
    });
    await tab.goto(site.page('/', `${widgetScript}${widgetTag(site)}`));
    const countOf = (path: string) => site.relay.requests.filter((request) => request.path === path).length;
    for (let streams = 1; streams < 5; streams++) {
      await until(() => countOf('/v1/calls') === streams, 'the request for the history');
      site.relay.cut();
    }
    await until(() => countOf('/v1/calls') === 5 && unanswered.size === 1, 'one request for the history');
    const past = ended(aCall());
    for (const response of unanswered) response.end(JSON.stringify({ calls: [past] }));
    await waitForText(tab, 'Talked');
  });

  test('is never shared by two agents', async ({ site, browserUnderTest }) => {
    const page = site.page('/', `${widgetScript}${widgetTag(site)}`);
    const first = await browserUnderTest.newTab(page);
    await waitForConnection(first);
    site.tickets.from = '1106';
    const second = await browserUnderTest.newTab(page);
    await waitForConnection(second);
    await until(() => site.relay.streams.size === 2, 'a stream each');
    const names = await first.evaluate<string[]>(
      `navigator.locks.query().then(({ held }) => held.map(({ name }) => name))`,
    );
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).not.toMatch(/1105|1106|dmt_/);
    await first.close();
    await second.close();
  });

  test('restarts without the former calls when another agent signs in', async ({ site, tab }) => {
    site.relay.history = [ended(aCall())];
    await tab.goto(site.page('/', `${widgetScript}${widgetTag(site)}`));
    await waitForText(tab, 'Talked');
    site.relay.history = [];
    site.tickets.from = '1106';
    for (const { ticket } of site.relay.requests) site.relay.refused.add(ticket);
    site.relay.cut();
    await waitForText(tab, 'No calls yet');
    await waitForConnection(tab);
  });
});

test('opens a stream of its own in a sandboxed frame, where nothing can be shared', async ({ site, tab }) => {
  const ticket = `dmt_key.${Buffer.from('{"expires":9999999999999}').toString('base64url')}.mac`;
  const inside = `<script type="module" src="${site.url}/widget.js"></script><dialmark-widget relay="${site.relay.url}"></dialmark-widget>
    <script>document.querySelector('dialmark-widget').getTicket = async () => '${ticket}'</script>`;
  await tab.goto(
    site.page('/', `<iframe sandbox="allow-scripts" srcdoc="${inside.replaceAll('"', '&quot;')}"></iframe>`),
  );
  await until(() => site.relay.streams.size === 1, 'its stream');
  expect(site.relay.requests.filter((request) => request.path === '/v1/events')).toHaveLength(1);
});

test.describe('tickets', () => {
  test('are renewed after a 401, or before they expire, without missing a call', async ({ site, tab }) => {
    site.tickets.lifeMs = 2_000;
    await tab.goto(site.page('/', `${keepEvents}${widgetScript}${widgetTag(site)}`));
    await waitForConnection(tab);
    const call = aCall();
    site.relay.push(call);
    await until(async () => (await callIds(tab)).length === 1, 'the call');
    for (const { ticket } of site.relay.requests) site.relay.refused.add(ticket);
    site.relay.cut();
    site.relay.push(ended(call));
    await until(async () => (await callIds(tab)).length === 2, 'its end');
    expect(site.tickets.given).toBeGreaterThan(1);
    // No later request has an expired ticket.
    site.tickets.lifeMs = 600_000;
    await until(async () => {
      site.relay.cut();
      return new Set(site.relay.requests.map(({ ticket }) => ticket)).size >= 3;
    }, 'a ticket that was renewed because its time was near');
  });

  test('are requested again after an error, which is shown', async ({ site, tab }) => {
    site.tickets.status = 401;
    await tab.goto(site.page('/', `${keepEvents}${widgetScript}${widgetTag(site)}`));
    await waitForText(tab, 'Signed out. Sign in to this site again.');
    site.tickets.status = 500;
    await waitForText(tab, 'Not available now.');
    expect((await seenEvents(tab)).map(({ code }) => code)).toEqual(['signedOut', 'unavailable']);
    site.tickets.status = 200;
    await tab.evaluate(
      `document.querySelector('dialmark-widget').shadowRoot.querySelector('[part=retry]').click()`,
    );
    await waitForConnection(tab);
  });

  test('are requested from this site only', async ({ site, tab }) => {
    const widget = `<dialmark-widget relay="${site.relay.url}" ticket-url="${site.relay.url}/ticket"></dialmark-widget>`;
    await tab.goto(site.page('/', `${widgetScript}${widget}`));
    await waitForText(tab, 'Not set up');
    expect(site.relay.requests).toEqual([]);
  });
});

/** Longer than any pause of a shared machine: without yielding to the page, these floods block it for tens of seconds. */
const maxFrameMs = 5000;

test.describe('a faulty relay', () => {
  const events = { 'content-type': 'text/event-stream' };
  const faults: [string, Parameters<TestSite['relay']['override']>, string][] = [
    [
      'replies with a web page',
      ['/v1/events', (_q, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi')],
      'Wrong reply. Contact your administrator.',
    ],
    [
      'sends invalid JSON',
      ['/v1/events', (_q, r) => void r.writeHead(200, events).write('id: 1\nevent: call\ndata: {\n\n')],
      'Wrong reply. Contact your administrator.',
    ],
    [
      'sends JSON that is not a Call',
      [
        '/v1/events',
        (_q, r) => void r.writeHead(200, events).write('id: 1\nevent: call\ndata: {"id":[]}\n\n'),
      ],
      'Wrong reply. Contact your administrator.',
    ],
    [
      'sends one huge frame',
      [
        '/v1/events',
        (_q, r) =>
          void r.writeHead(200, events).write(`id: 1\nevent: call\ndata: "${'x'.repeat(3_000_000)}"\n\n`),
      ],
      'Wrong reply. Contact your administrator.',
    ],
    [
      'never ends a frame',
      ['/v1/events', (_q, r) => flood(r, events, `data: ${'x'.repeat(60_000)}`)],
      'Wrong reply. Contact your administrator.',
    ],
    ['replies 500', ['/v1/events', (_q, r) => void r.writeHead(500).end()], 'Not available now.'],
    ['hangs up at once', ['/v1/events', (_q, r) => void r.destroy()], 'Offline.'],
  ];
  for (const [what, [path, handler], sentence] of faults) {
    const tag = what === 'sends one huge frame' ? '' : ' @exhaustive';
    test(`that ${what} is named while the page stays responsive${tag}`, async ({ site, tab }) => {
      site.relay.override(path, handler);
      await tab.goto(site.page('/', `${widgetScript}${widgetTag(site)}`));
      await waitForText(tab, sentence);
      expect(await longestFrame(tab)).toBeLessThan(maxFrameMs);
      site.relay.override(path);
      await tab.evaluate(
        `document.querySelector('dialmark-widget').shadowRoot.querySelector('[part=retry]')?.click()`,
      );
      await waitForConnection(tab);
    });
  }

  test('that sends endless comments or an endless history leaves the page responsive', async ({
    site,
    tab,
  }) => {
    site.relay.override('/v1/events', (_q, r) => flood(r, events, ':\n\n'.repeat(5_000)));
    site.relay.override('/v1/calls', (_q, r) =>
      flood(r, { 'content-type': 'application/json' }, '[['.repeat(30_000)),
    );
    await tab.goto(site.page('/', `${keepEvents}${widgetScript}${widgetTag(site)}`));
    await until(
      async () => (await seenEvents(tab)).some(({ code }) => code === 'notUnderstood'),
      'the error about the history',
    );
    expect(await longestFrame(tab)).toBeLessThan(maxFrameMs);
  });
});

test('renders a thousand events a second once a frame, keeping no memory of ten thousand', async ({
  site,
  tab,
}) => {
  await tab.goto(site.page('/', `${widgetScript}${widgetTag(site)}`));
  await tab.activate();
  await waitForConnection(tab);
  // The frame rate depends on the machine; the renderings per frame on the widget.
  await tab.evaluate(`(() => { window.drawn = 0; window.frames = 0; window.began = performance.now();
    new MutationObserver(() => drawn++).observe(document.querySelector('dialmark-widget').shadowRoot,
      { subtree: true, childList: true, characterData: true, attributes: true });
    window.longest = 0; let last = began;
    const frame = () => { const now = performance.now(); frames++; longest = Math.max(longest, now - last); last = now; requestAnimationFrame(frame); };
    requestAnimationFrame(frame); })()`);
  const knows = (id: string) =>
    tab.evaluate<boolean>(
      `document.querySelector('dialmark-widget').calls.some(({ id }) => id === ${JSON.stringify(id)})`,
    );
  let last = aCall();
  for (let hundred = 0; hundred < 20; hundred++) {
    site.relay.push(
      ...Array.from({ length: 100 }, () => (last = aCall({ createdAt: new Date().toISOString() }))),
    );
    // A hundred between two frames: more than a thousand a second, however fast the machine draws.
    await tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve(true)))');
  }
  await until(() => knows(last.id), 'the last of two thousand');
  const { drawn, frames, waited, longest } = await tab.evaluate<
    Record<'drawn' | 'frames' | 'waited' | 'longest', number>
  >(`({ drawn, frames, waited: performance.now() - began, longest })`);
  // Without frames, a timer renders four times a second.
  expect(drawn).toBeLessThanOrEqual(frames + waited / 250 + 1);
  expect(drawn).toBeGreaterThan(0);
  expect(longest).toBeLessThan(maxFrameMs);

  const before = await heapOf(tab);
  for (let hundred = 0; hundred < 80; hundred++)
    site.relay.push(...Array.from({ length: 100 }, () => (last = aCall())));
  await until(() => knows(last.id), 'the last of ten thousand');
  const kept = await tab.evaluate<[number, number]>(
    `(() => { const widget = document.querySelector('dialmark-widget'); return [widget.calls.length, widget.shadowRoot.querySelectorAll('*').length]; })()`,
  );
  expect(kept[0]).toBeLessThanOrEqual(30);
  expect(kept[1]).toBeLessThan(300);
  // What was still in flight at one collection is gone at a later one.
  await until(async () => (await heapOf(tab)) - before < 2_000_000, 'the memory of ten thousand given back');
});

test('receives every call once from a real relay that restarts after the ticket has expired @exhaustive', async ({
  site,
  tab,
}) => {
  const folder = await temporaryFolder();
  const sandbox = await startSandbox({ port: 0, speed: 20 });
  const relay = await startRelayProcess({
    PROVIDER_URL: sandbox.url,
    PROVIDER_TOKEN: sandbox.token,
    STORE: `sqlite:${folder.file('relay.db')}`,
    COUNTRY: 'BR',
  });
  const siteKey = await relay.print('site', 'add', 'site', '--origin', site.url, '--from', agent);
  const key = await relay.print('key', 'add', '--from', agent);
  const place = async (to: string) => {
    const response = await fetch(`${relay.url}/v1/calls`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `${to}-${Math.random()}`,
      },
      body: JSON.stringify({ to }),
    });
    return (await response.json()) as { id: string };
  };
  const given: string[] = [];
  site.mint = async () => {
    const response = await fetch(`${relay.url}/v1/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${siteKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: agent, rights: ['watch', 'dial'], ttl: 10 }),
    });
    const { ticket } = (await response.json()) as { ticket: string };
    given.push(ticket);
    return ticket;
  };
  try {
    await tab.goto(
      site.page(
        '/',
        `${keepEvents}${widgetScript}<dialmark-widget relay="${relay.url}" ticket-url="/ticket" mode="dial"></dialmark-widget>`,
      ),
    );
    await waitForConnection(tab);
    const first = await place('4833224455');
    await until(async () => (await stateOfWidget(tab)) === 'disconnected', 'the end of the first call');
    await relay.stop('SIGKILL');
    await until(async () => (await connectionOfWidget(tab)) === 'down', 'the lost connection');
    const lastTicket = JSON.parse(Buffer.from(given.at(-1)!.split('.')[1]!, 'base64url').toString()) as {
      expires: number;
    };
    await until(() => Date.now() > lastTicket.expires, 'the end of its ticket');
    await relay.start();
    // Two calls begin and end before the widget reconnects, by when its ticket has expired.
    const missed = [await place('1134567890'), await place('4833221100')];
    const all = [first, ...missed].map(({ id }) => id);
    await until(
      async () => {
        const finished = (await seenEvents(tab))
          .filter(({ state }) => state === 'disconnected')
          .map(({ id }) => id);
        return all.every((id) => finished.includes(id));
        // The relay may be back right after a failed attempt; the longest back-off is half a minute.
      },
      'every end',
      90_000,
    );
    const revisions = (await seenEvents(tab))
      .filter(({ name }) => name === 'call')
      .map(({ id, revision }) => `${id} ${revision}`);
    expect(new Set(revisions).size).toBe(revisions.length);
    // A number dialled in the widget reaches the service.
    const placed = await tab.evaluate<{ state: string }>(
      `document.querySelector('dialmark-widget').dial('(11) 4567-8901')`,
    );
    expect(['initiating', 'callingCaller', 'disconnected']).toContain(placed.state);
    await until(
      () => sandbox.calls.some(({ fields }) => fields.to === '1145678901'),
      'the call at the service',
    );
    expect(sandbox.calls.filter(({ fields }) => fields.to === '1145678901')).toHaveLength(1);
  } finally {
    await sandbox.close();
    await relay.stop('SIGKILL');
    await folder.remove();
  }
});

/** Bytes in use after a garbage collection. Firefox's protocol has none: there only the kept calls and nodes are checked. */
async function heapOf(tab: Tab): Promise<number> {
  if (!('page' in tab)) return 0;
  const { page } = tab as ChromiumTab;
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** Longest time between two frames within a second, in ms. */
async function longestFrame(tab: Tab): Promise<number> {
  // Only the active tab gets frames.
  await tab.activate();
  return tab.evaluate(
    `new Promise((resolve) => { let longest = 0, last = performance.now(); const start = last;
       const frame = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now;
         now - start > 1000 ? resolve(longest) : requestAnimationFrame(frame); }; requestAnimationFrame(frame); })`,
  );
}

/** Writes the same text repeatedly, as fast as it is read, until the reader closes. */
function flood(response: ServerResponse, headers: Record<string, string>, text: string): void {
  response.writeHead(200, headers);
  const write = () => {
    while (!response.destroyed && response.write(text));
    if (!response.destroyed) response.once('drain', () => setImmediate(write));
  };
  write();
}
