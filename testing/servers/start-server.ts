/** Starts a server as a process of its own: the relay, a proxy, a store. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Child, type ChildOptions, startChild } from '../child.ts';
import type { Cleanup } from '../cleanup.ts';
import { until } from '../until.ts';

interface ServerOptions extends ChildOptions {
  /** It is usable once it accepts connections on this port of loopback, or has written this text. */
  ready: number | string;
  /** The Debian package that provides it. */
  debian?: string;
  /** By default 120 s: a busy machine may take half a minute to start any program. */
  startTimeoutMs?: number;
}

/** Resolves when it is usable. @throws Error with its output where it ends instead, or is not usable in time. */
export async function startServer(
  command: readonly [string, ...string[]],
  { ready, debian, startTimeoutMs = 120_000, ...options }: ServerOptions,
): Promise<Child> {
  const server = startChild(command, { ownGroup: false, ...options });
  let failure: Error | undefined;
  server.exited.then(
    (code) => {
      failure = new Error(`${command.join(' ')} ended with ${code}:\n${server.output().trim()}`);
    },
    (error: Error) => {
      failure = new Error(
        `${command[0]} is needed here (${error.message}); on Debian: apt-get install ${debian}`,
      );
    },
  );
  const isUsable = () => {
    if (failure) throw failure;
    return typeof ready === 'number' ? isListening(ready) : server.output().includes(ready);
  };
  await until(isUsable, `${command.join(' ')} to start`, startTimeoutMs).catch(async (error: Error) => {
    await server.stop('SIGKILL');
    throw error;
  });
  return server;
}

/**
 * Starts a server that tests kill in the middle of whatever it does.
 * @param stopSignal by which it ends at their end.
 * @returns what kills it, and starts it again.
 */
export async function startRestartable(
  name: string,
  cleanup: Cleanup,
  start: () => Promise<Child>,
  stopSignal?: NodeJS.Signals,
): Promise<() => Promise<void>> {
  let server = await start();
  cleanup.add(name, () => server.stop(stopSignal));
  return async () => {
    await server.stop('SIGKILL');
    server = await start();
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isUp = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isUp;
}
