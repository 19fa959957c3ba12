/** A server of somebody else's for one test file: a proxy, a store. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

export interface Server {
  readonly process: ChildProcess;
  /** Everything it wrote so far, both streams. */
  readonly output: () => string;
  /** Resolves when it is gone; SIGTERM unless told. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface ServerOptions {
  /** When it can be used: it takes connections on this port of loopback, or has written these words. */
  ready: number | string;
  /** The package that has it, for who lacks it. */
  debian: string;
  environment?: NodeJS.ProcessEnv;
  /** Where it runs; here unless told. */
  folder?: string;
}

/** Resolves when it can be used. @throws Error with its output where it ends instead. */
export async function startServer(
  [program, ...args]: readonly [string, ...string[]],
  { ready, debian, environment = {}, folder }: ServerOptions,
): Promise<Server> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let heard: () => unknown = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      heard();
    });
  // A test run that dies must not leave it behind; by SIGKILL nginx would leave its workers.
  const reap = () => void child.kill('SIGTERM');
  process.on('exit', reap);
  const gone = once(child, 'close').finally(() => process.off('exit', reap));
  const failed = gone.then(
    () => Promise.reject(new Error(`${program} ended:\n${output}`)),
    (error: Error) =>
      Promise.reject(
        new Error(`${program} is needed here (${error.message}); on Debian: apt-get install ${debian}`),
      ),
  );
  failed.catch(() => {});
  const said = (words: string) =>
    new Promise<void>((resolve) => {
      heard = () => output.includes(words) && resolve();
    });
  const over = new AbortController();
  const usable = typeof ready === 'string' ? said(ready) : untilListening(ready, over.signal);
  await Promise.race([usable, failed]).finally(() => over.abort());
  return {
    process: child,
    output: () => output,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await gone;
    },
  };
}

async function untilListening(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = connect(port, '127.0.0.1');
    const up = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
