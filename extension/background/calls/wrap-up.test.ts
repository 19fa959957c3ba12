import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, newCall, newCallId } from '../../../shared/call/call.ts';
import { defaultRules } from '../../../shared/protocol/rules.ts';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import type { CallRecord } from './call-record.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
vi.stubGlobal('__BROWSER__', 'chrome');

const { wrapUpHandlers } = await import('./wrap-up.ts');
const { getCall } = await import('./call-store.ts');
const { toHistoryEntry } = await import('./call-words.ts');
const { storeCall } = await import('../../../testing/extension/store-call.ts');
const { readSettings, updateSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');

const relay = 'http://127.0.0.1:8787';
let asked: { request: string; ifMatch?: string | undefined; body?: unknown }[] = [];
let answer: () => Response;
vi.stubGlobal('fetch', async (url: string, { method, headers, body }: RequestInit) => {
  const ifMatch = (headers as Record<string, string>)['if-match'];
  asked.push({
    request: `${method} ${url.slice(relay.length)}`,
    ...(ifMatch && { ifMatch }),
    ...(body && { body: JSON.parse(body as string) }),
  });
  return answer();
});
const setRelay = (relayUrl: string | undefined) =>
  updateSettings((own) => ({ ...own, connection: { ...own.connection, relayUrl } }));

beforeEach(async () => {
  asked = [];
  await setRelay(relay);
  await writeSecret('agentKey', 'dmk_agent', (await readSettings()).settings);
});

async function aCall(): Promise<Call> {
  const now = new Date().toISOString();
  const id = newCallId();
  const call: Call = {
    ...newCall({ id, from: '1105', to: '4833224455', now }),
    state: 'disconnected',
    revision: 3,
  };
  const record = {
    id,
    call,
    phase: 'placed',
    open: 0,
    relayRevision: 3,
    display: '(48) 3322-4455',
    note: '',
  };
  await storeCall({ ...record, createdAt: now, changedAt: now } as CallRecord);
  return call;
}
const withWrapUp = (call: Call, wrapUp: Partial<WrapUp>): Call => ({
  ...call,
  revision: call.revision + 1,
  wrapUp: { revision: 1, ...wrapUp },
});
const problem = (status: number, code: string, more: object = {}) =>
  Response.json({ type: 'urn:x', title: code, status, code, ...more }, { status });

test('saves a wrap-up with the revision that the agent saw, keeping the call', async () => {
  const call = await aCall();
  const saved = withWrapUp(call, { outcome: 'reached' });
  answer = () => Response.json(saved);
  const reply = await wrapUpHandlers['page.wrapUp']({ callId: call.id, revision: 0, outcome: 'reached' });
  expect(reply).toEqual({ ok: true, value: { call: saved, isOutdated: false } });
  const path = `/v1/calls/${call.id}/wrap-up`;
  expect(asked).toEqual([{ request: `PATCH ${path}`, ifMatch: '0', body: { outcome: 'reached' } }]);
  expect((await getCall(call.id))?.call.wrapUp).toEqual(saved.wrapUp);
});

test('hands over what somebody else saved meanwhile', async () => {
  const call = await aCall();
  const theirs = withWrapUp(call, { note: 'theirs' });
  answer = () => problem(412, 'outdated', { call: theirs });
  const reply = await wrapUpHandlers['page.wrapUp']({ callId: call.id, revision: 0, note: 'mine' });
  expect(reply).toEqual({ ok: true, value: { call: theirs, isOutdated: true } });
  expect((await getCall(call.id))?.call.wrapUp?.note).toBe('theirs');
});

test.each<[string, () => Response, string, RegExp | undefined]>([
  ['the relay does not answer', () => Response.error(), 'relayOffline', undefined],
  [
    'a proxy answers while the relay is away',
    () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    'relayOffline',
    undefined,
  ],
  ['the outcome is not known', () => problem(422, 'wrapUpIncomplete'), 'relayRefused', /outcome/],
  ['the key is wrong', () => problem(401, 'unauthorized'), 'wrongKey', undefined],
])('refuses in words that are not about placing a call where %s', async (_why, response, code, detail) => {
  const call = await aCall();
  answer = response;
  const { error } = await wrapUpHandlers['page.wrapUp']({ callId: call.id, revision: 0, note: 'mine' });
  expect(error?.code).toBe(code);
  if (detail) expect(error?.detail).toMatch(detail);
});

test('chooses the record of a call, or none', async () => {
  const call = await aCall();
  answer = () => Response.json(call);
  const record = { system: 'crm', kind: 'issue', id: '4711' };
  await wrapUpHandlers['page.chooseRecord']({ callId: call.id, record });
  await wrapUpHandlers['page.chooseRecord']({ callId: call.id, record: null });
  expect(asked.map(({ body }) => body)).toEqual([record, { none: true }]);
});

test('a call that the agent has taken off its record shows which one that was', async () => {
  const call = await aCall();
  const record = { system: 'crm', kind: 'issue', id: '4711', url: 'https://crm.example/4711' };
  const shown = async () => toHistoryEntry((await getCall(call.id))!).formerRecord;
  answer = () => Response.json({ ...call, record, revision: 4 });
  await wrapUpHandlers['page.readCall']({ callId: call.id });
  expect(await shown()).toBeUndefined();
  answer = () => Response.json({ ...call, revision: 5 });
  await wrapUpHandlers['page.chooseRecord']({ callId: call.id, record: null });
  expect(await shown()).toEqual(record);
});

test('a call that was left off any record is repeated without one, also as a callback', async () => {
  const call = await aCall();
  const isLeftOff = async () => {
    const { value } = (await wrapUpHandlers['page.callbacks']({})) as { value: { isNotLogged?: boolean }[] };
    return [toHistoryEntry((await getCall(call.id))!).isNotLogged, value[0]?.isNotLogged];
  };
  const calls = () => Response.json({ calls: [call] });
  answer = calls;
  expect(await isLeftOff()).toEqual([false, false]);
  answer = () => Response.json({ ...call, revision: 5 });
  await wrapUpHandlers['page.chooseRecord']({ callId: call.id, record: null });
  answer = calls;
  expect(await isLeftOff()).toEqual([true, true]);
});

test('a call that was taken off its record elsewhere shows the one of its click', async () => {
  const { id } = await aCall();
  const record = { system: 'crm', kind: 'issue', id: '4711' };
  expect(toHistoryEntry({ ...(await getCall(id))!, record }).formerRecord).toEqual(record);
});

test('reads a call again after its end', async () => {
  const call = await aCall();
  answer = () => Response.json({ ...call, revision: 4, entry: { state: 'done', system: 'crm' } });
  await wrapUpHandlers['page.readCall']({ callId: call.id });
  expect((await getCall(call.id))?.call.entry?.state).toBe('done');
});

test('lists callbacks with the number as it was clicked, where this browser placed the call', async () => {
  const own = await aCall();
  const other = newCall({ id: newCallId(), from: '1105', to: '99', now: own.createdAt });
  answer = () => Response.json({ calls: [own, other] });
  const { value } = (await wrapUpHandlers['page.callbacks']({})) as { value: object[] };
  expect(value).toMatchObject([
    { display: '(48) 3322-4455', isOwn: true },
    { display: '99', isOwn: false },
  ]);
});

test('hands over the rules of the relay, or none without a relay', async () => {
  answer = () => Response.json(defaultRules);
  for (let turn = 0; turn < 2; turn += 1)
    expect(await wrapUpHandlers['page.rules']({})).toEqual({ ok: true, value: defaultRules });
  expect(asked.map(({ request }) => request)).toEqual(['GET /v1/rules']);
  await setRelay(undefined);
  expect(await wrapUpHandlers['page.rules']({})).toEqual({ ok: true, value: null });
  expect(await wrapUpHandlers['page.callbacks']({})).toEqual({ ok: true, value: null });
});

test('hands over the outcomes that policy offers', async () => {
  answer = () => Response.json(defaultRules);
  const offered = { templates: [], outcomes: ['busy', 'reached'] };
  await updateSettings((own) => ({ ...own, records: offered }));
  const { value } = (await wrapUpHandlers['page.rules']({})) as { value: { outcomes: object[] } };
  expect(value.outcomes).toMatchObject([{ code: 'busy' }, { code: 'reached' }]);
  await updateSettings((own) => ({ ...own, records: { ...offered, outcomes: [] } }));
});

test('lists a number that must not be called, as the relay writes numbers', async () => {
  answer = () =>
    Response.json({ number: '+554833224455', by: 'Rui', at: '2026-05-04T13:05:10.000Z', source: 'agent' });
  expect(await wrapUpHandlers['page.doNotCall']({ display: '+55 48 3322-4455' })).toEqual({
    ok: true,
    value: null,
  });
  expect(asked).toEqual([{ request: 'POST /v1/rules/do-not-call', body: { number: '+554833224455' } }]);
  answer = () =>
    problem(403, 'doNotCall', { doNotCall: { by: 'Rui', at: new Date().toISOString(), source: 'agent' } });
  const { error } = await wrapUpHandlers['page.doNotCall']({ display: '+55 48 3322-4455' });
  expect(error?.detail).toMatch(/^Asked not to be called\. Rui, today, /);
});
