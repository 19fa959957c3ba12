import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import type { Call } from '../../../shared/call/call.ts';
import { callOnItsWay } from '../../../testing/extension/call-on-its-way.ts';
import type { CallRecord } from './call-record.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');

const { followOpenCalls } = await import('./follow-calls.ts');
const { getCall, changeCall, withFact } = await import('./call-store.ts');
const { placeThroughRelay } = await import('./place-through-relay.ts');
const { storeCall } = await import('../../../testing/extension/store-call.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');

const relay = { url: 'http://127.0.0.1:8787', key: 'dmk_agent' };
const json = (body: object, status = 200) => Response.json(body, { status });
const notFound = () => json({ type: 'urn:x', title: 'notFound', status: 404, code: 'notFound' }, 404);

afterEach(async () => {
  for (const { id } of stored) await changeCall(id, (record) => ({ ...record, followed: 'none' }));
  stored.length = 0;
  await followOpenCalls();
});

const stored: Call[] = [];
/** Stores a call to the relay, which the extension may ask. */
async function storeCallOnItsWay(): Promise<CallRecord> {
  await updateSettings((own) => ({
    ...own,
    connection: { ...own.connection, mode: 'relay', relayUrl: relay.url },
  }));
  await writeSecret('agentKey', relay.key, (await readSettings()).settings);
  const record = callOnItsWay();
  await storeCall(record);
  stored.push(record.call);
  return record;
}

/** A relay whose stream opens and reports nothing, and that answers the placing of a call when it is asked to. */
function slowRelay(fetched: () => Response) {
  const asked: string[] = [];
  let answerPlacing!: (call: Call) => void;
  const placed = new Promise<Response>((resolve) => {
    answerPlacing = (call) => resolve(json(call, 201));
  });
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit) => {
    const { pathname } = new URL(url);
    if (pathname === '/v1/events')
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
    if (method === 'POST') return placed;
    if (!pathname.startsWith('/v1/calls/')) return notFound();
    asked.push(pathname);
    return fetched();
  });
  return { asked, answerPlacing };
}

test('hears of an end before the stream opened, also where it is still placing that call', async () => {
  const record = await storeCallOnItsWay();
  const { call } = record;
  const ended = { ...call, state: 'disconnected', talkSeconds: 4, revision: 5 };
  const { answerPlacing } = slowRelay(() => json(ended));
  const placing = placeThroughRelay(record, relay);
  await followOpenCalls();
  await expect.poll(async () => (await getCall(call.id))?.call.state).toBe('disconnected');
  answerPlacing({ ...call, state: 'callingCaller', revision: 1 });
  await placing;
  expect(await getCall(call.id)).toMatchObject({
    phase: 'placed',
    call: { state: 'disconnected', talkSeconds: 4 },
  });
});

test('waits for the placing of a call that the relay does not know yet', async () => {
  const record = await storeCallOnItsWay();
  const { call } = record;
  const { asked, answerPlacing } = slowRelay(notFound);
  const placing = placeThroughRelay(record, relay);
  await followOpenCalls();
  await expect.poll(() => asked.length).toBe(1);
  answerPlacing({ ...call, state: 'callingCaller', revision: 1 });
  await placing;
  expect((await getCall(call.id))?.call.state).toBe('callingCaller');
});

test('reconnects with the key that replaces another one', async () => {
  const { call } = await storeCallOnItsWay();
  await changeCall(call.id, (record) => ({ ...record, phase: 'placed', relayRevision: 1 }));
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    if (new URL(url).pathname !== '/v1/events') return notFound();
    keys.push(new Headers(headers).get('authorization'));
    return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
  });
  await followOpenCalls();
  await expect.poll(() => keys).toEqual(['Bearer dmk_agent']);
  await writeSecret('agentKey', 'dmk_other', (await readSettings()).settings);
  await followOpenCalls();
  await expect.poll(() => keys).toEqual(['Bearer dmk_agent', 'Bearer dmk_other']);
});

test('a call that the relay has never confirmed is still one that may have rung after its time', async () => {
  const own = callOnItsWay({ phase: 'placed', followUntil: Date.now() - 1000 });
  const error = { code: 'connectionLost', message: 'the relay did not confirm the call' } as const;
  await storeCall(withFact(own, { kind: 'notAnswered', at: own.createdAt, error }));
  await followOpenCalls();
  expect(await getCall(own.id)).toMatchObject({ call: { state: 'unknown', reason: 'notAnswered' }, open: 0 });
});

test('keeps the end of a call whose report the relay did not get in time', async () => {
  const own = callOnItsWay({ phase: 'placed', followUntil: Date.now() - 1000, relayRevision: 1 });
  const error = { code: 'unreachable', message: 'nothing answers at the service address' } as const;
  const ended = withFact(own, { kind: 'notSent', at: own.createdAt, error });
  await storeCall({ ...ended, report: { error: { kind: 'notSent', ...error } } });
  await followOpenCalls();
  const { call, open, report } = (await getCall(own.id))!;
  expect([call.state, call.reason, open, report]).toEqual(['failed', 'notSent', 0, undefined]);
});

const outOfReach: [string, () => Response][] = [
  ['is out of reach', () => Promise.reject(new TypeError('Failed to fetch')) as never],
  ['is behind a proxy that fails', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  [
    'is behind a login page',
    () => new Response('<h1>Hotel</h1>', { headers: { 'content-type': 'text/html' } }),
  ],
];
test.each(outOfReach)(
  'asks a relay that %s again before the end of a call is unknown',
  async (_why, reply) => {
    const { call } = await storeCallOnItsWay();
    const over = { phase: 'placed', relayRevision: 1, followUntil: Date.now() - 6 * 3600_000 } as const;
    await changeCall(call.id, (record) => ({ ...record, ...over }));
    vi.stubGlobal('fetch', async () => reply());
    await followOpenCalls();
    expect(await getCall(call.id)).toMatchObject({ open: 1, call: { state: call.state } });
    slowRelay(() => json({ ...call, state: 'disconnected', talkSeconds: 4, revision: 5 }));
    await followOpenCalls();
    expect(await getCall(call.id)).toMatchObject({ call: { state: 'disconnected', talkSeconds: 4 } });
  },
);
