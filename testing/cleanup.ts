import { temporaryFolder } from './temporary-folder.ts';

/** How long each entry may take to end. */
const timeoutMs = 15_000;

/** Ends everything that was started, once, in reverse order. An entry that fails does not stop the others. */
export class Cleanup {
  readonly #entries: { name: string; end: () => unknown }[] = [];
  #running: Promise<void> | undefined;

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** @param name of the entry, for a message if it cannot be ended. */
  add(name: string, end: () => unknown): void {
    this.#entries.push({ name, end });
    // An entry that is added during the cleanup is ended, too.
    if (this.#running) void this.#running.then(() => this.#endAll());
  }

  /** Makes a temporary folder. @param name of what writes there. @returns the folder's path. */
  async addFolder(name: string): Promise<string> {
    const folder = await temporaryFolder(name);
    this.add(`the folder of ${name}`, () => folder.remove());
    return folder.path;
  }

  async run(): Promise<void> {
    this.#running ??= this.#endAll();
    await this.#running;
    await this.#endAll();
  }

  async #endAll(): Promise<void> {
    for (let entry = this.#entries.pop(); entry; entry = this.#entries.pop()) {
      const { name, end } = entry;
      await withTimeout(Promise.resolve().then(end)).catch((error: Error) =>
        console.error(`  could not end ${name}: ${error.message}`),
      );
    }
  }
}

/** Resolves at the first signal that asks this process to end. A second one, during the cleanup, exits at once. */
export function firstSignal(cleanup: Cleanup): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (cleanup.isRunning) process.exit(130);
        resolve(signal);
      });
  });
}

async function withTimeout(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not end in time')), timeoutMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
