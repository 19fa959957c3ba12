/** Divides our work into slices, so that no task of ours costs the page a frame. */

/** How long a slice may last. A task runs a little longer, until the next check of its clock. */
const maxSliceMs = 4;

export type TimeSlicer = ReturnType<typeof createTimeSlicer>;

export function createTimeSlicer(signal: AbortSignal) {
  let since = performance.now();
  let before = 0;
  return {
    /** True when the current slice has lasted long enough. */
    isDue: () => performance.now() - since > maxSliceMs,
    /** Lets the page run for at least so many milliseconds, then begins a new slice. */
    async yieldToPage(delay = 0) {
      before += performance.now() - since;
      // Not `scheduler.yield`: its continuation runs before every timer of the page.
      await scheduler.postTask(() => {}, { priority: 'user-visible', delay, signal });
      signal.throwIfAborted();
      since = performance.now();
    },
    restart() {
      before = 0;
      since = performance.now();
    },
    /** Time worked since the last `restart`, pauses not counted. */
    workedMs: () => before + performance.now() - since,
  };
}
