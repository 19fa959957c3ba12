/** The servers that are measured: nchan, and the relay on each of its stores, each in its own process. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../testing/servers/free-port.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { startServer } from '../../testing/servers/start-server.ts';

export interface Target {
  name: string;
  /** What a 2xx to a notification guarantees. */
  durable: string;
  port: number;
  pid: number;
  /** The processes whose CPU time counts; their children are added. */
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

/** Undefined where it is not installed (Debian: `apt-get install nginx-light libnginx-mod-nchan`). */
export async function startNchan(): Promise<Target | undefined> {
  if (!nchanModule || spawnSync('nginx', ['-v']).error) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'dialmark-nchan-'));
  const port = await freePort();
  await mkdir(join(folder, 'logs'), { recursive: true });
  await writeFile(
    join(folder, 'nginx.conf'),
    `load_module ${nchanModule};
daemon off; worker_processes 1; pid nginx.pid; error_log error.log crit; worker_rlimit_nofile 19000;
events { worker_connections 18000; }
http {
  access_log off; tcp_nodelay on; keepalive_requests 10000000; keepalive_timeout 3600s;
  client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  nchan_shared_memory_size 256M;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location = /pub { nchan_publisher; nchan_channel_id $arg_id; nchan_message_buffer_length 50; nchan_message_timeout 10m; }
    location = /sub { nchan_subscriber eventsource; nchan_channel_id $arg_id; nchan_subscriber_first_message newest;
      nchan_eventsource_ping_interval 15; }
  }
}`,
  );
  const server = await startServer(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    ready: port,
    debian: 'nginx-light libnginx-mod-nchan',
  });
  const pid = server.process.pid!;
  return {
    name: 'nchan',
    durable: 'no (memory)',
    port,
    pid,
    pids: [pid],
    prepare: async () => {},
    subscribe: (channel) => ({ path: `/sub?id=${channel}`, headers: '' }),
    publish: (_n, channel) => `/pub?id=${channel}`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type RelayStore = 'memory' | 'SQLite' | 'Redis';

const promises: Record<RelayStore, string> = {
  memory: 'no (memory)',
  SQLite: 'on disk (fsync)',
  Redis: 'on disk (appendfsync always)',
};

export async function startRelayTarget(store: RelayStore, channels: readonly string[]): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'dialmark-bench-'));
  const redis = store === 'Redis' ? await startRedis(true) : undefined;
  const address = redis?.url ?? (store === 'memory' ? 'memory:' : `sqlite:${join(folder, 'relay.db')}`);
  const child = fork(fileURLToPath(new URL('relay-under-load.ts', import.meta.url)), [], {
    execArgv: ['--import', 'tsx', '--expose-gc'],
    env: { ...process.env, BENCH_STORE: address, BENCH_CHANNELS: channels.join(',') },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port, keys }] = (await once(child, 'message')) as [{ port: number; keys: Record<string, string> }];
  let paths: string[] = [];
  return {
    name: `relay, ${store}`,
    durable: promises[store],
    port,
    pid: child.pid!,
    pids: [child.pid!, ...(redis ? [redis.pid] : [])],
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
      await redis?.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
