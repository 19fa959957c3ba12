/** What the widget does with streams and tickets: shared, renewed, broken, lied to, and under load. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startSandbox } from '../sandbox/service.ts';
import type { Tab } from '../testing/browsers/browser.ts';
import type { ChromiumTab } from '../testing/browsers/chromium.ts';
import { startRelay } from '../testing/relay/workstation-relay.ts';
import { until } from '../testing/until.ts';
import { agent, test as base, expect, serviceToken } from './fixtures.ts';
import { connectionOfWidget, connects, keepEvents, seenEvents, shows, stateOfWidget } from './widget/look.ts';
import { aCall, ended, type Stage, startStage, widgetTag } from './widget/stage.ts';

const script = '<script type="module" async src="/widget.js"></script>';
const test = base.extend<{ stage: Stage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function wants from its first parameter.
  stage: async ({}, use) => {
    const stage = await startStage();
    await use(stage);
    await stage.close();
  },
});
const callIds = async (tab: Tab) =>
  (await seenEvents(tab)).filter(({ name }) => name === 'call').map(({ id }) => id);

test.describe('one stream', () => {
  test('serves every tab and widget, and is handed on when its tab closes, with nothing lost or told twice', async ({
    stage,
    browserUnderTest,
  }) => {
    const page = stage.page('/', `${keepEvents}${script}${widgetTag(stage)}${widgetTag(stage, 'compact')}`);
    const first = await browserUnderTest.newTab(page);
    await connects(first);
    const second = await browserUnderTest.newTab(page);
    const third = await browserUnderTest.newTab(page);
    for (const tab of [second, third]) for (const nth of [0, 1]) await connects(tab, nth);
    expect(stage.relay.streams.size).toBe(1);
    const call = aCall();
    stage.relay.push(call);
    for (const tab of [first, second, third])
      await until(async () => (await stateOfWidget(tab, 1)) === 'callingCaller', 'the call in every tab');

    await first.close();
    // What happens while nobody holds the stream is there when the next one does.
    stage.relay.push(ended(call));
    for (const tab of [second, third])
      await until(async () => (await stateOfWidget(tab)) === 'disconnected', 'the end');
    const asked = () => stage.relay.requests.filter(({ path }) => path === '/v1/events');
    // The page that closes may hear of the end and tell it before its own stream is gone.
    await until(() => asked().length > 1 && stage.relay.streams.size === 1, 'one stream again, another one');
    for (const tab of [second, third])
      expect(await callIds(tab)).toEqual([call.id, call.id, call.id, call.id]);
    // Two widgets a page, each telling each change once; the next holder came with the cursor of the last.
    expect(asked().at(-1)!.cursor).toBeDefined();
    await second.close();
    await third.close();
  });

  test('is never shared by two agents', async ({ stage, browserUnderTest }) => {
    const page = stage.page('/', `${script}${widgetTag(stage)}`);
    const first = await browserUnderTest.newTab(page);
    await connects(first);
    stage.tickets.from = '1106';
    const second = await browserUnderTest.newTab(page);
    await connects(second);
    await until(() => stage.relay.streams.size === 2, 'a stream each');
    const names = await first.evaluate<string[]>(
      `navigator.locks.query().then(({ held }) => held.map(({ name }) => name))`,
    );
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).not.toMatch(/1105|1106|dmt_/);
    await first.close();
    await second.close();
  });

  test('starts anew, with the other calls gone, when somebody else signs in', async ({ stage, tab }) => {
    stage.relay.history = [ended(aCall())];
    await tab.goto(stage.page('/', `${script}${widgetTag(stage)}`));
    await shows(tab, 'Talked');
    stage.relay.history = [];
    stage.tickets.from = '1106';
    for (const { ticket } of stage.relay.requests) stage.relay.refused.add(ticket);
    stage.relay.cut();
    await shows(tab, 'No calls yet');
    await connects(tab);
  });
});

test('in a sandboxed frame, where nothing can be shared, each widget has its own stream', async ({
  stage,
  tab,
}) => {
  const ticket = `dmt_key.${Buffer.from('{"expires":9999999999999}').toString('base64url')}.mac`;
  const inside = `<script type="module" src="${stage.site}/widget.js"></script><dialmark-widget relay="${stage.relay.url}"></dialmark-widget>
    <script>document.querySelector('dialmark-widget').getTicket = async () => '${ticket}'</script>`;
  await tab.goto(
    stage.page('/', `<iframe sandbox="allow-scripts" srcdoc="${inside.replaceAll('"', '&quot;')}"></iframe>`),
  );
  await until(() => stage.relay.streams.size === 1, 'its stream');
  expect(stage.relay.requests.filter((request) => request.path === '/v1/events')).toHaveLength(1);
});

test.describe('tickets', () => {
  test('are renewed after a 401 and before they expire, and nothing is missed', async ({ stage, tab }) => {
    stage.tickets.lifeMs = 2_000;
    await tab.goto(stage.page('/', `${keepEvents}${script}${widgetTag(stage)}`));
    await connects(tab);
    const call = aCall();
    stage.relay.push(call);
    await until(async () => (await callIds(tab)).length === 1, 'the call');
    for (const { ticket } of stage.relay.requests) stage.relay.refused.add(ticket);
    stage.relay.cut();
    stage.relay.push(ended(call));
    await until(async () => (await callIds(tab)).length === 2, 'its end');
    expect(stage.tickets.given).toBeGreaterThan(1);
    // No request after this one carries a ticket that has run out.
    stage.tickets.lifeMs = 600_000;
    await until(async () => {
      stage.relay.cut();
      return new Set(stage.relay.requests.map(({ ticket }) => ticket)).size >= 3;
    }, 'a ticket that was renewed because its time was near');
  });

  test('that cannot be had are asked for ever less often, and say so', async ({ stage, tab }) => {
    stage.tickets.status = 401;
    await tab.goto(stage.page('/', `${keepEvents}${script}${widgetTag(stage)}`));
    await shows(tab, 'Signed out. Sign in again.');
    stage.tickets.status = 500;
    await shows(tab, 'Not available now.');
    expect((await seenEvents(tab)).map(({ code }) => code)).toEqual(['signedOut', 'unavailable']);
    stage.tickets.status = 200;
    await tab.evaluate(
      `document.querySelector('dialmark-widget').shadowRoot.querySelector('[part=retry]').click()`,
    );
    await connects(tab);
  });

  test('come from this site alone', async ({ stage, tab }) => {
    const widget = `<dialmark-widget relay="${stage.relay.url}" ticket-url="${stage.relay.url}/ticket"></dialmark-widget>`;
    await tab.goto(stage.page('/', `${script}${widget}`));
    await shows(tab, 'Not set up');
    expect(stage.relay.requests).toEqual([]);
  });
});

/**
 * Milliseconds without a frame that no shared machine explains: before streams were read in turns with the page, the same
 * floods kept it still for tens of seconds.
 */
const frozen = 5000;

test.describe('a relay that lies', () => {
  const events = { 'content-type': 'text/event-stream' };
  const lies: [string, Parameters<Stage['relay']['override']>, string][] = [
    [
      'answers a web page',
      ['/v1/events', (_q, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi')],
      'The relay’s answer is wrong',
    ],
    [
      'sends what is not JSON',
      ['/v1/events', (_q, r) => void r.writeHead(200, events).write('id: 1\nevent: call\ndata: {\n\n')],
      'The relay’s answer is wrong',
    ],
    [
      'sends what is no Call',
      [
        '/v1/events',
        (_q, r) => void r.writeHead(200, events).write('id: 1\nevent: call\ndata: {"id":[]}\n\n'),
      ],
      'The relay’s answer is wrong',
    ],
    [
      'sends one huge frame',
      [
        '/v1/events',
        (_q, r) =>
          void r.writeHead(200, events).write(`id: 1\nevent: call\ndata: "${'x'.repeat(3_000_000)}"\n\n`),
      ],
      'The relay’s answer is wrong',
    ],
    [
      'never ends a frame',
      ['/v1/events', (_q, r) => flood(r, events, `data: ${'x'.repeat(60_000)}`)],
      'The relay’s answer is wrong',
    ],
    ['answers 500', ['/v1/events', (_q, r) => void r.writeHead(500).end()], 'Not available now.'],
    ['hangs up at once', ['/v1/events', (_q, r) => void r.destroy()], 'No connection.'],
  ];
  for (const [what, [where, lie], sentence] of lies)
    test(`that ${what} leaves the page quick, and is named`, async ({ stage, tab }) => {
      stage.relay.override(where, lie);
      await tab.goto(stage.page('/', `${script}${widgetTag(stage)}`));
      await shows(tab, sentence);
      expect(await longestFrame(tab)).toBeLessThan(frozen);
      stage.relay.override(where);
      await tab.evaluate(
        `document.querySelector('dialmark-widget').shadowRoot.querySelector('[part=retry]')?.click()`,
      );
      await connects(tab);
    });

  test('that comments without end, or whose history is endless, leaves the page quick', async ({
    stage,
    tab,
  }) => {
    stage.relay.override('/v1/events', (_q, r) => flood(r, events, ':\n\n'.repeat(5_000)));
    stage.relay.override('/v1/calls', (_q, r) =>
      flood(r, { 'content-type': 'application/json' }, '[['.repeat(30_000)),
    );
    await tab.goto(stage.page('/', `${keepEvents}${script}${widgetTag(stage)}`));
    await until(
      async () => (await seenEvents(tab)).some(({ code }) => code === 'notUnderstood'),
      'the word about the history',
    );
    expect(await longestFrame(tab)).toBeLessThan(frozen);
  });
});

test('a thousand events in a second are drawn once a frame, and ten thousand leave its memory as it was', async ({
  stage,
  tab,
}) => {
  await tab.goto(stage.page('/', `${script}${widgetTag(stage)}`));
  await tab.activate();
  await connects(tab);
  // How many frames a second there are is the machine's affair; what they are spent on is the widget's.
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
  for (let tenth = 0; tenth < 20; tenth++) {
    stage.relay.push(
      ...Array.from({ length: 100 }, () => (last = aCall({ createdAt: new Date().toISOString() }))),
    );
    // The rate is what is tried here: a tenth of the events in each tenth of a second.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await until(() => knows(last.id), 'the last of two thousand');
  const { drawn, frames, waited, longest } = await tab.evaluate<
    Record<'drawn' | 'frames' | 'waited' | 'longest', number>
  >(`({ drawn, frames, waited: performance.now() - began, longest })`);
  // Where no frame comes, a timer draws four times a second.
  expect(drawn).toBeLessThanOrEqual(frames + waited / 250 + 1);
  expect(drawn).toBeGreaterThan(0);
  expect(longest).toBeLessThan(frozen);

  const before = await heapOf(tab);
  for (let hundred = 0; hundred < 80; hundred++)
    stage.relay.push(...Array.from({ length: 100 }, () => (last = aCall())));
  await until(() => knows(last.id), 'the last of ten thousand');
  const kept = await tab.evaluate<[number, number]>(
    `(() => { const widget = document.querySelector('dialmark-widget'); return [widget.calls.length, widget.shadowRoot.querySelectorAll('*').length]; })()`,
  );
  expect(kept[0]).toBeLessThanOrEqual(30);
  expect(kept[1]).toBeLessThan(300);
  // What was still on its way through the page at one collection is gone at a later one; what is kept never is.
  await until(async () => (await heapOf(tab)) - before < 2_000_000, 'the memory of ten thousand given back');
});

test('the real relay: gone for a while, restarted, the ticket expired meanwhile: everything comes, once', async ({
  stage,
  tab,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialmark-widget-'));
  const sandbox = await startSandbox({ port: 0, token: serviceToken, speed: 20 });
  const relay = await startRelay({ providerUrl: sandbox.url, providerToken: serviceToken, folder });
  const siteKey = await relay.addSite('site', stage.site, agent);
  const key = await relay.addKey(agent);
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
  stage.mint = async () => {
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
      stage.page(
        '/',
        `${keepEvents}${script}<dialmark-widget relay="${relay.url}" ticket-url="/ticket" mode="dial"></dialmark-widget>`,
      ),
    );
    await connects(tab);
    const first = await place('4833224455');
    await until(async () => (await stateOfWidget(tab)) === 'disconnected', 'the end of the first call');
    await relay.kill('SIGKILL');
    await until(async () => (await connectionOfWidget(tab)) === 'down', 'the word that the relay is gone');
    const lastTicket = JSON.parse(Buffer.from(given.at(-1)!.split('.')[1]!, 'base64url').toString()) as {
      expires: number;
    };
    await until(() => Date.now() > lastTicket.expires, 'the end of its ticket');
    await relay.start();
    // Two calls begin and end before the widget is back; its ticket is over by then.
    const missed = [await place('1134567890'), await place('4833221100')];
    const all = [first, ...missed].map(({ id }) => id);
    await until(
      async () => {
        const over = (await seenEvents(tab))
          .filter(({ state }) => state === 'disconnected')
          .map(({ id }) => id);
        return all.every((id) => over.includes(id));
        // The relay may come back right after a try that failed; the longest pause before the next one is half a minute.
      },
      'every end',
      90_000,
    );
    const told = (await seenEvents(tab))
      .filter(({ name }) => name === 'call')
      .map(({ id, revision }) => `${id} ${revision}`);
    expect(new Set(told).size).toBe(told.length);
    // And a number dialled in the widget goes all the way.
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
    await relay.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

/** Bytes in use after a collection. Firefox has no word for it in its protocol: there the kept calls and nodes are what is judged. */
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
  // Frames are for the tab in front.
  await tab.activate();
  return tab.evaluate(
    `new Promise((resolve) => { let longest = 0, last = performance.now(); const start = last;
       const frame = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now;
         now - start > 1000 ? resolve(longest) : requestAnimationFrame(frame); }; requestAnimationFrame(frame); })`,
  );
}

/** Writes the same text again and again, as fast as it is read, until the reader leaves. */
function flood(
  response: import('node:http').ServerResponse,
  headers: Record<string, string>,
  text: string,
): void {
  response.writeHead(200, headers);
  const write = () => {
    while (!response.destroyed && response.write(text));
    if (!response.destroyed) response.once('drain', () => setImmediate(write));
  };
  write();
}
