/**
 * The store on a SQLite file. One thread of its own has the file (`store-worker.ts`). While it commits a batch of
 * operations, the next batch gathers here: group commit without a timer.
 */
import { privateFile } from '../../../shared/server/store-lock.ts';
import { type Operation, operationMethods } from '../operations.ts';
import { type Store, type StoredEvent, StoreError } from '../store.ts';
import type { BatchResult } from './batch-commit.ts';
import type { RelayDatabaseOptions } from './relay-database.ts';
import { type StoreThread, startStoreThread } from './store-thread.ts';

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

interface SqliteStoreOptions extends RelayDatabaseOptions {
  onCommit?: (durationMs: number) => void;
}

/** @throws StoreError where the file cannot be opened. */
export async function openSqliteStore({ path, maxMegabytes, onCommit }: SqliteStoreOptions): Promise<Store> {
  const file = realPathOf(path);
  const store = new SqliteStore(onCommit);
  await store.open({ path: file, maxMegabytes });
  return {
    ...operationMethods((operation) => store.perform(operation)),
    durability: 'disk',
    shared: false,
    epoch: store.thread.epoch,
    onEvents: (listener) => {
      store.onEvents = listener;
    },
    onChanged: (listener) => {
      store.onChanged = listener;
    },
    onEpoch: () => {},
    listDoubts: async () => [],
    close: () => store.close(),
  };
}

class SqliteStore {
  onEvents: (events: readonly StoredEvent[]) => void = () => {};
  onChanged: () => void = () => {};
  thread!: StoreThread;
  /** The next batch, and who waits for each operation of it. */
  private gathering: Operation[] = [];
  private gatheringFor: Pending[] = [];
  /** Callers that wait for the batch in the thread; undefined while it has no batch. */
  private working: Pending[] | undefined;
  private isFlushScheduled = false;
  private ended: StoreError | undefined;

  constructor(private readonly onCommit: SqliteStoreOptions['onCommit']) {}

  async open(file: RelayDatabaseOptions): Promise<void> {
    this.thread = await startStoreThread(file, {
      onPerformed: (result) => {
        const settled = this.working ?? [];
        this.working = undefined;
        // The next batch goes out first, so that the disk never waits for the callbacks.
        this.flush();
        this.settle(settled, result);
      },
      onChanged: (events) => {
        if (events.length > 0) this.onEvents(events);
        this.onChanged();
      },
      onEnd: (error) => this.end(error),
    });
  }

  perform(operation: Operation): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.ended) return reject(this.ended);
      this.gathering.push(operation);
      this.gatheringFor.push({ resolve, reject });
      if (this.isFlushScheduled || this.working) return;
      this.isFlushScheduled = true;
      // Runs after everything that this turn of the event loop reads, so that all of it is one batch.
      setImmediate(() => this.flush());
    });
  }

  async close(): Promise<void> {
    if (this.ended) return;
    if (!this.working) this.flush();
    await this.thread.close();
  }

  private flush(): void {
    this.isFlushScheduled = false;
    if (this.working || this.gathering.length === 0) return;
    this.thread.perform(this.gathering);
    this.working = this.gatheringFor;
    this.gathering = [];
    this.gatheringFor = [];
  }

  private settle(settled: readonly Pending[], { outcomes, events, commitMs }: BatchResult): void {
    if (events.length > 0) this.onEvents(events);
    outcomes.forEach((outcome, index) => {
      if ('error' in outcome) settled[index]!.reject(new StoreError(outcome.error, outcome.code));
      else settled[index]!.resolve(outcome.value);
    });
    if (commitMs > 0) this.onCommit?.(commitMs);
  }

  private end(error: StoreError): void {
    this.ended ??= error;
    for (const pending of [...(this.working ?? []), ...this.gatheringFor]) pending.reject(this.ended);
    this.working = undefined;
    this.gathering = [];
    this.gatheringFor = [];
  }
}

/** Makes the file where it is missing, readable by its owner alone. */
function realPathOf(path: string): string {
  try {
    return privateFile(path);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new StoreError(`${path}: ${message}`, code ?? 'file');
  }
}
