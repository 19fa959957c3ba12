/** Stops the thread that calls it, as SIGSTOP does: nothing is read and no timer runs. */
export function stopProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
