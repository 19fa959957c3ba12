/** The background can be stopped at any moment, and browsers resend what they think was lost: still one call, and its end. */
import { newCallId } from '../shared/call/call.ts';
import type { Tab } from '../testing/browsers/browser.ts';
import {
  ask,
  askOnce,
  callAtItsEnd,
  configure,
  ownPage,
  readyToDial,
} from '../testing/extension/ask-background.ts';
import { cardState, clickNumber } from '../testing/extension/marked-numbers.ts';
import { agent } from '../testing/extension/options-page.ts';
import { freePort } from '../testing/servers/free-port.ts';
import { html, servePages } from '../testing/servers/serve-pages.ts';
import { until } from '../testing/until.ts';
import type { Workstation } from '../testing/workstation.ts';
import { expect, test } from './fixtures.ts';

let page: Tab;
test.beforeAll(async ({ workstation }) => {
  await workstation.enableSite('127.0.0.1');
  page = await ownPage(workstation);
});
test.beforeEach(() => readyToDial(page));

const throughRelay = (workstation: Workstation) =>
  configure(page, workstation, ({ connection, agent }) => {
    Object.assign(connection, { mode: 'relay', relayUrl: workstation.relay.url });
    delete agent.timeout;
  });
/** No relay follows, and a caller's phone rings for 1 s: calls are soon over. */
const directly = (workstation: Workstation, direct: object = {}, connection: object = {}) =>
  configure(page, workstation, (settings) => {
    settings.connection = {
      mode: 'direct',
      direct: { primaryUrl: workstation.sandbox.url, ...direct },
      ...connection,
    };
    settings.agent.timeout = 1;
  });

const dialling = (click: string, number: string) => ({ type: 'page.dial', click, input: number });
const answered = '(48) 3322-9001';
const reset = '(48) 3322-9012';
/** Talks for 23 s here, or until the story hangs up: the end comes when the story wants it. */
const long = '(48) 3322-9002';

/** Ends the newest call, which must be under way. */
const hangUp = (workstation: Workstation) =>
  until(
    () => workstation.sandbox.hangUp(workstation.sandbox.calls.at(-1)?.callid ?? ''),
    'the call to hang up',
  );

/** Park and Miller's generator: moments that differ, and are the same in every run. */
function* moments(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 48271) % 2147483647;
    yield state / 2147483647;
  }
}

const placesOneCall = async (workstation: Workstation, rounds: number, seed: number): Promise<void> => {
  test.setTimeout(600_000);
  await throughRelay(workstation);
  const moment = moments(seed);
  for (let round = 0; round < rounds; round += 1) {
    await readyToDial(page);
    const before = workstation.sandbox.calls.length;
    const click = newCallId();
    const asked = askOnce(page, dialling(click, answered));
    // Half of the stops fall into the asking itself, half into the call's 1.5 s.
    const wait = moment.next().value! * (round % 2 === 0 ? 80 : 1500);
    await new Promise((resolve) => setTimeout(resolve, wait));
    await workstation.browser.stopBackground();
    // A page whose question got no answer asks once more, under the same click.
    if (!(await asked)?.ok) await ask(page, dialling(click, answered));
    const where = `round ${round}, stopped after ${wait.toFixed(0)} ms`;
    await until(
      async () => (await callAtItsEnd(page, click)).call.state === 'disconnected',
      `the end, ${where}`,
    );
    expect(
      workstation.sandbox.calls.slice(before).map(({ fields }) => fields.to),
      where,
    ).toEqual(['4833229001']);
    const { value } = await ask<{ entries: { id: string }[] }>(page, { type: 'page.history' });
    expect(
      value.entries.filter(({ id }) => id === click),
      where,
    ).toHaveLength(1);
  }
};

test("a background stopped before a call's end, 5 times, places one call with one end @short", ({
  workstation,
}) => placesOneCall(workstation, 5, 20261122));

test("a background stopped before a call's end, 20 times, places one call with one end @exhaustive", ({
  workstation,
}) => placesOneCall(workstation, 20, 20261121));

test('a stopped background restarts by its alarm, so that the page of the call shows its end @exhaustive', async ({
  workstation,
  tab,
}) => {
  test.setTimeout(600_000);
  await throughRelay(workstation);
  const pages = await servePages({ '/': html(`<p>${long}`) });
  await tab.goto(pages.url('/'));
  await clickNumber(tab, long);
  await until(async () => (await cardState(tab)) === 'callingCaller', 'callingCaller in the page');
  await workstation.browser.stopBackground();
  // A machine may take so long until here that the talk is over by itself.
  const { callid } = workstation.sandbox.calls.at(-1)!;
  const isOver = () => workstation.sandbox.notifications.some((sent) => sent.callid === callid);
  await until(() => workstation.sandbox.hangUp(callid ?? '') || isOver(), 'the end of the call');
  // No page of ours asks the background from here on: its alarm, or a tab that closes, starts it again.
  await until(async () => (await cardState(tab)) === 'disconnected', 'the end in the page', 240_000);
  pages.close();
});

test('fetches the end of a call after a browser restart without a cursor', async ({ workstation }) => {
  await throughRelay(workstation);
  const click = newCallId();
  expect(await ask(page, dialling(click, long))).toMatchObject({ ok: true });
  // Before the stop: whatever starts it again finds nothing.
  await page.evaluate(`(async () => {
    const api = globalThis.browser ?? chrome;
    await api.storage.session.clear();
    await api.alarms.clearAll();
  })()`);
  await workstation.browser.stopBackground();
  const ends = workstation.sandbox.notifications.length;
  await hangUp(workstation);
  const { body } = await until(
    () => workstation.sandbox.notifications.slice(ends).find(({ status }) => status !== undefined),
    'the notification',
  );
  expect((await callAtItsEnd(page, click)).call).toMatchObject({
    state: 'disconnected',
    talkSeconds: Number(body.billsec),
  });
});

test('keeps neither stream nor alarm while every call is over, its wrap-up too', async ({ workstation }) => {
  await throughRelay(workstation);
  // Calls without an outcome are followed for some minutes.
  await ask(page, { type: 'page.forgetHistory' });
  await until(async () => {
    // In this order: a background that has just come back is idle, and its alarm stands, until it has looked for open calls.
    const alarms = await page.evaluate<unknown[]>(`(globalThis.browser ?? chrome).alarms.getAll()`);
    const { value } = await ask<{ follow: string }>(page, { type: 'page.state' });
    return value.follow === 'idle' && alarms.length === 0;
  }, 'an idle stream and no alarm');
});

test('a tab that is marked on request while its site is being turned off stays marked @exhaustive', async ({
  workstation,
  tab,
}) => {
  await tab.goto(`${workstation.sandbox.url}/crm/`);
  const tabId = await page.evaluate<number>(
    `(globalThis.browser ?? chrome).tabs.query({ url: '${workstation.sandbox.url.replace(/:\d+$/, '')}/*' }).then(([tab]) => tab.id)`,
  );
  const numbers = () =>
    until(
      async () => (await ask<unknown[]>(page, { type: 'page.numbersOnPage', tabId })).value.length > 0,
      'the numbers of the tab',
    );
  const site = (state: 'enabled' | 'default') => ({ type: 'page.setSite', host: '127.0.0.1', state });
  for (let round = 0; round < 5; round += 1) {
    await ask(page, site('enabled'));
    await numbers();
    await Promise.all([ask(page, site('default')), ask(page, { type: 'page.scanTab', tabId })]);
    // Once more: its answer comes after whatever the first has started.
    await ask(page, site('default'));
    await numbers();
    await page.evaluate(`(globalThis.browser ?? chrome).storage.session.remove('scanned')`);
  }
  await ask(page, site('enabled'));
});

test('a scan of an error page is refused as of a page that cannot be read', async ({ tab }) => {
  await tab.goto(`http://127.0.0.1:${await freePort()}/`).catch(() => {}); // Nothing listens there.
  const tabId = await until(
    () =>
      page.evaluate<number | undefined>(
        `(globalThis.browser ?? chrome).tabs.query({ active: true, lastFocusedWindow: true }).then(([tab]) => tab.id)`,
      ),
    'the tab',
  );
  const { error } = await ask(page, { type: 'page.scanTab', tabId });
  expect(error).toEqual({ code: 'unreadable' });
});

test.describe('directly', () => {
  test('places one call when the connection is reset after its acceptance, also on a reused one', async ({
    workstation,
  }) => {
    for (const method of ['post', 'get'] as const) {
      await directly(workstation, { method });
      for (const number of [answered, reset, reset]) {
        await readyToDial(page);
        const before = workstation.sandbox.calls.length;
        const click = newCallId();
        await ask(page, dialling(click, number));
        const { call } = await callAtItsEnd(page, click);
        expect(call.state).toBe('unknown');
        expect(workstation.sandbox.calls.length - before, `${method} ${number}`).toBe(1);
      }
    }
  });

  const sendsOnce = async (workstation: Workstation, rounds: number, seed: number): Promise<void> => {
    test.setTimeout(600_000);
    await directly(workstation, {}, { relayUrl: workstation.relay.url });
    const moment = moments(seed);
    for (let round = 0; round < rounds; round += 1) {
      await readyToDial(page);
      const before = workstation.sandbox.calls.length;
      const click = newCallId();
      const asked = askOnce(page, dialling(click, answered));
      // The stop falls where it falls: into the judging, the probe, the request or after it.
      await new Promise((resolve) => setTimeout(resolve, moment.next().value! * 120));
      await workstation.browser.stopBackground();
      if (!(await asked)?.ok) await ask(page, dialling(click, answered));
      const where = `round ${round}`;
      const entry = await callAtItsEnd(page, click);
      const sent = workstation.sandbox.calls.length - before;
      expect(sent, where).toBeLessThanOrEqual(1);
      if (sent === 0) expect(entry.call.state, where).not.toBe('disconnected');
      // It was announced to the relay, so a call that was placed has its end, whatever its reply met.
      else
        await until(
          async () => (await callAtItsEnd(page, click)).call.state === 'disconnected',
          `the end, ${where}`,
        );
    }
  };

  test('a background stopped during the request, 3 times, shows the call as unknown, sent once @short', ({
    workstation,
  }) => sendsOnce(workstation, 3, 8));

  test('a background stopped during the request, 8 times, shows the call as unknown, sent once @exhaustive', ({
    workstation,
  }) => sendsOnce(workstation, 8, 7));

  test('refuses plain http to another computer unless allowed, then does not upgrade it', async ({
    workstation,
  }) => {
    await workstation.enableSite('pbx.test');
    const primaryUrl = workstation.sandbox.url.replace('127.0.0.1', 'pbx.test');
    await directly(workstation, { primaryUrl });
    expect(await ask(page, dialling(newCallId(), answered))).toMatchObject({
      ok: false,
      error: { code: 'insecure' },
    });
    await directly(workstation, { primaryUrl }, { allowPlaintext: true });
    const before = workstation.sandbox.calls.length;
    const click = newCallId();
    expect(await ask(page, dialling(click, answered))).toMatchObject({
      ok: true,
      value: { state: 'callingCaller' },
    });
    expect(workstation.sandbox.calls.slice(before).map(({ fields }) => [fields.from, fields.to])).toEqual([
      [agent, '4833229001'],
    ]);
    const { call, sentence } = await callAtItsEnd(page, click);
    expect(call).toMatchObject({ state: 'unknown', reason: 'other' });
    expect(sentence).toContain('end is not known');
  });
});

test('a content script reads no secret, setting or history, nor sends requests of our pages', async ({
  workstation,
  tab,
}) => {
  await throughRelay(workstation);
  await tab.goto(`${workstation.sandbox.url}/crm/`);
  const seen = await page.evaluate<string>(`(async () => {
    const api = globalThis.browser ?? chrome;
    const tabs = await api.tabs.query({ url: '*://127.0.0.1/*' });
    const [{ result }] = await api.scripting.executeScript({ target: { tabId: tabs[0].id }, func: async () => {
      const api = globalThis.browser ?? chrome;
      const seen = {};
      for (const area of ['local', 'sync', 'session', 'managed'])
        seen[area] = await Promise.resolve().then(() => api.storage[area].get(null)).catch(() => 'closed');
      seen.databases = await indexedDB.databases();
      seen.asked = [];
      for (const message of [{ type: 'page.settings' }, { type: 'page.history' }, { type: 'page.state' },
        { type: 'page.setSecret', name: 'agentKey', value: 'mine' }])
        seen.asked.push(await api.runtime.sendMessage(message).catch((error) => String(error)));
      return JSON.stringify(seen);
    } });
    return result;
  })()`);
  expect(seen).not.toContain(workstation.key);
  expect(seen).not.toContain(workstation.relay.url);
  expect(seen).not.toContain('4833229001');
  expect(JSON.parse(seen).asked).toEqual(Array(4).fill({ ok: false, error: { code: 'notAllowedHere' } }));
});
