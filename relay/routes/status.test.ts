import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { announce, hangup, startTestRelay, type TestRelay } from '../../testing/relay/test-relay.ts';
import { until } from '../../testing/until.ts';

// jsdom carries no types.
const { JSDOM } = createRequire(import.meta.url)('jsdom') as {
  JSDOM: new (
    html: string,
    options: { url: string; runScripts: 'dangerously'; beforeParse(page: { fetch: unknown }): void },
  ) => { window: Window };
};

const open: { stop(): Promise<void> }[] = [];
const start = async (environment?: Record<string, string>) => {
  const relay = await startTestRelay(environment);
  open.push(relay);
  return relay;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((relay) => relay.stop()));
});
const metricsToken = 'a token of the metrics';

describe('the status of the relay', () => {
  it('has streams, queue, last notification, version', async () => {
    const relay = await start();
    const { body } = await relay.ask('/status.json');
    expect(body).toMatchObject({ streams: 0, dialsUnderWay: 0, version: expect.stringMatching(/^\d+\.\d+/) });
    expect(body).not.toHaveProperty('lastNotificationAt');
    expect(body).not.toHaveProperty('forwardsPending');
    expect(body).not.toHaveProperty('overrides');
    const { path } = await announce(relay.url, await relay.agent('1105'));
    await relay.ask('/h/v1/forged', { body: hangup() });
    expect((await relay.ask('/status.json')).body).not.toHaveProperty('lastNotificationAt');
    const before = Date.now();
    await relay.ask(path, { body: hangup() });
    const { lastNotificationAt } = (await relay.ask('/status.json')).body;
    expect(Date.parse(lastNotificationAt)).toBeGreaterThanOrEqual(before);
    const { text } = await relay.ask('/metrics');
    const [, seconds] = /^dialmark_last_notification_timestamp_seconds (\S+)$/m.exec(text)!;
    expect(Number(seconds)).toBe(Date.parse(lastNotificationAt) / 1000);
  });

  it('has from the start each counter of calls whose increase an alert awaits', async () => {
    const { text } = await (await start()).ask('/metrics');
    for (const labels of ['state="callingCaller",reason="none"', 'state="unknown",reason="notAnswered"'])
      expect(text).toContain(`\ndialmark_calls_total{${labels}} 0\n`);
  });

  it('is for the metrics token alone where one is set, but not in the address', async () => {
    const relay = await start({ METRICS_TOKEN: metricsToken });
    expect((await relay.ask('/status.json')).status).toBe(401);
    expect((await relay.ask(`/status.json?token=${encodeURIComponent(metricsToken)}`)).status).toBe(401);
    expect((await relay.ask('/status.json', { as: metricsToken })).status).toBe(200);
  });

  it('has how often rules were overridden, with the keys that did so most', async () => {
    const relay = await start();
    const at = new Date().toISOString();
    const override = (by: string, count: number, when = at) =>
      Array.from(
        { length: count },
        () => ({ at: when, action: 'override', by, about: '+5548999991001' }) as const,
      );
    const longAgo = new Date(Date.now() - 25 * 3_600_000).toISOString();
    await relay.store.rules.record([
      ...override('boss', 100),
      ...override('deputy', 3),
      ...override('boss', 50, longAgo),
      { at, action: 'doNotCall.add', by: 'boss', about: '+5548999991001' },
    ]);
    expect((await relay.ask('/status.json')).body.overrides).toEqual({
      count: 103,
      mostBy: { key: 'boss', count: 100 },
    });
    const { document } = await openPage(relay);
    const list = document.querySelector('dl')!;
    await until(() => !list.hidden, 'the figures');
    expect(list.textContent).toContain('Rules overridden in 24 hours103, of them 100 by the key boss');
  });

  it('has how many calls need a record, with the time of the first one', async () => {
    const relay = await start({
      ...{ CRM_CRM_KIND: 'redmine', CRM_CRM_URL: 'https://crm.example', CRM_CRM_TOKEN: 'secret-key' },
    });
    const intents = [1, 2].map((day) => {
      const { call, ...intent } = clientIntent('1105', { lacksRecord: 'noRecord' });
      return { ...intent, call: { ...call, createdAt: `2026-11-0${day}T10:00:00.000Z` } };
    });
    const end = { kind: 'hungUp', at: new Date().toISOString(), details: {} } as const;
    for (const intent of intents) {
      await relay.store.calls.place(intent);
      await relay.store.calls.apply({ callId: intent.call.id, fact: end, now: Date.now() });
    }
    const since = '2026-11-01T10:00:00.000Z';
    expect((await relay.ask('/status.json')).body.withoutRecord).toEqual({ calls: 2, since });
    const { document } = await openPage(relay);
    const list = document.querySelector('dl')!;
    await until(() => !list.hidden, 'the figures');
    const first = new Date(since).toLocaleString();
    expect(list.textContent).toContain(`Not logged, need a record2, the first since ${first}`);
  });

  it('says at / only what this is', async () => {
    const { headers, text } = await (await start()).ask('/');
    expect(text).toBe('Dialmark relay: places calls and pushes how they end.\n');
    expect(headers.get('content-type')).toMatch('text/plain');
  });
});

describe('the status page', () => {
  it('allows only its own style or script', async () => {
    const { headers, text } = await (await start()).ask('/status');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toContain('unsafe');
    for (const name of ['style', 'script']) {
      const [, content] = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)!;
      expect(policy).toContain(`${name}-src 'sha256-${hash('sha256', content!, 'base64')}'`);
    }
    expect(text).not.toMatch(/ (style|on\w+)=/);
  });

  it('shows the figures', async () => {
    const { document, asked } = await openPage(await start());
    const list = document.querySelector('dl')!;
    await until(() => !list.hidden, 'the figures');
    expect(list.textContent).toMatch(/Open streams0.*Last notificationnone since the start.*Version\d/);
    expect(document.querySelector('form')!.hidden).toBe(true);
    expect(asked[0]).toEqual({ path: 'status.json?shown=', authorization: undefined });
  });

  it('shows a change as it comes, by one request that waits for it', async () => {
    const relay = await start();
    const { document, asked } = await openPage(relay);
    const list = document.querySelector('dl')!;
    await until(() => !list.hidden, 'the figures');
    await until(() => asked.length === 2, 'the request that waits');
    const { path } = await announce(relay.url, await relay.agent('1105'));
    await relay.ask(path, { body: hangup() });
    await until(() => !list.textContent!.includes('none since the start'), 'the last notification');
    expect(asked.length).toBeLessThan(8);
    expect(new Set(asked.map((request) => request.path)).size).toBeGreaterThan(1);
  });

  it('asks for the metrics token, to send it as a header', async () => {
    const { document, asked } = await openPage(await start({ METRICS_TOKEN: metricsToken }));
    const form = document.querySelector('form')!;
    await until(() => !form.hidden, 'the form');
    const enter = (text: string) => {
      document.querySelector('input')!.value = text;
      document.querySelector('button')!.click();
    };
    enter('another');
    await until(
      () => /not the token/.test(document.querySelector('[role=status]')!.textContent!),
      'the notice',
    );
    enter(metricsToken);
    await until(() => !document.querySelector('dl')!.hidden, 'the figures');
    expect(form.hidden).toBe(true);
    expect(document.querySelector('input')!.value).toBe('');
    const path = 'status.json?shown=';
    expect(asked.slice(0, 3)).toEqual([
      { path, authorization: undefined },
      { path, authorization: 'Bearer another' },
      { path, authorization: `Bearer ${metricsToken}` },
    ]);
  });
});

/** The page as a browser runs it, with every request that it made. */
async function openPage(relay: TestRelay) {
  const asked: { path: string; authorization: string | undefined }[] = [];
  const { text } = await relay.ask('/status');
  const { window } = new JSDOM(text, {
    url: `${relay.url}/status`,
    runScripts: 'dangerously',
    beforeParse: (page) => {
      page.fetch = (path: string, init: { headers: { authorization?: string } }) => {
        asked.push({ path, authorization: init.headers.authorization });
        return fetch(new URL(path, `${relay.url}/status`), init);
      };
    },
  });
  open.push({ stop: async () => window.close() });
  return { document: window.document, asked };
}
