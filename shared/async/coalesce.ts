/**
 * Wraps `work` so that at most one run is in progress. A call during a run asks for one more run after it, however many
 * calls there are, and resolves when that one has ended. A rejection reaches everyone who waits and cancels the further
 * run.
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
