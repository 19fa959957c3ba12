import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';
import type { DayView } from '../../messages/wrap-up.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));
const { myDay } = await import('./my-day.ts');
const { updateSettings } = await import('../settings/settings-store.ts');
const { writeSecret } = await import('../settings/secrets.ts');
const { readSettings } = await import('../settings/settings-store.ts');

const now = new Date(2026, 10, 24, 15, 0);
const at = (hour: number, day = 24) => new Date(2026, 10, day, hour).toISOString();
let calls: Call[];
let callbacks: Call[];
let isDown: boolean;
const asked: string[] = [];
vi.stubGlobal('fetch', async (url: string) => {
  asked.push(url);
  if (isDown) throw new TypeError('Failed to fetch');
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/v1/callbacks') return Response.json({ calls: callbacks });
  const start = calls.findIndex(({ id }) => id === searchParams.get('before')) + 1;
  const page = calls.slice(start, start + 2);
  const isLast = start + 2 >= calls.length;
  return Response.json({ calls: page, ...(isLast ? {} : { next: page.at(-1)!.id }) });
});

let ids = 0;
const call = (hour: number, more: Partial<Call> = {}, day?: number): Call => ({
  ...newCall({
    id: `call${String(ids++).padStart(18, '0')}`,
    from: '1105',
    to: '4832221000',
    now: at(hour, day),
  }),
  state: 'disconnected',
  reason: 'hangUp',
  ...more,
});

beforeEach(async () => {
  isDown = false;
  callbacks = [];
  await updateSettings((own) => ({
    ...own,
    connection: { ...own.connection, relayUrl: 'https://relay.example' },
    agent: { ...own.agent, from: '1105' },
  }));
  await writeSecret('agentKey', `dma_${'x'.repeat(43)}`, (await readSettings()).settings);
});

const read = async (): Promise<DayView> => {
  const result = await myDay(now);
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};

test("sums the agent's own calls since midnight, page by page", async () => {
  calls = [
    call(14, { talkSeconds: 60, wrapUp: { outcome: 'reached', revision: 1 } }),
    call(13, { talkSeconds: 30, wrapUp: { outcome: 'reached', revision: 1 } }),
    call(12, { talkSeconds: 0, wrapUp: { outcome: 'busy', revision: 1 } }),
    call(11, { from: '1106', talkSeconds: 500 }),
    call(10, { state: 'failed', reason: 'notSent' }),
    call(0, { talkSeconds: 5 }),
    call(23, { talkSeconds: 900 }, 23),
    call(22, {}, 23),
    call(21, {}, 23),
  ];
  callbacks = [
    call(9, { wrapUp: { callBackAt: at(18), revision: 1 } }),
    call(9, { wrapUp: { callBackAt: at(9, 22), revision: 1 } }),
    call(9, { wrapUp: { callBackAt: at(0, 25), revision: 1 } }),
  ];
  const day = await read();
  expect(day).toMatchObject({ calls: 4, answered: 3, talkSeconds: 95, withoutOutcome: 1, callbacks: 2 });
  expect(day.outcomes.map(({ outcome, count }) => [outcome.code, count])).toEqual([
    ['reached', 2],
    ['busy', 1],
  ]);
  expect(asked.filter((url) => url.includes('/v1/calls?'))).toHaveLength(4);
});

test('is empty before the first call', async () => {
  calls = [];
  expect(await read()).toMatchObject({ calls: 0, callbacks: 0, outcomes: [] });
});

test('says so where only the calls of this browser are known', async () => {
  isDown = true;
  const day = await read();
  expect(day).toMatchObject({ calls: 0, isOffline: true });
  // The relay alone knows them: zero would be wrong.
  expect(day.callbacks).toBeUndefined();
});

test('reads only the calls of the day in this browser, however long the history is', async () => {
  isDown = true;
  const walk = vi.spyOn(IDBIndex.prototype, 'openCursor');
  const get = vi.spyOn(IDBIndex.prototype, 'getAll');
  await read();
  expect(walk).not.toHaveBeenCalled();
  expect(get.mock.calls.map(([range]) => (range as IDBKeyRange).lower)).toEqual([at(0)]);
});
