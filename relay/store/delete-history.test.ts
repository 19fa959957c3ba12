/** Deleting a long history must not hold the store up: another operation waits for one step at most. */
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { newCall, newCallId } from '../../shared/call/call.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { findNumber, forgetCalls } from './forget-number.ts';
import { openRedisStore } from './redis/redis-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

const calls = 50_000;
const eventsPerCall = 4;
const number = '4833224455';
/** Operations of others that each deletion lets through at least. */
const minOthers = 20;

const folder = await temporaryFolder();
const redis = await startRedis();
afterAll(async () => {
  await redis.stop();
  await folder.remove();
});

const data = JSON.stringify(
  newCall({ id: newCallId(), from: '1105', to: number, now: new Date(0).toISOString() }),
);

function fillSqlite(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    BEGIN;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${calls * eventsPerCall})
    INSERT INTO event SELECT i, '1105', 'call-' || (i % ${calls}), max(0, i - ${calls}), 1, '${data}' FROM n;
    INSERT INTO call SELECT NULL, call_id, '1105', '${number}', 'client', 'o', call_id, 'f', 1, 0, 0, NULL, max(seq), data, '[]', '', NULL, NULL, 0, NULL, NULL, 0, ''
      FROM event GROUP BY call_id;
    COMMIT`);
  database.close();
}

async function fillRedis(): Promise<void> {
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  const script = `
    local root = '{dialmark}:'
    for i = 1, ${calls * eventsPerCall} do
      local id = 'call-' .. (i % ${calls})
      redis.call('XADD', root .. 'events:1105', i .. '-0', 'c', id, 'd', ARGV[1], 'p', math.max(0, i - ${calls}))
      redis.call('XADD', root .. 'log', i .. '-0', 'c', '1105', 'a', 1)
      if i > ${calls * (eventsPerCall - 1)} then
        redis.call('HSET', root .. 'call:' .. id, 'channel', '1105', 'placedBy', 'client', 'created', 1, 'version', 0, 'seq', i,
          'data', ARGV[1], 'open', 0, 'dialling', 0, 'deadline', '', 'arrivals', '[]', 'idem', 'o/' .. id, 'log', '', 'placed', i)
        redis.call('ZADD', root .. 'history:1105', i, id)
        redis.call('ZADD', root .. 'calls', 1, id)
        redis.call('ZADD', root .. 'over', 1, id)
      end
    end
    redis.call('SET', root .. 'seq', ${calls * eventsPerCall})`;
  await admin.sendCommand(['EVAL', script, '0', data]);
  admin.destroy();
}

/** Runs `work`, and counts the operations of others that were carried out beside it. */
async function othersBeside(store: Store, work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  let others = 0;
  for (; !isDone; others++) await store.calls.place(clientIntent('1106'));
  await done;
  return others;
}

describe.each([
  [
    'SQLite',
    async () => {
      const path = folder.file('history.db');
      const store = await openSqliteStore({ path });
      fillSqlite(path);
      return store;
    },
  ],
  [
    'Redis',
    async () => {
      const store = await openRedisStore(redis);
      await fillRedis();
      return store;
    },
  ],
])('200,000 events of one caller on %s', (_name, open) => {
  it('are deleted in steps that let other operations through', { timeout: 120_000 }, async () => {
    const store = await open();
    const { callIds } = await findNumber(store, [number]);
    expect(callIds).toHaveLength(calls);
    const some = callIds.slice(0, 2000);
    const forgotten = await othersBeside(store, () => forgetCalls(store, [number], some));
    const retention = { callsBefore: 2, eventsBefore: 2, now: Date.now(), limit: 100 };
    const pruned = await othersBeside(store, async () => {
      for (let step = 0; step < 50; step++)
        expect(await store.maintenance.prune(retention)).toBeGreaterThan(0);
    });
    // As many as there are steps, whatever the machine's speed: one long deletion would let one or two through.
    expect(forgotten).toBeGreaterThan(minOthers);
    expect(pruned).toBeGreaterThan(minOthers);
    await store.close();
  });
});
