/** Makes the disk of a running server fail: strace replaces the results of system calls by an error. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface DiskFailure {
  /** System calls that fail, those that SQLite writes and syncs with. */
  calls: readonly string[];
  /** A name of errno(3). */
  error: 'EIO' | 'ENOSPC' | 'EROFS';
}

/**
 * Fails the calls of every thread of a process from when this resolves on, until `heal` has resolved.
 * @throws Error saying what is missing where this machine has no strace or forbids one process to trace another.
 */
export async function failDisk(
  pid: number,
  { calls, error }: DiskFailure,
): Promise<{ heal(): Promise<void> }> {
  const names = calls.join(',');
  const strace = spawn(
    'strace',
    ['-f', '-p', `${pid}`, '-o', '/dev/null', '-e', `trace=${names}`, '-e', `inject=${names}:error=${error}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  // A test run that dies must not leave strace behind.
  const reap = () => void strace.kill('SIGKILL');
  process.on('exit', reap);
  const gone = once(strace, 'exit').finally(() => process.off('exit', reap));
  gone.catch(() => {});
  await new Promise<void>((resolve, reject) => {
    let output = '';
    strace.stderr.on('data', (chunk) => {
      output += chunk;
      if (/ attached/.test(output)) resolve();
    });
    strace.on('error', (reason) =>
      reject(
        new Error(`strace is needed for this test (${reason.message}); on Debian: apt-get install strace`),
      ),
    );
    strace.on('close', () =>
      reject(
        new Error(
          `strace may not trace the server: ${output.trim()}. This test needs root, ` +
            'or kernel.yama.ptrace_scope=0; in a container --cap-add=SYS_PTRACE',
        ),
      ),
    );
  });
  return {
    heal: async () => {
      strace.kill('SIGINT');
      await gone;
    },
  };
}
