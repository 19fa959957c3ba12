/** The store on a SQLite file: operations gathered into batches for the thread that owns the file (`worker.ts`). */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { methodsOf, type Operation } from '../operations.ts';
import { type Store, type StoredEvent, StoreError } from '../store.ts';
import type { SqliteOptions } from './sqlite-connection.ts';
import type { BatchResult } from './sqlite-engine.ts';
import type { WorkerMessage } from './worker.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export interface SqliteStoreOptions extends SqliteOptions {
  /** Called after each commit with its duration and the operations in it. */
  onCommit?: (durationMs: number, operations: number) => void;
}

/** @throws StoreError where the file cannot be opened. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const path = resolve(options.path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  keepPrivate(path);
  const worker = startWorker({ path, maxMegabytes: options.maxMegabytes });

  let gathering: Operation[] = [];
  let gatheringFor: Waiting[] = [];
  let working: Waiting[] | undefined;
  let scheduled = false;
  let gone: StoreError | undefined;
  let eventListener: (events: readonly StoredEvent[]) => void = () => {};
  let changeListener: () => void = () => {};

  const flush = () => {
    scheduled = false;
    if (working || gathering.length === 0) return;
    working = gatheringFor;
    const batch = gathering;
    gathering = [];
    gatheringFor = [];
    worker.postMessage(batch);
  };

  const settle = ({ outcomes, events, commitMs }: BatchResult) => {
    const settled = working ?? [];
    working = undefined;
    // The next batch goes out first, so that the disk never waits for the callbacks.
    flush();
    if (commitMs > 0) options.onCommit?.(commitMs, settled.length);
    if (events.length > 0) eventListener(events);
    outcomes.forEach((outcome, index) => {
      if ('error' in outcome) settled[index]?.reject(new StoreError(outcome.error, outcome.code));
      else settled[index]?.resolve(outcome.value);
    });
  };

  const perform = (operation: Operation): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      gathering.push(operation);
      gatheringFor.push({ resolve, reject });
      if (scheduled || working) return;
      scheduled = true;
      // After everything that this turn of the event loop reads, so that it goes out as one batch.
      setImmediate(flush);
    });

  const fail = (error: StoreError) => {
    gone ??= error;
    for (const waiting of [...(working ?? []), ...gatheringFor]) waiting.reject(gone);
    working = undefined;
    gathering = [];
    gatheringFor = [];
  };

  let closed: () => void = () => {};
  const epoch = await new Promise<string>((ready, refuse) => {
    const on: { [K in WorkerMessage['kind']]: (message: Extract<WorkerMessage, { kind: K }>) => void } = {
      ready: (message) => ready(message.epoch),
      failed: (message) => refuse(new StoreError(`${path}: ${message.message}`, message.code)),
      performed: (message) => settle(message.result),
      changed: () => changeListener(),
      closed: () => closed(),
    };
    worker.on('message', (message: WorkerMessage) =>
      (on[message.kind] as (message: WorkerMessage) => void)(message),
    );
    worker.on('error', (error) => {
      const wrapped = new StoreError(`the store's thread failed: ${error.message}`, 'thread');
      fail(wrapped);
      refuse(wrapped);
    });
    worker.on('exit', () => {
      fail(new StoreError('the store is closed', 'closed'));
      closed();
    });
  });

  return {
    ...methodsOf(perform),
    durability: 'disk',
    shared: false,
    epoch,
    onEvents: (listener) => {
      eventListener = listener;
    },
    onChanged: (listener) => {
      changeListener = listener;
    },
    onEpoch: () => {},
    close: () =>
      new Promise<void>((resolve) => {
        if (gone) return resolve();
        closed = resolve;
        worker.postMessage('close');
      }),
  };
}

/** SQLite gives its log files the mode of the database, so it is made before SQLite would make it for all to read. */
function keepPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new StoreError(
      `${path}: ${(error as Error).message}`,
      (error as NodeJS.ErrnoException).code ?? 'file',
    );
  }
}

/**
 * Built, the worker lies beside us as `sqlite-worker.js`. From TypeScript source (tests) it needs tsx registered inside the
 * thread first: Node 20 does not hand a loader on to a thread that starts from a `.ts` file.
 */
function startWorker(workerData: SqliteOptions): Worker {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL(['.', 'sqlite-worker.js'].join('/'), import.meta.url), { workerData });
  const source = new URL(['.', 'worker.ts'].join('/'), import.meta.url).href;
  const tsx = import.meta.resolve('tsx/esm/api');
  const bootstrap = `import(${JSON.stringify(tsx)}).then((tsx) => { tsx.register(); return import(${JSON.stringify(source)}); })`;
  return new Worker(bootstrap, { eval: true, workerData });
}
