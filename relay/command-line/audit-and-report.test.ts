/** Which calls `report` counts, and which records `audit` prints. */
import { expect, it, vi } from 'vitest';
import { openMemoryStore } from '../store/memory-store.ts';
import type { Store } from '../store/store.ts';
import { auditRecord } from '../store/team-rules.ts';
import { printAudit, printReport } from './audit-and-report.ts';

/** Of one caller, in the order in which the calls were placed. */
function storeOfCalls(times: readonly string[]): Store {
  const calls = times.map((createdAt, at) => ({ id: String(at), createdAt, from: '1105', to: '4832221000' }));
  return {
    keys: { list: () => [{ callers: ['1105'] }] },
    calls: {
      history: (_callers: string[], limit: number, before = String(calls.length)) => {
        const older = calls.slice(0, Number(before)).reverse();
        const page = older.slice(0, limit);
        return { calls: page, ...(older.length > limit ? { next: page.at(-1)!.id } : {}) };
      },
    },
  } as unknown as Store;
}

async function reportOf(times: readonly string[]): Promise<string> {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await printReport(storeOfCalls(times), '2026-11-20T00:00:00.000Z', false);
    return out.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    out.mockRestore();
  }
}

it('counts the calls before those of a clock that was wrong for a while', async () => {
  const day = '2026-11-24T10:00:00.000Z';
  expect(await reportOf([day, day, '2000-01-01T00:00:00.000Z', day])).toContain('none,3,0,0,0\r\n');
});

it('prints the records of every page of the audit, oldest first', async () => {
  const store = openMemoryStore();
  const at = (n: number) => new Date(n).toISOString();
  const records = Array.from({ length: 1100 }, (_, n) => ({
    ...auditRecord('key.revoke', 'operator', `key-${n}`),
    at: at(n),
  }));
  await store.rules.record(records);
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await printAudit(store, at(1));
    const printed = out.mock.calls.map(([text]) => String(text).split('\t')[3]);
    expect(printed).toEqual(records.slice(1).map(({ about }) => about));
  } finally {
    out.mockRestore();
    await store.close();
  }
});
