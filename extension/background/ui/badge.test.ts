import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';
import { callOnItsWay } from '../../../testing/extension/call-on-its-way.ts';
import { storeCall } from '../../../testing/extension/store-call.ts';
import type { CallRecord } from '../calls/call-record.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

const { clearStaleBadge, showBadge, signOf } = await import('./badge.ts');
const { default: browser } = await import('webextension-polyfill');

const call = newCall({ id: 'A'.repeat(22), from: '1105', to: '4832221000', now: '2026-05-04T13:05:10.000Z' });
const ended = { ...call, state: 'disconnected', reason: 'hangUp', talkSeconds: 0 } as const;

test.each<[string, Call]>([
  ['…', call],
  ['☎', { ...call, state: 'callingCallee' }],
  ['✓', { ...ended, talkSeconds: 4 }],
  ['–', ended],
  ['–', { ...ended, reason: 'calleeBusy' }],
  ['–', { ...ended, reason: 'calleeRefused' }],
  ['!', { ...call, state: 'failed', reason: 'callerBusy' }],
  ['!', { ...call, state: 'failed', reason: 'notSent' }],
  ['?', { ...call, state: 'unknown', reason: 'notAnswered' }],
])('shows %s, so that only an answered call is ticked (%#)', (sign, shown) => {
  expect(signOf({ call: shown }).sign).toBe(sign);
});

test('a call that goes on has the badge again after a click that placed none', () => {
  vi.useFakeTimers();
  const setBadgeText = vi.fn(async () => {});
  Object.assign(browser, {
    action: { setBadgeText, setBadgeBackgroundColor: async () => {}, setTitle: async () => {} },
  });
  const show = (shown: Call) => {
    showBadge({ call: shown, createdAt: shown.createdAt } as CallRecord);
    return setBadgeText.mock.lastCall;
  };
  const click = { ...call, id: 'B'.repeat(22), createdAt: '2026-05-04T13:06:10.000Z' };
  show({ ...call, state: 'connected' });
  expect(show(click)).toEqual([{ text: '…' }]);
  expect(show({ ...click, state: 'failed', reason: 'notSent' })).toEqual([{ text: '!' }]);
  expect(show({ ...ended, talkSeconds: 90 })).toEqual([{ text: '✓' }]);
  vi.useRealTimers();
});

test('a background that starts clears the sign of a followed call that may have rung', async () => {
  const setBadgeText = vi.fn(async () => {});
  Object.assign(browser, { action: { setBadgeText } });
  const may = { ...call, state: 'unknown', reason: 'notAnswered' } as const;
  await storeCall(callOnItsWay({ call: may, changedAt: call.createdAt, createdAt: call.createdAt }));
  await clearStaleBadge();
  expect(setBadgeText.mock.lastCall).toEqual([{ text: '' }]);
});

describe('while a call goes on', () => {
  const setBadgeText = vi.fn(async () => {});
  const goesOn = {
    ...call,
    id: 'C'.repeat(22),
    createdAt: '2026-05-04T13:07:10.000Z',
    state: 'connected',
  } as const;
  const refused = {
    ...goesOn,
    id: 'D'.repeat(22),
    createdAt: '2026-05-04T13:08:10.000Z',
    state: 'failed',
    reason: 'notSent',
  } as const;
  const recordOf = (each: Call) =>
    callOnItsWay({ id: each.id, call: each, changedAt: each.createdAt, createdAt: each.createdAt });
  beforeEach(async () => {
    Object.assign(browser, {
      action: { setBadgeText, setBadgeBackgroundColor: async () => {}, setTitle: async () => {} },
    });
    await storeCall(recordOf(goesOn));
    await storeCall(recordOf(refused));
  });
  afterEach(() => void vi.useRealTimers());

  test('a background that starts keeps its sign after a click that placed none', async () => {
    await clearStaleBadge();
    expect(setBadgeText.mock.lastCall).toEqual([{ text: '☎' }]);
  });

  test('its sign is shown again some seconds after a click that placed none', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    showBadge(recordOf(refused));
    expect(setBadgeText.mock.lastCall).toEqual([{ text: '!' }]);
    vi.advanceTimersByTime(20_000);
    vi.useRealTimers();
    await expect.poll(() => setBadgeText.mock.lastCall).toEqual([{ text: '☎' }]);
  });
});
