/**
 * Time limits for answers. A process that was stopped for a while, as a paused machine is, finds its timers due
 * before it reads what came meanwhile. So what has come is read first: undici does the same for its connections.
 */

/** Calls back after `ms` and one turn of the event loop. @returns what ends the wait. */
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
