/** Every engine of the relay's store, for the tests of what they all promise. */
import { openMemoryStore } from '../../relay/store/memory-store.ts';
import { openRedisStore } from '../../relay/store/redis/redis-store.ts';
import { openSqliteStore } from '../../relay/store/sqlite/sqlite-store.ts';
import type { Store } from '../../relay/store/store.ts';
import { startRedis } from '../servers/redis-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export async function storeEngines(): Promise<{
  engines: [name: string, open: () => Promise<Store>][];
  stop: () => Promise<void>;
}> {
  const folder = await temporaryFolder();
  const redis = await startRedis();
  return {
    engines: [
      ['memory', async () => openMemoryStore()],
      ['SQLite', () => openSqliteStore({ path: folder.file('contract.db') })],
      ['Redis', () => openRedisStore(redis)],
    ],
    stop: async () => {
      await redis.stop();
      await folder.remove();
    },
  };
}
