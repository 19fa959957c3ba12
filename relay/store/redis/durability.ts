/** Whether this Redis keeps what it acknowledged, by its own configuration. */
import { pairs, type RedisConnection, type RedisReply } from './connection.ts';

/**
 * @returns settings that may lose data, one sentence each; empty if a 2xx survives a crash. Rejects if Redis cannot be
 * reached.
 */
export async function durabilityDoubts(redis: RedisConnection): Promise<string[]> {
  const configured = await readConfiguration(redis);
  if (configured === undefined)
    return [
      'Redis does not show its configuration (CONFIG GET). Calls are kept only with appendonly yes, ' +
        'appendfsync always and maxmemory-policy noeviction',
    ];
  const doubts: string[] = [];
  if (configured.appendonly !== 'yes')
    doubts.push('Redis has no append-only file: a restart loses every call and key; set appendonly yes');
  else if (configured.appendfsync !== 'always')
    doubts.push(
      `Redis syncs with appendfsync ${configured.appendfsync}: a crash loses acknowledged calls; ` +
        'set appendfsync always',
    );
  if (configured['maxmemory-policy'] !== 'noeviction')
    doubts.push(
      `Redis evicts keys when its memory is full (maxmemory-policy ${configured['maxmemory-policy']}); ` +
        'set maxmemory-policy noeviction',
    );
  return doubts;
}

/** @returns undefined if the server forbids the command, as a managed server may. */
async function readConfiguration(redis: RedisConnection): Promise<Record<string, string> | undefined> {
  let reply: RedisReply;
  try {
    reply = await redis.send('CONFIG', 'GET', 'append*', 'maxmemory-policy');
  } catch {
    await redis.send('PING');
    return undefined;
  }
  return Object.fromEntries(pairs(reply));
}
