/**
 * A clock that a test sets in a running process. SIGUSR2 sets it forward by a day, and SIGIO back by a day. Threads do
 * not get signals.
 */
const settableClock = `data:text/javascript,${encodeURIComponent(`
  const RealDate = Date;
  let offset = 0;
  globalThis.Date = class extends RealDate {
    constructor(...from) { super(...(from.length > 0 ? from : [RealDate.now() + offset])); }
    static now() { return RealDate.now() + offset; }
  };
  process.on('SIGUSR2', () => (offset += 24 * 3600_000));
  process.on('SIGIO', () => (offset -= 24 * 3600_000));
`)}`;

/** Gives a settable clock to every process that `start` starts. */
export async function withSettableClock<T>(start: () => Promise<T>): Promise<T> {
  process.env.NODE_OPTIONS = `--import ${settableClock}`;
  try {
    return await start();
  } finally {
    delete process.env.NODE_OPTIONS;
  }
}
