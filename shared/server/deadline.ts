/**
 * Time limits for replies. A process that was stopped for a while, as a paused machine is, finds its timers due before
 * it reads what arrived. So arrived data is read first, as undici does for its connections.
 */

/** Calls back after `ms` and one turn of the event loop. @returns a function that ends the wait. */
export function startDeadline(ms: number, onLate: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(onLate);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}

/** A signal that aborts after `ms`, unless its owner ends the wait. */
export function deadlineSignal(ms: number): { signal: AbortSignal; end(): void } {
  const late = new AbortController();
  return { signal: late.signal, end: startDeadline(ms, () => late.abort()) };
}
