/** Divides our work into slices, so that no task of ours costs the page a frame. */

/** A task runs a little longer than this, until the next check of its clock. */
const maxSliceMs = 4;

export interface TimeSlicer {
  /** True when the current slice has lasted long enough. */
  isDue(): boolean;
  /** Lets the page run, then begins a new slice. */
  yieldToPage(): Promise<void>;
  /** Yields for at least so many milliseconds. */
  pause(delayMs: number): Promise<void>;
  restart(): void;
  /** Time worked so far, pauses not counted. */
  workedMs(): number;
}

export function createTimeSlicer(signal: AbortSignal): TimeSlicer {
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
    isDue: () => performance.now() - since > maxSliceMs,
    yieldToPage: () => pause(0),
    pause,
    restart() {
      since = performance.now();
    },
    workedMs: () => before + performance.now() - since,
  };
}
