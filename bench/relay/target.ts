/**
 * The servers that are measured, each in its own process: nchan in memory and on Redis, and the relay on each
 * of its stores.
 */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../testing/servers/free-port.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { startServer } from '../../testing/servers/start-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

/** What a 2xx to a notification guarantees. */
export const durabilities = {
  memory: 'no (memory)',
  SQLite: 'on disk (fsync)',
  Redis: 'on disk (appendfsync always)',
} as const;
export type Durability = keyof typeof durabilities;

export interface Target {
  name: string;
  durability: Durability;
  port: number;
  /** The processes whose memory counts; their children are added. */
  pids: readonly number[];
  /** Prepares for these messages: `plan[n]` is the channel of message n. */
  prepare(plan: readonly string[]): Promise<void>;
  /** Path and extra headers of a subscriber's request. */
  subscribe(channel: string): { path: string; headers: string };
  /** Path of message n of the plan. */
  publish(n: number, channel: string): string;
  stop(): Promise<void>;
}

const nchanModule = [
  '/usr/lib/nginx/modules/ngx_nchan_module.so',
  '/usr/lib64/nginx/modules/ngx_nchan_module.so',
].find((path) => existsSync(path));

/** Makes a folder for a server, and starts a Redis that syncs every write if the server needs one. */
async function surroundings(hasRedis: boolean) {
  const folder = await temporaryFolder();
  const redis = hasRedis ? await startRedis(true) : undefined;
  return {
    folder,
    redis,
    pids: redis ? [redis.pid] : [],
    async remove() {
      await redis?.stop();
      await folder.remove();
    },
  };
}

/**
 * Undefined where it is not installed (Debian: `apt-get install nginx-light libnginx-mod-nchan`).
 * @param durable whether it keeps its messages in a Redis that syncs every write, instead of in memory.
 */
export async function startNchan(durable: boolean): Promise<Target | undefined> {
  if (!nchanModule || spawnSync('nginx', ['-v']).error) return undefined;
  const { folder, redis, pids, remove } = await surroundings(durable);
  const port = await freePort();
  const store = redis ? 'nchan_redis_pass redis;' : '';
  await mkdir(folder.file('logs'), { recursive: true });
  await writeFile(
    folder.file('nginx.conf'),
    `load_module ${nchanModule};
daemon off; worker_processes 1; pid nginx.pid; error_log error.log crit; worker_rlimit_nofile 19000;
events { worker_connections 18000; }
http {
  access_log off; tcp_nodelay on; keepalive_requests 10000000; keepalive_timeout 3600s;
  client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  nchan_shared_memory_size 256M;
  ${redis ? `upstream redis { nchan_redis_server ${redis.url}; }` : ''}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /pub {
      nchan_publisher; nchan_channel_id $arg_id; nchan_message_buffer_length 50; nchan_message_timeout 10m; ${store}
    }
    location = /sub { nchan_subscriber eventsource; nchan_channel_id $arg_id; nchan_subscriber_first_message newest;
      nchan_eventsource_ping_interval 15; ${store} }
  }
}`,
  );
  const server = await startServer(['nginx', '-p', folder.path, '-c', folder.file('nginx.conf')], {
    ready: port,
    debian: 'nginx-light libnginx-mod-nchan',
  });
  const pid = server.process.pid!;
  return {
    name: redis ? 'nchan + Redis (fsync always)' : 'nchan',
    durability: redis ? 'Redis' : 'memory',
    port,
    pids: [pid, ...pids],
    prepare: async () => {},
    subscribe: (channel) => ({ path: `/sub?id=${channel}`, headers: '' }),
    publish: (_n, channel) => `/pub?id=${channel}`,
    stop: async () => {
      await server.stop();
      await remove();
    },
  };
}

export async function startRelayTarget(store: Durability, channels: readonly string[]): Promise<Target> {
  const { folder, redis, pids, remove } = await surroundings(store === 'Redis');
  const address = redis?.url ?? (store === 'memory' ? 'memory:' : `sqlite:${folder.file('relay.db')}`);
  const child = fork(fileURLToPath(new URL('relay-under-load.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx', '--expose-gc'],
    env: { ...process.env, BENCH_STORE: address, BENCH_CHANNELS: channels.join(',') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port, keys }] = (await once(child, 'message')) as [{ port: number; keys: Record<string, string> }];
  let paths: string[] = [];
  return {
    name: `relay, ${store}`,
    durability: store,
    port,
    pids: [child.pid!, ...pids],
    prepare: async (plan) => {
      child.send(plan);
      [paths] = (await once(child, 'message')) as [string[]];
    },
    subscribe: (channel) => ({ path: '/v1/events', headers: `Authorization: Bearer ${keys[channel]}\r\n` }),
    publish: (n) => paths[n]!,
    stop: async () => {
      if (child.connected) {
        child.disconnect();
        await once(child, 'exit');
      }
      await remove();
    },
  };
}
