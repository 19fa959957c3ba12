import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { newCall, newCallId } from '../../../shared/call/call.ts';
import type { CallRecord } from '../calls/call-record.ts';

vi.stubGlobal('__BROWSER__', 'chrome');
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

let onConnectionChanged = () => {};
vi.mock('../calls/follow-calls.ts', async (original) => ({
  ...(await original<object>()),
  onFollowState: (listener: () => void) => {
    onConnectionChanged = listener;
  },
}));

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
const { forgetTabsOfCalls, replaceTabOfCalls, showCalls, showOpenCalls } = await import('./show-calls.ts');

showCalls();

beforeEach(() => {
  signs.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.useRealTimers();
});

async function addNewCall(now = new Date().toISOString(), tab?: CallRecord['tab']): Promise<string> {
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
    ...{ request: { from: '1105', to: '4833224455' }, changedAt: now, createdAt: now, tab },
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

test.each([
  { what: 'stays in its frame', tabId: 7, frames: [0, 4, 5], shown: [] },
  { what: 'goes to the page where its frame is gone', tabId: 8, frames: [0, 5], shown: [0] },
])('a call $what when another frame loads', async ({ tabId, frames, shown }) => {
  const shownIn: number[] = [];
  const sendMessage = async (_: number, { type }: { type: string }, { frameId }: { frameId: number }) => {
    if (!frames.includes(frameId)) throw new Error('Receiving end does not exist.');
    if (type === 'background.call') shownIn.push(frameId);
  };
  Object.assign(browser.tabs, { sendMessage });
  await addNewCall(undefined, { id: tabId, frameId: 4 });
  await showOpenCalls({ tabId, frameId: 5 });
  expect(shownIn).toEqual(shown);
});

test('a changed connection shows the call in progress again, not one that may have rung', async () => {
  const shown: string[] = [];
  const sendMessage = async (tabId: number, { call }: { call: { id: string } }) =>
    void (tabId === 12 && shown.push(call.id));
  Object.assign(browser.tabs, { sendMessage });
  const inProgress = await addNewCall(undefined, { id: 12, frameId: 0 });
  const unconfirmed = await addNewCall(undefined, { id: 12, frameId: 0 });
  await changeCall(unconfirmed, (record) => ({
    ...withFact(record, {
      ...{ kind: 'notAnswered', at: new Date().toISOString() },
      error: { code: 'connectionLost', message: 'the relay did not confirm the call' },
    }),
    phase: 'placed',
  }));
  vi.runAllTimers();
  shown.length = 0;
  onConnectionChanged();
  await vi.waitUntil(() => shown.length > 0, { timeout: 60_000 });
  expect(shown).toEqual([inProgress]);
});

test('shows a call of before the browser started in no tab, whose ids begin again', async () => {
  const shown: number[] = [];
  const sendMessage = async (tabId: number) => void shown.push(tabId);
  Object.assign(browser.tabs, { sendMessage });
  const id = await addNewCall(undefined, { id: 9, frameId: 0 });
  vi.advanceTimersByTime(requestTimeMs);
  shown.length = 0;
  const forgotten = forgetTabsOfCalls();
  await showOpenCalls({ tabId: 9, frameId: 0 });
  await forgotten;
  await accept(id);
  expect(shown).toEqual([]);
});

test('shows a call in the tab that replaces its own', async () => {
  const shown: number[][] = [];
  const sendMessage = async (tabId: number, _: object, { frameId }: { frameId: number }) =>
    void shown.push([tabId, frameId]);
  Object.assign(browser.tabs, { sendMessage });
  await addNewCall(undefined, { id: 10, frameId: 3 });
  await replaceTabOfCalls(11, 10);
  await showOpenCalls({ tabId: 11, frameId: 0 });
  expect(shown).toEqual([[11, 0]]);
});
