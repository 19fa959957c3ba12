/** A child process, in a group of its own unless told: a Ctrl-C in the terminal reaches us alone, and we end the group whole. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Child {
  readonly process: ChildProcess;
  /** Everything it printed so far. */
  readonly output: () => string;
  readonly exited: Promise<number>;
  /** Asks it to end, and makes it after `grace` milliseconds. Resolves when it is gone. */
  end(grace?: number): Promise<void>;
}

const hasGroups = process.platform !== 'win32';

export function startChild(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder: string,
  onLine: (line: string) => void = () => {},
  ownGroup = hasGroups,
): Child {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  });
  let output = '';
  const take = (chunk: Buffer) => {
    output += chunk;
    for (const line of String(chunk).split('\n')) if (line.trim() !== '') onLine(line.trim());
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const exited = once(child, 'close').then(([code]) => (code as number | null) ?? 1);
  exited.catch(() => {});
  // Its output is closed only when nothing of its group holds it any more; the child alone may go before.
  let closed = false;
  child.once('close', () => (closed = true));
  const gone = () => closed || child.pid === undefined;
  const send = (signal: NodeJS.Signals) => {
    if (gone()) return;
    try {
      if (ownGroup) process.kill(-child.pid!, signal);
      else child.kill(signal);
    } catch {
      // It went in this moment.
    }
  };
  // If this process dies on the spot, nothing of it stays.
  const onExit = () => send('SIGKILL');
  process.once('exit', onExit);
  void exited.then(
    () => process.off('exit', onExit),
    () => {},
  );
  return {
    process: child,
    output: () => output,
    exited,
    async end(grace = 5000) {
      if (gone()) return;
      const timer = setTimeout(() => send('SIGKILL'), grace);
      send('SIGTERM');
      await exited.catch(() => {});
      clearTimeout(timer);
    },
  };
}
