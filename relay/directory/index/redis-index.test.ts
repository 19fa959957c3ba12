/** How the index on Redis treats connections that fail; no server is needed for that. */
import { expect, it, vi } from 'vitest';
import type { RedisConnection } from '../../store/redis/connection.ts';
import { openRedisIndex } from './redis-index.ts';
import { key } from './redis-index-keys.ts';

const { connectRedis } = vi.hoisted(() => ({ connectRedis: vi.fn() }));
vi.mock('../../store/redis/connection.ts', async (original) => ({
  ...(await original<typeof import('../../store/redis/connection.ts')>()),
  connectRedis,
}));

const url = 'redis://127.0.0.1:1/0';
const connect = (send: RedisConnection['send'] = async () => null) => {
  const connection = { send, close: vi.fn() };
  connectRedis.mockResolvedValueOnce(connection);
  return connection;
};

it('closes its first connection where Redis refuses the second', async () => {
  const first = connect();
  connectRedis.mockRejectedValueOnce(new Error('max number of clients reached'));
  await expect(openRedisIndex(url)).rejects.toThrow('max number of clients reached');
  expect(first.close).toHaveBeenCalledOnce();
});

it('keeps the uid of an entry that it could not remove, without a tag', async () => {
  connect(async (_command, name) => {
    if (name === key.uids('book')) return ['7 tag'];
    throw new Error('Redis did not answer');
  });
  const written: unknown[] = [];
  connect(async (...command) => written.push(command));
  const index = await openRedisIndex(url);
  await expect(index.remove('book', ['ana'])).rejects.toThrow('Redis did not answer');
  expect(written).toEqual([['HSET', key.uids('book'), 'ana', '7 ']]);
});

it('gives no tag to an entry that it could write only in part', async () => {
  connect(async () => [null]);
  const written: unknown[][] = [];
  connect(async (...command) => {
    if (command[1] === key.words) throw new Error('Redis did not answer');
    written.push(command);
    return 1;
  });
  const index = await openRedisIndex(url);
  const person = { name: 'Ana', numbers: [{ number: '+554832221116' }] };
  await expect(index.put('book', [{ uid: 'ana', tag: 'tag', person }])).rejects.toThrow('did not answer');
  const uids = written.filter(([, name]) => name === key.uids('book'));
  expect(uids).toEqual([['HSET', key.uids('book'), 'ana', '1 ']]);
});
