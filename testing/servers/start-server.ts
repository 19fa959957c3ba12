/** Starts a third-party server (a proxy, a store) for one test file. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Child, startChild } from '../../tools/child.ts';

export interface ServerOptions {
  /** It is usable once it accepts connections on this port of loopback, or has written this text. */
  ready: number | string;
  /** The Debian package that provides it. */
  debian: string;
  environment?: NodeJS.ProcessEnv;
  folder?: string;
}

/** Resolves when it is usable. @throws Error with its output where it ends instead. */
export async function startServer(
  command: readonly [string, ...string[]],
  { ready, debian, environment, folder = process.cwd() }: ServerOptions,
): Promise<Child> {
  const settled = new AbortController();
  let onLine = () => {};
  const server = startChild(command, {
    ...(environment ? { environment } : {}),
    folder,
    ownGroup: false,
    onLine: () => onLine(),
  });
  const failure = server.exited.then(
    () => Promise.reject(new Error(`${command[0]} ended:\n${server.output()}`)),
    (error: Error) =>
      Promise.reject(
        new Error(`${command[0]} is needed here (${error.message}); on Debian: apt-get install ${debian}`),
      ),
  );
  failure.catch(() => {});
  const usable =
    typeof ready === 'number'
      ? untilListening(ready, settled.signal)
      : new Promise<void>((resolve) => {
          onLine = () => server.output().includes(ready) && resolve();
        });
  await Promise.race([usable, failure]).finally(() => settled.abort());
  return server;
}

async function untilListening(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = connect(port, '127.0.0.1');
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
