/**
 * Starts the parts of a server one after another. The functions that end them are kept, and called in the reverse
 * order.
 */

/** Keeps the function that ends a part that was just started. */
export type OnStop = (end: () => void | Promise<void>) => void;

/**
 * @returns what `start` returns, with `stop`, which may be called again. @throws what `start` throws; whatever was
 * started by then is ended first.
 */
export async function startInOrder<Started extends object>(
  start: (onStop: OnStop) => Promise<Started>,
): Promise<Started & { stop(): Promise<void> }> {
  const ends: Parameters<OnStop>[0][] = [];
  const endAll = async () => {
    for (const end of ends.reverse()) await end();
  };
  let stopped: Promise<void> | undefined;
  try {
    const started = await start((end) => void ends.push(end));
    return { ...started, stop: () => (stopped ??= endAll()) };
  } catch (error) {
    await endAll();
    throw error;
  }
}
