/** Supervises child processes. It captures their output, and ends each with its group, at the latest when we exit. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = fileURLToPath(new URL('../', import.meta.url));

export interface Child {
  readonly process: ChildProcess;
  /** Everything written so far, on both streams. */
  readonly output: () => string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the exit code once the process is gone. Rejects where the program cannot be started. */
  readonly exited: Promise<number>;
  /** Sends the signal (SIGTERM by default), and SIGKILL after `graceMs`. Resolves with the exit code. */
  stop(signal?: NodeJS.Signals, graceMs?: number): Promise<number>;
}

export interface ChildOptions {
  environment?: NodeJS.ProcessEnv;
  /** Working directory; the repository's root by default. */
  folder?: string;
  /** With its own process group (default), the child is ended with its children. Without it, a Ctrl-C reaches it. */
  ownGroup?: boolean;
  /** Writes what the child writes to this process's output as well, as it comes. */
  showOutput?: boolean;
}

export function startChild(
  [program, ...args]: readonly string[],
  { environment, folder = root, ownGroup = true, showOutput = false }: ChildOptions = {},
): Child {
  const hasGroup = ownGroup && process.platform !== 'win32';
  const child = spawn(program!, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: hasGroup,
  });
  const texts = { both: '', stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      if (showOutput) process[name].write(chunk);
      texts.both += chunk;
      texts[name] += chunk;
    });
  // The streams close only when every process of the group has let go of them. The child may exit before.
  let isClosed = false;
  child.once('close', () => (isClosed = true));
  const exited = once(child, 'close').then(([code]) => (code as number | null) ?? 1);
  const send = (signal: NodeJS.Signals) => {
    if (isClosed || child.pid === undefined) return;
    try {
      if (hasGroup) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It exited in this moment.
    }
  };
  // This process ends. Without a group, a server such as nginx ends its workers only at SIGTERM.
  const onExit = () => send(hasGroup ? 'SIGKILL' : 'SIGTERM');
  process.once('exit', onExit);
  exited.catch(() => {}).finally(() => process.off('exit', onExit));
  return {
    process: child,
    output: () => texts.both,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    exited,
    async stop(signal = 'SIGTERM', graceMs = 5000) {
      const timer = setTimeout(() => send('SIGKILL'), graceMs);
      send(signal);
      return exited.catch(() => 1).finally(() => clearTimeout(timer));
    },
  };
}
