import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, newCall, newCallId } from '../../../shared/call/call.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
let isScanned = false;
vi.mock('../sites/sync-sites.ts', () => ({
  grantedOrigins: async () => ['*://crm.example/*'],
  isScanRunning: async () => isScanned,
}));

const { default: browser } = await import('webextension-polyfill');
let address: string | undefined;
Object.assign(browser.tabs, { query: async () => (address ? [{ id: 1, url: address }] : []) });
const { database } = await import('../database.ts');
const { changeCall, withFact, withRelayCall } = await import('../calls/call-store.ts');
const { storeCall } = await import('../../../testing/extension/store-call.ts');
const { updateSettings } = await import('../settings/settings-store.ts');
const { panelState } = await import('./panel-state.ts');

const clickedAt = '2026-11-22T10:00:00.000Z';
const later = (seconds: number) => new Date(Date.parse(clickedAt) + seconds * 1000);
let call: Call;

async function store(at: string): Promise<Call> {
  const placed = newCall({ id: newCallId(), from: '1105', to: '4833224455', now: at });
  await storeCall({
    ...{
      id: placed.id,
      call: placed,
      phase: 'placed',
      destination: '',
      open: 1,
      relayRevision: 1,
      followed: 'relay',
    },
    ...{
      followUntil: Date.now() + 3600_000,
      request: { from: '1105', to: placed.to },
      display: '(48) 3322-4455',
    },
    ...{ note: '', changedAt: at, createdAt: at },
  });
  return placed;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: later(0) });
  await (await database()).clear('calls');
  call = await store(clickedAt);
  return () => vi.useRealTimers();
});

const learn = (state: 'unknown' | 'disconnected' | 'connected', revision: number) =>
  changeCall(call.id, (record) =>
    withRelayCall(record, { ...call, state, revision, endedAt: later(60).toISOString() }),
  );
const live = async () => (await panelState()).live?.call.state;

test('a call whose end is learned an hour later shows it as the live call, for ten seconds', async () => {
  expect(await live()).toBe('initiating');
  vi.setSystemTime(later(3600));
  await learn('disconnected', 2);
  expect(await live()).toBe('disconnected');
  vi.setSystemTime(later(3611));
  expect(await live()).toBeUndefined();
});

test('an outcome that was unknown is shown again once it is learned, but not for a note', async () => {
  await learn('unknown', 2);
  vi.setSystemTime(later(600));
  await changeCall(call.id, (record) => ({ ...record, note: 'call back' }));
  expect(await live()).toBeUndefined();
  await learn('disconnected', 3);
  expect(await live()).toBe('disconnected');
});

test('a call that goes on stays the live one after a click that placed none', async () => {
  await learn('connected', 2);
  vi.setSystemTime(later(60));
  const { id } = await store(later(60).toISOString());
  const refusal = { kind: 'notSent', error: { code: 'badRequest', message: '' } } as const;
  await changeCall(id, (record) => withFact(record, { ...refusal, at: later(60).toISOString() }));
  expect(await live()).toBe('connected');
  await learn('disconnected', 3);
  expect(await live()).toBe('failed');
});

test('the calls that did not go through are counted over the day, not over the ten newest', async () => {
  const noon = new Date(2026, 10, 22, 12).getTime();
  vi.setSystemTime(noon);
  const lose = async (minutesAgo: number) => {
    const { id } = await store(new Date(noon - minutesAgo * 60_000).toISOString());
    await changeCall(id, (record) =>
      withRelayCall(record, { ...record.call, state: 'failed', reason: 'callerNoAnswer', revision: 2 }),
    );
  };
  for (let minutes = 0; minutes < 14; minutes++) await lose(minutes);
  // The day before.
  await lose(13 * 60);
  expect((await panelState()).lostToday).toBe(14);
});

test('the panel lists calls whose entry needs the agent or was given up, the newest first', async () => {
  const states = ['done', 'needsAgent', 'dead', 'waiting'] as const;
  for (const [minute, state] of states.entries()) {
    const { id } = await store(later(60 * minute).toISOString());
    const entry = { state, system: 'rt' };
    await changeCall(id, (record) =>
      withRelayCall(record, { ...record.call, state: 'disconnected', revision: 2, entry }),
    );
  }
  const { recordsToChoose } = await panelState();
  expect(recordsToChoose.map(({ call }) => call.entry?.state)).toEqual(['dead', 'needsAgent']);
});

test('a site is on, hence marked, only where the browser lets us run on it', async () => {
  await updateSettings((own) => ({
    ...own,
    sites: { ...own.sites, enabled: ['crm.example', 'desk.example'] },
  }));
  address = 'https://crm.example/1';
  expect((await panelState()).tab).toMatchObject({ site: 'enabled', marking: true });
  address = 'https://desk.example/1';
  expect((await panelState()).tab).toMatchObject({ site: 'default', marking: false });
  isScanned = true;
  expect((await panelState()).tab).toMatchObject({ site: 'default', marking: true });
});

test('reads the calls of the week once for all of their counts', async () => {
  const read = vi.spyOn(IDBIndex.prototype, 'getAll');
  await panelState();
  expect(read).toHaveBeenCalledTimes(1);
  read.mockRestore();
});
