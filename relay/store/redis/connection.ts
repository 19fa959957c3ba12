/** One connection to Redis: raw commands with text answers, scripts by their hash, and errors as the store's own. */
import { createHash } from 'node:crypto';
import { StoreError } from '../store.ts';
import { RedisClient, type RedisClientOptions, type RedisReply } from './redis-client.ts';

export type { RedisReply };

/** A field of a hash or a part of a script's answer; null if it is missing. */
export type HashField = string | null;

export interface RedisConnection {
  send(...command: (string | number)[]): Promise<RedisReply>;
  script(source: string, ...input: (string | number)[]): Promise<RedisReply[]>;
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  onReady(listener: () => void): void;
  /** Moves to a new connection, which leads to the Redis that took over. */
  renew(): Promise<void>;
  close(): void;
}

/** @throws StoreError where Redis cannot be reached at the start, or does not answer. */
export async function connectRedis(options: RedisClientOptions): Promise<RedisConnection> {
  const client = new RedisClient(options);
  const { onReadOnly = () => void client.renew().catch(() => {}) } = options;
  await client.connect().catch((error) => Promise.reject(unusableRedis(options.url, error)));
  const send = async (...command: (string | number)[]): Promise<RedisReply> => {
    try {
      return await client.ask(command.map(String));
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith('NOSCRIPT')) throw error;
      const code = /^[A-Z]+(?= )/.exec(message)?.[0] ?? 'redis';
      if (code === 'READONLY') onReadOnly();
      throw new StoreError(message, code);
    }
  };
  const hashes = new Map<string, string>();
  return {
    send,
    script: async (source, ...input) => {
      let hash = hashes.get(source);
      if (hash === undefined) {
        hash = createHash('sha1').update(source).digest('hex');
        hashes.set(source, hash);
      }
      try {
        return (await send('EVALSHA', hash, 0, ...input)) as RedisReply[];
      } catch (error) {
        if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
        return (await send('EVAL', source, 0, ...input)) as RedisReply[];
      }
    },
    subscribe: (channel, listener) => client.subscribe(channel, listener),
    onReady: (listener) => client.onReady(listener),
    renew: () => client.renew(),
    close: () => client.close(),
  };
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
