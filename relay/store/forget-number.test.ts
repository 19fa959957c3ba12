import { expect, it } from 'vitest';
import { forgetNumber } from './forget-number.ts';
import type { Store } from './store.ts';

it('reads a number’s calls in pages and deletes them in small batches, so that other writes come in between', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => `call-${n}`);
  const deleted: string[][] = [];
  const maintenance = {
    findCallsOfNumber: async (_number: string, cursor: string, limit: number) => {
      const start = Number(cursor);
      const next = start + limit < ids.length ? String(start + limit) : undefined;
      return { ids: ids.slice(start, start + limit), next };
    },
    deleteCalls: async (batch: readonly string[]) => {
      deleted.push([...batch]);
      return batch.length;
    },
  };
  expect(await forgetNumber({ maintenance } as unknown as Store, '4833224455')).toBe(1000);
  expect(deleted.flat().toSorted()).toEqual(ids.toSorted());
  expect(Math.max(...deleted.map(({ length }) => length))).toBeLessThanOrEqual(50);
});
