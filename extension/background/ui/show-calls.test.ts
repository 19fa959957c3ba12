import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { newCall, newCallId } from '../../../shared/call/call.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

const { default: browser } = await import('webextension-polyfill');
const signs: (string | null)[] = [];
const nothing = async () => {};
Object.assign(browser, {
  action: {
    setBadgeText: async ({ text }: { text: string | null }) => void signs.push(text),
    setBadgeBackgroundColor: nothing,
    setTitle: nothing,
  },
});
Object.assign(browser.runtime, { sendMessage: nothing });
Object.assign(browser, { i18n: { getMessage: (key: string) => key, getUILanguage: () => 'en' } });

const { changeCall, withFact } = await import('../calls/call-store.ts');
const { storeCall } = await import('../../../testing/extension/store-call.ts');
const { requestTimeMs } = await import('../calls/place-call.ts');
const { showCalls } = await import('./show-calls.ts');

showCalls();

beforeEach(() => {
  signs.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.useRealTimers();
});

async function addNewCall(now = new Date().toISOString()): Promise<string> {
  const id = newCallId();
  await storeCall({
    ...{ id, call: newCall({ id, from: '1105', to: '4833224455', now }), phase: 'asking', destination: '' },
    ...{
      open: 1,
      followed: 'relay',
      followUntil: Date.now() + 3600_000,
      display: '(48) 3322-4455',
      note: '',
    },
    ...{ request: { from: '1105', to: '4833224455' }, changedAt: now, createdAt: now },
  });
  return id;
}
const accept = (id: string) =>
  changeCall(id, (record) =>
    withFact(record, { kind: 'accepted', at: new Date().toISOString(), callid: 'c1' }),
  );

test('shows a new call once its request is on its way, then each change at once', async () => {
  const id = await addNewCall();
  expect(signs).toEqual([]);
  vi.advanceTimersByTime(requestTimeMs);
  expect(signs).toEqual(['…']);
  await accept(id);
  expect(signs).toEqual(['…', '☎']);
});

test('shows a call as it is by then where its answer came sooner', async () => {
  await accept(await addNewCall());
  expect(signs).toEqual([]);
  vi.advanceTimersByTime(requestTimeMs);
  expect(signs).toEqual(['☎']);
});

test('shows the newest call while an earlier one ends', async () => {
  const earlier = await addNewCall();
  const newest = await addNewCall(new Date(Date.now() + 60_000).toISOString());
  vi.advanceTimersByTime(requestTimeMs);
  await accept(newest);
  await changeCall(earlier, (record) =>
    withFact(record, { kind: 'hungUp', at: new Date().toISOString(), details: { talkSeconds: 200 } }),
  );
  vi.runAllTimers();
  expect(signs.at(-1)).toBe('☎');
});
