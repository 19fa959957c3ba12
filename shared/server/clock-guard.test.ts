import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { dayMs, hourMs } from '../durations.ts';
import { ClockGuard } from './clock-guard.ts';

let elapsed: number;
let clock: number;
let lines: string[];
let guard: ClockGuard;

beforeEach(() => {
  elapsed = 5000;
  clock = Date.parse('2026-11-30T10:00:00Z');
  lines = [];
  guard = new ClockGuard({
    log: pino({}, { write: (line: string) => void lines.push(line) }),
    now: () => clock,
    elapsed: () => elapsed,
  });
});

/** Both clocks go on. */
function pass(ms: number) {
  elapsed += ms;
  clock += ms;
}

it('stops deletions for a day after the clock went ahead by months, with one line in the log', () => {
  pass(hourMs);
  expect(guard.mayDelete()).toBe(true);
  clock += 120 * dayMs;
  expect(guard.mayDelete()).toBe(false);
  pass(dayMs - 1);
  expect(guard.mayDelete()).toBe(false);
  expect(lines.map((line) => JSON.parse(line).hours)).toEqual([2880]);
  pass(1);
  expect([guard.mayDelete(), guard.mayDelete()]).toEqual([true, true]);
});

it('allows deletions as soon as the clock is set back', () => {
  clock += 120 * dayMs;
  expect(guard.mayDelete()).toBe(false);
  clock -= 120 * dayMs;
  expect(guard.mayDelete()).toBe(true);
  clock += 120 * dayMs;
  expect(guard.mayDelete()).toBe(false);
});

it('allows deletions after a correction of hours, a clock that is set back, or years of work', () => {
  for (const jump of [3 * hourMs, -40 * dayMs, 0]) {
    clock += jump;
    pass(400 * dayMs);
    expect(guard.mayDelete()).toBe(true);
  }
  expect(lines).toEqual([]);
});
