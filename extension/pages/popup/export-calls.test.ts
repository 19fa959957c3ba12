import { beforeEach, expect, test, vi } from 'vitest';
import { ok, type Result, refuse } from '../../messages/result.ts';
import type { HistoryPage } from '../../messages/views.ts';

const replies = vi.hoisted((): Result<HistoryPage>[] => []);
const saved = vi.hoisted((): string[] => []);
const names: string[] = vi.hoisted(() => []);
vi.mock('../parts/send-request.ts', () => ({ sendRequest: async () => replies.shift() }));
vi.mock('../parts/save-file.ts', () => ({
  saveFile: (name: string, _type: string, content: string) => {
    names.push(name);
    saved.push(content);
  },
}));
const { exportCalls } = await import('./export-calls.ts');

const page = (display: string, next?: string): Result<HistoryPage> =>
  ok({ entries: [{ display, call: {}, note: '' }], ...(next && { next }) } as unknown as HistoryPage);

beforeEach(() => {
  replies.length = saved.length = 0;
});

test('an export holds every page of the history', async () => {
  replies.push(page('one', '2'), page('two'));
  expect(await exportCalls()).toEqual({ count: 2 });
  expect(saved).toEqual([expect.stringMatching(/one.*\r\n.*two/)]);
});

test('an export keeps the pages that were read when one fails, with the reason', async () => {
  replies.push(page('one', '2'), refuse('internal'));
  expect(await exportCalls()).toEqual({ count: 1, error: { code: 'internal' } });
  expect(saved).toEqual([expect.stringContaining('one')]);
});

test('an export of which no page could be read saves no file', async () => {
  replies.push(refuse('internal'));
  expect(await exportCalls()).toEqual({ count: 0, error: { code: 'internal' } });
  expect(saved).toEqual([]);
});

test("an export in the evening is named by the agent's day", async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T01:30:00Z') });
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(180);
  replies.push(page('one'));
  await exportCalls();
  expect(names.at(-1)).toBe('dialmark-calls-2026-11-22.csv');
  vi.restoreAllMocks();
  vi.useRealTimers();
});
