import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dayMs } from '../shared/durations.ts';
import { Housekeeping } from './housekeeping.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

it('deletes nothing by a clock that went ahead by months, until it is set back', async () => {
  const prune = vi.fn(async () => 0);
  const log = pino({ level: 'silent' });
  const housekeeping = new Housekeeping({
    ...{ settings: { retentionDays: 90, replayHours: 168 }, store: { maintenance: { prune } }, log },
  } as unknown as ConstructorParameters<typeof Housekeeping>[0]);
  const right = Date.now();
  vi.setSystemTime(right + 120 * dayMs);
  await housekeeping.prune();
  expect(prune).not.toHaveBeenCalled();
  vi.setSystemTime(right);
  await housekeeping.prune();
  expect(prune).toHaveBeenCalledTimes(1);
});

it('logs once that the store is out of reach, then again in the next outage', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const failures: string[] = [];
  const listOverdue = vi.fn(async () => []);
  const housekeeping = new Housekeeping({
    store: { calls: { listOverdue } },
    log: pino({}, { write: (line: string) => void failures.push(line) }),
  } as unknown as ConstructorParameters<typeof Housekeeping>[0]);
  housekeeping.start();
  listOverdue.mockRejectedValue(new Error('Redis is away'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(listOverdue).toHaveBeenCalledTimes(5);
  expect(failures).toEqual([expect.stringContaining('Redis is away')]);
  listOverdue.mockResolvedValue([]);
  await vi.advanceTimersByTimeAsync(2000);
  listOverdue.mockRejectedValue(new Error('Redis is away'));
  await vi.advanceTimersByTimeAsync(4000);
  expect(failures).toHaveLength(2);
  housekeeping.stop();
});
