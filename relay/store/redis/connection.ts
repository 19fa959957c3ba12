/** One connection to Redis: raw commands with text answers, scripts by their hash, and errors as the store's own. */
import { createHash } from 'node:crypto';
import { createClient } from 'redis';
import { StoreError } from '../store.ts';

/** A field of a hash or a part of a script's answer; null where there is none. */
export type HashField = string | null;

export type RedisReply = string | number | null | RedisReply[];

export interface RedisConnection {
  send(...command: (string | number)[]): Promise<RedisReply>;
  script(source: string, ...input: (string | number)[]): Promise<RedisReply[]>;
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  onReady(listener: () => void): void;
  close(): void;
}

const connectTimeoutMs = 5000;
const maxReconnectDelayMs = 1000;

/**
 * @param onError for the log, once for each error of an outage; the client reconnects by itself.
 * @throws StoreError where Redis cannot be reached at the start.
 */
export async function connectRedis(url: string, onError: (error: Error) => void): Promise<RedisConnection> {
  let started = false;
  const client = createClient({
    url,
    RESP: 2,
    // While Redis is away, an error at once is better than an answer after the request has timed out.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: connectTimeoutMs,
      reconnectStrategy: (retries) => (started ? Math.min(50 * 2 ** retries, maxReconnectDelayMs) : false),
    },
  });
  const reported = new Set<string>();
  client.on('ready', () => reported.clear());
  client.on('error', (error: Error) => {
    if (reported.has(error.message)) return;
    reported.add(error.message);
    onError(error);
  });
  await client.connect().catch((error) => Promise.reject(unusableRedis(url, error)));
  started = true;
  const send = async (...command: (string | number)[]): Promise<RedisReply> => {
    try {
      return (await client.sendCommand(command.map(String))) as unknown as RedisReply;
    } catch (error) {
      const { message } = error as Error;
      if (message.startsWith('NOSCRIPT')) throw error;
      throw new StoreError(message, /^[A-Z]+(?= )/.exec(message)?.[0] ?? 'redis');
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
    subscribe: async (channel, listener) => {
      await client.subscribe(channel, listener);
    },
    onReady: (listener) => {
      client.on('ready', listener);
    },
    close: () => client.destroy(),
  };
}

/** What a start says of a Redis that it cannot use. */
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
