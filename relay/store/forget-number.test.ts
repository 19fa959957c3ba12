import { expect, it } from 'vitest';
import { newCallId } from '../../shared/call/call.ts';
import { readCallee } from '../../shared/rules/callee.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { findNumber, forgetCalls } from './forget-number.ts';
import { openMemoryStore } from './memory-store.ts';
import type { Store } from './store.ts';
import { auditRecord } from './team-rules.ts';

/** A store whose calls have these numbers, as matched. */
function fakeStore(numbers: readonly string[]) {
  const deleted: string[][] = [];
  const traces: { forms: readonly string[]; cursor: string }[] = [];
  const maintenance = {
    findCallsOfNumber: async (_forms: readonly string[], cursor: string, limit: number) => {
      const start = Number(cursor);
      const page = numbers.slice(start, start + limit).map((number, index) => ({
        id: `call-${start + index}`,
        numbers: [number],
        entries: [],
      }));
      return { calls: page, next: start + limit < numbers.length ? String(start + limit) : undefined };
    },
    deleteCalls: async (batch: readonly string[]) => {
      deleted.push([...batch]);
      return batch.length;
    },
    deleteTraces: async (forms: readonly string[], cursor: string) =>
      traces.push({ forms, cursor }) < 3 ? String(traces.length) : undefined,
  };
  const sheets = { list: async () => [] };
  return { store: { maintenance, sheets } as unknown as Store, deleted, traces };
}

it('reads a number’s calls in pages, then deletes them in small batches', async () => {
  const { store, deleted, traces } = fakeStore(Array.from({ length: 1000 }, () => '4833224455'));
  const { callIds, longerNumbers } = await findNumber(store, ['4833224455']);
  expect(longerNumbers).toEqual([]);
  expect(await forgetCalls(store, ['4833224455'], callIds)).toBe(1000);
  expect(deleted.flat().toSorted()).toEqual(callIds.toSorted());
  expect(new Set(callIds).size).toBe(1000);
  expect(Math.max(...deleted.map(({ length }) => length))).toBeLessThanOrEqual(50);
  expect(traces).toEqual(['', '1', '2'].map((cursor) => ({ forms: ['4833224455'], cursor })));
});

it.each([
  ['the same number alone', '4833224455', ['4833224455', '04833224455', '33224455'], []],
  ['one number, with and without its country code', '33224455', ['4833224455', '0554833224455'], [2]],
  ['a mobile in both of its forms', '4899998888,5548999998888', ['48999998888', '4899998888'], []],
  ['two numbers that end alike', '33224455', ['4833224455', '1133224455', '1133224455'], [1, 2]],
])('counts longer numbers: %s', async (_name, digits, numbers, counts) => {
  const { store } = fakeStore(numbers);
  const { longerNumbers } = await findNumber(store, digits.split(','));
  expect(longerNumbers.map(({ calls }) => calls).sort()).toEqual(counts);
});

it('deletes traces of a number whose country the relay does not know', async () => {
  const store = openMemoryStore();
  const to = '48999998888';
  const callee = readCallee(to, { country: undefined, extensions: [], outsidePrefixes: [] });
  expect(callee.key).toBe(`=${to}`);
  const attempt = { bucket: `attempts/sales/${callee.key}/2026-11-21`, max: 9, expires: Date.now() + 60_000 };
  await store.calls.place(clientIntent('1105', { to, callee, attempt }));
  await store.rules.record([auditRecord('doNotCall.add', 'agent-1', callee.key)]);
  const forms = [`55${to}`];
  expect(await forgetCalls(store, forms, (await findNumber(store, forms)).callIds)).toBe(1);
  expect(await store.rules.tallies([attempt.bucket])).toEqual([0]);
  expect((await store.rules.audit('1970-01-01T00:00:00Z', 10)).records).toEqual([]);
  await store.close();
});

it('counts longer numbers that are only on call sheets', async () => {
  const store = openMemoryStore();
  const sheet = { id: newCallId(), name: 'Leads', team: 'sales', by: 'operator', createdAt: '2026-11-21' };
  const keys = ['+554833224455', '+551133224455', '+554833224456'];
  await store.sheets.add(
    sheet,
    keys.map((key) => ({ key, number: key })),
    0,
  );
  const longerIn = async (forms: string[]) => (await findNumber(store, forms)).longerNumbers;
  const others = ['551133224455', '554833224455'].map((digits) => ({ digits, calls: 0 }));
  expect(new Set(await longerIn(['33224455']))).toEqual(new Set(others));
  expect(await longerIn(['4833224455', '554833224455'])).toEqual([]);
  await store.close();
});
