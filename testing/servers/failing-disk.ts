/** Makes the disk of a running server fail: strace replaces the results of system calls by an error. */
import { startServer } from './start-server.ts';

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
  const injected = ['-e', `trace=${names}`, '-e', `inject=${names}:error=${error}`];
  const strace = await startServer(['strace', '-f', '-p', `${pid}`, '-o', '/dev/null', ...injected], {
    ready: ' attached',
    debian: 'strace',
  }).catch((reason: Error) => {
    const needs = 'root, or kernel.yama.ptrace_scope=0; in a container --cap-add=SYS_PTRACE';
    throw new Error(`${reason.message}\nTo trace another process, this test needs ${needs}`);
  });
  return { heal: async () => void (await strace.stop('SIGINT')) };
}
