/** The thread that has the SQLite file, as the serving thread sees it. */
import { Worker } from 'node:worker_threads';
import type { Operation } from '../operations.ts';
import { StoreError } from '../store.ts';
import type { BatchResult } from './batch-commit.ts';
import type { RelayDatabaseOptions } from './relay-database.ts';
import type { WorkerMessage } from './store-worker.ts';

interface StoreThreadObserver {
  onPerformed(result: BatchResult): void;
  /** Another process wrote to the file. */
  onChanged(): void;
  /** The thread has ended. Batches that it has not answered are lost. */
  onEnd(error: StoreError): void;
}

export interface StoreThread {
  readonly epoch: string;
  /** Answered by `onPerformed`; the next batch is sent only then. */
  perform(batch: readonly Operation[]): void;
  close(): Promise<void>;
}

/** Resolves when the thread has opened the file. @throws StoreError where it cannot. */
export async function startStoreThread(
  options: RelayDatabaseOptions,
  observer: StoreThreadObserver,
): Promise<StoreThread> {
  const worker = startWorker(options);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const epoch = await new Promise<string>((ready, refuse) => {
    const on: { [K in WorkerMessage['kind']]: (message: Extract<WorkerMessage, { kind: K }>) => void } = {
      ready: (message) => ready(message.epoch),
      failed: ({ message, code }) => refuse(new StoreError(`${options.path}: ${message}`, code)),
      performed: ({ result }) => observer.onPerformed(result),
      changed: () => observer.onChanged(),
    };
    worker.on('message', (message: WorkerMessage) =>
      (on[message.kind] as (message: WorkerMessage) => void)(message),
    );
    const end = (error: StoreError) => {
      refuse(error);
      observer.onEnd(error);
    };
    worker.on('error', (error) =>
      end(new StoreError(`the store's thread failed: ${error.message}`, 'thread')),
    );
    worker.on('exit', () => end(new StoreError('the store is closed', 'closed')));
  });
  return {
    epoch,
    perform: (batch) => worker.postMessage(batch),
    close: () => {
      worker.postMessage('close');
      return exited;
    },
  };
}

/**
 * The build puts the worker beside us as `store-worker.js`. From TypeScript source (tests) tsx is registered inside the
 * thread first: Node 20 does not hand a loader on to a thread that starts from a `.ts` file.
 */
function startWorker(workerData: RelayDatabaseOptions): Worker {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL(['.', 'store-worker.js'].join('/'), import.meta.url), { workerData });
  const source = new URL(['.', 'store-worker.ts'].join('/'), import.meta.url).href;
  const tsx = import.meta.resolve('tsx/esm/api');
  const bootstrap = `import(${JSON.stringify(tsx)}).then((tsx) => {
    tsx.register();
    return import(${JSON.stringify(source)});
  })`;
  return new Worker(bootstrap, { eval: true, workerData });
}
