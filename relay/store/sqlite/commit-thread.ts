/** The thread that commits to a SQLite file while much is to be done or its disk is slow, as the serving thread sees it. */
import { Worker } from 'node:worker_threads';
import { StoreError } from '../store.ts';
import type { Operation } from '../store-operations.ts';
import type { BatchResult } from './batch-commit.ts';
import type { WorkerMessage } from './commit-worker.ts';
import type { RelayDatabaseOptions } from './relay-database.ts';

interface CommitThreadObserver {
  onPerformed(result: BatchResult): void;
  /** Another process wrote to the file. */
  onChanged(): void;
  /** The thread has ended; what it was given is not answered any more. */
  onGone(error: StoreError): void;
}

export interface CommitThread {
  /** Answered by `onPerformed`; the next batch only then. */
  perform(batch: readonly Operation[]): void;
  close(): Promise<void>;
}

/** Resolves when the thread has opened the file. @throws StoreError where it cannot. */
export async function startCommitThread(
  options: RelayDatabaseOptions,
  observer: CommitThreadObserver,
): Promise<CommitThread> {
  const worker = startWorker(options);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  await new Promise<void>((ready, refuse) => {
    const on: { [K in WorkerMessage['kind']]: (message: Extract<WorkerMessage, { kind: K }>) => void } = {
      ready: () => ready(),
      failed: ({ message, code }) => refuse(new StoreError(`${options.path}: ${message}`, code)),
      performed: ({ result }) => observer.onPerformed(result),
      changed: () => observer.onChanged(),
    };
    worker.on('message', (message: WorkerMessage) =>
      (on[message.kind] as (message: WorkerMessage) => void)(message),
    );
    const end = (error: StoreError) => {
      refuse(error);
      observer.onGone(error);
    };
    worker.on('error', (error) =>
      end(new StoreError(`the store's thread failed: ${error.message}`, 'thread')),
    );
    worker.on('exit', () => end(new StoreError('the store is closed', 'closed')));
  });
  return {
    perform: (batch) => worker.postMessage(batch),
    close: () => {
      worker.postMessage('close');
      return exited;
    },
  };
}

/**
 * Built, the worker lies beside us as `commit-worker.js`. From TypeScript source (tests) it needs tsx registered inside the
 * thread first: Node 20 does not hand a loader on to a thread that starts from a `.ts` file.
 */
function startWorker(workerData: RelayDatabaseOptions): Worker {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL(['.', 'commit-worker.js'].join('/'), import.meta.url), { workerData });
  const source = new URL(['.', 'commit-worker.ts'].join('/'), import.meta.url).href;
  const tsx = import.meta.resolve('tsx/esm/api');
  const bootstrap = `import(${JSON.stringify(tsx)}).then((tsx) => { tsx.register(); return import(${JSON.stringify(source)}); })`;
  return new Worker(bootstrap, { eval: true, workerData });
}
