/** Divides our work into slices, so that no task of ours costs the page a frame. */

/** A task runs a little longer than this, until the next check of its clock. */
const maxSliceMs = 4;

export type TimeSlicer = ReturnType<typeof createTimeSlicer>;

export function createTimeSlicer(signal: AbortSignal) {
  let since = performance.now();
  let before = 0;
  // Not `scheduler.yield`: its continuation runs before every timer of the page.
  const pause = async (delay: number) => {
    before += performance.now() - since;
    await scheduler.postTask(() => {}, { priority: 'user-visible', delay, signal });
    signal.throwIfAborted();
    since = performance.now();
  };
  return {
    /** True when the current slice has lasted long enough. */
    isDue: () => performance.now() - since > maxSliceMs,
    /** Lets the page run, then begins a new slice. */
    yieldToPage: () => pause(0),
    /** Yields for at least so many milliseconds. */
    pause,
    restart() {
      since = performance.now();
    },
    /** Time worked so far, pauses not counted. */
    workedMs: () => before + performance.now() - since,
  };
}
