/**
 * The store for several relays on one Redis. It is as durable as Redis is configured to be. `appendonly yes` and
 * `appendfsync always` keep what was acknowledged through a crash. With less, a restart may lose the last second. Every
 * reader then notices this by a new epoch.
 */
import type { Store } from '../store.ts';
import { clockDoubts } from './clock-doubts.ts';
import { durabilityDoubts } from './durability.ts';
import { RedisCalls } from './redis-calls.ts';
import { RedisForwards } from './redis-forwards.ts';
import { RedisKeys } from './redis-keys.ts';
import { RedisMaintenance } from './redis-maintenance.ts';
import { RedisRules } from './redis-rules.ts';
import { RedisSession, type RedisStoreOptions } from './redis-session.ts';
import { RedisSheets } from './redis-sheets.ts';

export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  return redisStoreOn(await RedisSession.open(options));
}

export function redisStoreOn(session: RedisSession): Store {
  const sheets = new RedisSheets(session);
  return {
    calls: new RedisCalls(session),
    keys: new RedisKeys(session),
    forwards: new RedisForwards(session),
    rules: new RedisRules(session),
    sheets,
    maintenance: new RedisMaintenance(session, sheets),
    durability: 'engine',
    shared: true,
    get epoch() {
      return session.epoch;
    },
    onEvents: (listener) => {
      session.live.onEvents = listener;
    },
    onChanged: (listener) => {
      session.onChanged = listener;
    },
    onEpoch: (listener) => {
      session.onEpoch = listener;
    },
    listDoubts: async () => [
      ...(await durabilityDoubts(session.reader)),
      ...(await clockDoubts(session.reader)),
    ],
    close: async () => session.close(),
  };
}
