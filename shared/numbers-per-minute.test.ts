import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NumbersPerMinute } from './numbers-per-minute.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('frees a number after a minute, also where the clock was set back', () => {
  const limit = new NumbersPerMinute<string>(1);
  expect(limit.admits(['1'], 'a')).toBe(true);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(59_000);
  expect([limit.admits(['1'], 'a'), limit.admits(['2'], 'a')]).toEqual([true, false]);
  vi.advanceTimersByTime(1000);
  expect(limit.admits(['2'], 'a')).toBe(true);
});

it('counts the numbers of each asker alone', () => {
  const limit = new NumbersPerMinute<string>(2);
  expect([limit.admits(['1', '2', '2'], 'a'), limit.admits(['1', '2', '3'], 'b')]).toEqual([true, false]);
  expect(limit.admits(['1', '2'], 'b')).toBe(true);
});
