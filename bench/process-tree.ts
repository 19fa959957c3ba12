/** Reads memory and processor time of processes and their descendants from Linux's `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './statistics.ts';

/** A process may end while it is read. */
function read(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** The process and all of its descendants. Each thread has children of its own, such as the tabs of Firefox. */
export function processTree(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    read(`${pid}/task/${thread}/children`).trim().split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processTree)];
}

/** Chromium and Firefox rename their processes, so the program's file says what runs. */
export const isBrowser = (pid: number): boolean =>
  /chrom|firefox/.test(read(`${pid}/cmdline`).split('\0')[0]!);

/** KiB of main memory. Pages that several processes share count in each of them. */
export const residentKibibytes = (pids: readonly number[]): number =>
  sum(pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`${pid}/status`))?.[1] ?? 0)));

/** KiB of main memory that these processes do not share with others. */
export const privateKibibytes = (pids: readonly number[]): number =>
  sum(
    pids.flatMap((pid) =>
      [...read(`${pid}/smaps_rollup`).matchAll(/Private_\w+:\s+(\d+)/g)].map(([, size]) => Number(size)),
    ),
  );

/** Linux counts in hundredths of a second. */
export const processorMs = (pids: readonly number[]): number =>
  sum(
    pids.map((pid) => {
      const [user = '0', system = '0'] = read(`${pid}/stat`).split(') ')[1]?.split(' ').slice(11, 13) ?? [];
      return (Number(user) + Number(system)) * 10;
    }),
  );
