/**
 * Every mode of the calling service: {relay, direct} x {cloud, local} x {POST, GET} x {header, body, query} x {v1, v2}. The
 * service is the sandbox, the relay is the relay, the direct half is the extension's own background with the browser's API
 * replaced; each click makes one `/call` with exactly the documented fields, and the right Call at the end.
 */
import 'fake-indexeddb/auto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Settings as SettingsType } from '../extension/settings.ts';
import { type Sandbox, startSandbox } from '../sandbox/service.ts';
import { type Call, newCallId } from '../shared/call/call.ts';
import { session } from '../testing/extension/browser-api.ts';
import { newClick, startTestRelay, type TestRelay } from '../testing/relay/test-relay.ts';
import { until } from '../testing/until.ts';

vi.mock('webextension-polyfill', () => import('../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');
vi.stubGlobal('chrome', { declarativeNetRequest: { updateSessionRules: async () => {} } });

const { Settings } = await import('../extension/settings.ts');
const { placeCall } = await import('../extension/background/calls/place-call.ts');
const { getCall } = await import('../extension/background/calls/call-store.ts');
const { database } = await import('../extension/background/database.ts');
const { followOpenCalls } = await import('../extension/background/calls/follow-calls.ts');
const { readSettings, updateSettings } = await import('../extension/background/settings/settings-store.ts');
const { writeSecret } = await import('../extension/background/settings/secrets.ts');

const token = 'sandbox-token-for-tests';
const from = '1105';
const to = '1133504177';

interface Mode {
  place: 'cloud' | 'local';
  method: 'post' | 'get';
  tokenIn: 'header' | 'body' | 'query';
  version: 'v1' | 'v2';
}
const modes: Mode[] = (['cloud', 'local'] as const).flatMap((place) =>
  (['post', 'get'] as const).flatMap((method) =>
    (['header', 'body', 'query'] as const).flatMap((tokenIn) =>
      (['v1', 'v2'] as const).map((version) => ({ place, method, tokenIn, version })),
    ),
  ),
);
const name = ({ place, method, tokenIn, version }: Mode) =>
  `${place}, ${method}, token in ${tokenIn}, ${version}`;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, token, speed: 100 });
});
afterAll(() => sandbox.close());

/** One request, and in it what the interface names, nothing else. A GET carries a token "in the body" as its query. */
function expectOneCall(before: number, mode: Mode): void {
  const calls = sandbox.calls.slice(before);
  expect(calls).toHaveLength(1);
  const { fields, method, tokenPlace } = calls[0]!;
  expect(method).toBe(mode.method.toUpperCase());
  expect(tokenPlace).toBe(mode.method === 'get' && mode.tokenIn === 'body' ? 'query' : mode.tokenIn);
  const { returnurl, version = 'v1', timeout, ...rest } = fields;
  expect(rest).toEqual({ from, to, force_from: 'yes', callerid: '1130001000' });
  expect(Number(timeout)).toBe(20);
  expect(version).toBe(mode.version);
  expect(returnurl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/h\/v1\//);
}

/** The same whatever the version; the recording's address is complete in both. */
function expectTheEnd(call: Call): void {
  expect(call).toMatchObject({
    from,
    to,
    state: 'disconnected',
    reason: 'hangUp',
    talkSeconds: 4,
    totalSeconds: 6,
  });
  expect(call.callid).toBeTruthy();
  expect(call.legs?.length).toBeGreaterThan(1);
  expect(new URL(call.recordingUrl!).pathname).toMatch(/^\/recordings/);
}

describe('through the relay', () => {
  test.each(modes.map((mode) => [name(mode), mode] as const))('%s', async (_name, mode) => {
    const relay = await startTestRelay({
      PROVIDER_URL: mode.place === 'cloud' ? sandbox.url : sandbox.url.replace('127.0.0.1', 'localhost'),
      PROVIDER_TOKEN: token,
      PROVIDER_TOKEN_IN: mode.tokenIn,
      PROVIDER_METHOD: mode.method,
      PROVIDER_VERSION: mode.version,
    });
    try {
      const key = await relay.agent(from);
      const before = sandbox.calls.length;
      const placed = await relay.ask('/v1/calls', {
        as: key,
        headers: newClick(),
        body: { to, timeout: 20, force_from: 'yes', callerid: '1130001000' },
      });
      expect(placed.status).toBe(201);
      const ended = await until(async () => {
        const { body } = await relay.ask(`/v1/calls/${placed.body.id}`, { as: key });
        return body.state === 'disconnected' ? (body as Call) : undefined;
      }, 'the end of the call');
      expectOneCall(before, mode);
      expectTheEnd(ended);
    } finally {
      await relay.stop();
    }
  });
});

describe('directly, followed by a relay', () => {
  /** One relay for each version: it reads the notification as the call asked for it. */
  const relays = new Map<string, { relay: TestRelay; key: string }>();
  beforeAll(async () => {
    for (const version of ['v1', 'v2']) {
      const relay = await startTestRelay({ PROVIDER_VERSION: version });
      relays.set(version, { relay, key: await relay.agent(from) });
    }
  });
  afterAll(async () => {
    const db = await database();
    await db.clear('calls');
    await followOpenCalls();
    for (const { relay } of relays.values()) await relay.stop();
  });

  test.each(modes.map((mode) => [name(mode), mode] as const))('%s', async (_name, mode) => {
    const { relay, key } = relays.get(mode.version)!;
    const addresses =
      mode.place === 'cloud' ? { primaryUrl: sandbox.url } : { localUrl: sandbox.url, useLocal: true };
    await updateSettings(
      () =>
        Settings.parse({
          connection: {
            mode: 'direct',
            relayUrl: relay.url,
            direct: { ...addresses, method: mode.method, tokenIn: mode.tokenIn, version: mode.version },
          },
          agent: { from, timeout: 20, forceFrom: true, callerid: '1130001000' },
        }) as SettingsType,
    );
    const { settings } = await readSettings();
    await writeSecret('serviceToken', token, settings);
    await writeSecret('agentKey', key, settings);
    const db = await database();
    await db.clear('calls');
    session.clear();
    const before = sandbox.calls.length;
    const id = newCallId();
    const reply = await placeCall({ id, source: { kind: 'typed', text: to } });
    expect(reply.ok).toBe(true);
    const ended = await until(async () => {
      const record = await getCall(id);
      return record?.call.state === 'disconnected' ? record.call : undefined;
    }, 'the end of the call');
    expectOneCall(before, mode);
    expectTheEnd(ended);
  });
});
