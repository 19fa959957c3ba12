/** What was started is ended in reverse order, once, whatever ends the demo: its last step, a failure or a signal. */
export interface Undo {
  /** Registers what ends something that runs now; `name` is for the word that it could not be ended. */
  add(name: string, end: () => unknown): void;
  all(): Promise<void>;
}

/** Longer than any of our parts takes to end. */
const patience = 10_000;

/** `ended` resolves at the first signal; at the second the process goes at once. */
export function endOnSignals(): { undo: Undo; ended: Promise<NodeJS.Signals> } {
  const entries: { name: string; end: () => unknown }[] = [];
  let running: Promise<void> | undefined;
  const endAll = async () => {
    for (let entry = entries.pop(); entry; entry = entries.pop()) {
      const { name, end } = entry;
      await inTime(Promise.resolve().then(end)).catch((error: Error) =>
        console.error(`  could not end ${name}: ${error.message}`),
      );
    }
  };
  const undo: Undo = {
    add(name, end) {
      entries.push({ name, end });
      // Started while everything is being ended: ended too.
      if (running) void running.then(endAll);
    },
    async all() {
      running ??= endAll();
      await running;
      await endAll();
    },
  };
  const ended = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (running) process.exit(130);
        resolve(signal);
      });
  });
  return { undo, ended };
}

async function inTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not end in time')), patience);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
