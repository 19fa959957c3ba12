import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dayMs, hourMs } from '../../shared/durations.ts';
import { startForgetting } from './forget.ts';
import type { PbxSettings } from './settings.ts';
import { PbxStore } from './store/pbx-store.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it('deletes nothing by a clock that went ahead by months, until it is set back', async () => {
  const store = new PbxStore(':memory:');
  const forget = vi.spyOn(store, 'forgetBefore');
  const stop = startForgetting(store, { retentionDays: 90 } as PbxSettings, pino({ level: 'silent' }));
  await vi.advanceTimersByTimeAsync(0);
  expect(forget).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() + 120 * dayMs);
  await vi.advanceTimersByTimeAsync(hourMs);
  expect(forget).toHaveBeenCalledTimes(1);
  vi.setSystemTime(Date.now() - 120 * dayMs);
  await vi.advanceTimersByTimeAsync(hourMs);
  expect(forget).toHaveBeenCalledTimes(2);
  stop();
  store.close();
});
