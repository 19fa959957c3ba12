import { expect, it, vi } from 'vitest';
import { hourMs } from '../durations.ts';
import { OutageReports } from './outage-reports.ts';

it('reports an error once an hour until the outage ends', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const reported: string[] = [];
  const reports = new OutageReports(({ message }) => void reported.push(message));
  for (const message of ['away', 'away', 'full', 'away']) reports.report(new Error(message));
  expect(reported).toEqual(['away', 'full']);
  vi.advanceTimersByTime(hourMs);
  reports.report(new Error('away'));
  expect(reported).toEqual(['away', 'full', 'away']);
  reports.end();
  reports.report(new Error('away'));
  expect(reported).toEqual(['away', 'full', 'away', 'away']);
  vi.useRealTimers();
});
