/** A real redis-server for one test file, with its own port and folder. */

import type { Child } from '../child.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { freePort } from './free-port.ts';
import { startServer } from './start-server.ts';

export interface RedisServer {
  url: string;
  readonly pid: number;
  /** Its files are in `appendonlydir` there. */
  readonly folder: string;
  /** Kills it and starts it again on the same port and files. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** @param durable `appendonly yes`, `appendfsync always`: on disk at every write; otherwise nothing is persisted. */
export async function startRedis(durable = false): Promise<RedisServer> {
  const folder = await temporaryFolder();
  const port = await freePort();
  let server = await launch(port, folder.path, durable);
  return {
    url: `redis://127.0.0.1:${port}/0`,
    folder: folder.path,
    get pid() {
      return server.process.pid!;
    },
    kill: async () => void (await server.stop('SIGKILL')),
    restart: async () => {
      await server.stop('SIGKILL');
      server = await launch(port, folder.path, durable);
    },
    stop: async () => {
      await server.stop('SIGKILL');
      await folder.remove();
    },
  };
}

function launch(port: number, folder: string, durable: boolean): Promise<Child> {
  const settings = [
    ['--port', String(port)],
    ['--bind', '127.0.0.1'],
    ['--dir', folder],
    ['--save', ''],
    ['--appendonly', durable ? 'yes' : 'no'],
    ['--appendfsync', 'always'],
  ];
  return startServer(['redis-server', ...settings.flat()], {
    ready: 'Ready to accept connections',
    debian: 'redis-server',
  });
}
