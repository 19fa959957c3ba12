/** One connection to Redis: raw commands with text answers, scripts by their hash, and errors as the store's own. */
import { createHash } from 'node:crypto';
import { StoreError } from '../store.ts';
import { RedisClient, type RedisClientOptions, type RedisReply } from './redis-client.ts';

export type { RedisReply };

/** A field of a hash or a part of a script's answer; null if it is missing. */
export type HashField = string | null;

export class RedisConnection extends RedisClient {
  private readonly hashes = new Map<string, string>();

  async send(...command: (string | number)[]): Promise<RedisReply> {
    try {
      return await this.ask(command.map(String));
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith('NOSCRIPT')) throw error;
      const code = /^[A-Z]+(?= )/.exec(message)?.[0] ?? 'redis';
      const { onReadOnly = () => void this.renew().catch(() => {}) } = this.options;
      if (code === 'READONLY') onReadOnly();
      throw new StoreError(message, code);
    }
  }

  async script(source: string, ...input: (string | number)[]): Promise<RedisReply[]> {
    let hash = this.hashes.get(source);
    if (hash === undefined) {
      hash = createHash('sha1').update(source).digest('hex');
      this.hashes.set(source, hash);
    }
    try {
      return (await this.send('EVALSHA', hash, 0, ...input)) as RedisReply[];
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return (await this.send('EVAL', source, 0, ...input)) as RedisReply[];
    }
  }
}

/** @throws StoreError where Redis cannot be reached at the start, or does not answer. */
export async function connectRedis(options: RedisClientOptions): Promise<RedisConnection> {
  const connection = new RedisConnection(options);
  await connection.connect().catch((error) => Promise.reject(unusableRedis(options.url, error)));
  return connection;
}

/** The error of a start that cannot use its Redis. */
export function unusableRedis(url: string, error: unknown): StoreError {
  const { hostname, port } = new URL(url);
  return new StoreError(
    `DIALMARK_STORE: expected a Redis at ${hostname}:${port || 6379} that can be used: ${(error as Error).message}`,
    'redis',
  );
}

export function toText(reply: RedisReply | undefined): string {
  return reply == null ? '' : String(reply);
}

/** Reads a flat reply as pairs, e.g. of member and score. */
export function pairs(reply: RedisReply): [string, string][] {
  const flat = reply as string[];
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index]!, flat[2 * index + 1]!]);
}
