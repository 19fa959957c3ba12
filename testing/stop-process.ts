/** Stops the calling thread, as SIGSTOP does. Timers do not run, and input is not read. */
export function stopProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
