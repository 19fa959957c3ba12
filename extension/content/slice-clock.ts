/** Keeps our work in slices, so that no task of ours costs the page a frame. */

/** Milliseconds; a task ends a little later than its clock is looked at. */
const longestSlice = 4;

export interface SliceClock {
  /** Time to let the page run. */
  due(): boolean;
  /** Lets the page run, then begins a new slice. */
  now(): Promise<void>;
  /** The same for at least so many milliseconds. */
  rest(milliseconds: number): Promise<void>;
  restart(): void;
  /** Milliseconds worked so far, rests not counted. */
  worked(): number;
}

export function sliceClock(signal: AbortSignal): SliceClock {
  let since = performance.now();
  let before = 0;
  // Not `yield`: what goes on from there comes before every timer of the page.
  const rest = async (delay: number) => {
    before += performance.now() - since;
    await scheduler.postTask(() => {}, { priority: 'user-visible', delay, signal });
    signal.throwIfAborted();
    since = performance.now();
  };
  return {
    due: () => performance.now() - since > longestSlice,
    now: () => rest(0),
    rest,
    restart() {
      since = performance.now();
    },
    worked: () => before + performance.now() - since,
  };
}
