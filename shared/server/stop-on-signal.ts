/** The signals that end a process of ours, or a command of it. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Ends the process with code 0 once `stop` has resolved, after a signal to stop. A further signal changes
 * nothing: a terminal that closes sends SIGHUP twice, and a second Ctrl-C must not cut a dial under way.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  const end = () => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of stopSignals) process.on(signal, end);
}
