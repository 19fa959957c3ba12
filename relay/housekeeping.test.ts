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
