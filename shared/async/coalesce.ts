/**
 * Wraps `work` so that at most one run is in progress. Calls during a run, however many, ask for one further run. All
 * callers who wait resolve after the last run for which somebody asked. A rejection reaches all of them and cancels the
 * further run.
 */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  return () => {
    if (running) {
      isAskedAgain = true;
      return running;
    }
    running = (async () => {
      try {
        do {
          isAskedAgain = false;
          await work();
        } while (isAskedAgain);
      } finally {
        // This is in the same step as the last check of `isAskedAgain`: a call in between would be lost.
        running = undefined;
      }
    })();
    return running;
  };
}
