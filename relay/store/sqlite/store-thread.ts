/** The thread that has the SQLite file, as the serving thread sees it. */
import { Worker } from 'node:worker_threads';
import { builtProgram } from '../../built-program.ts';
import type { Operation } from '../operations.ts';
import { type StoredEvent, StoreError } from '../store.ts';
import type { BatchResult } from './batch-commit.ts';
import type { RelayDatabaseOptions } from './relay-database.ts';
import type { WorkerMessage } from './store-worker.ts';

interface StoreThreadObserver {
  onPerformed(result: BatchResult): void;
  /** Another process wrote to the file, and may have appended events. */
  onChanged(events: readonly StoredEvent[]): void;
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
  const worker = new Worker(builtProgram('store-worker'), { workerData: options });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const epoch = await new Promise<string>((ready, refuse) => {
    const on: { [K in WorkerMessage['kind']]: (message: Extract<WorkerMessage, { kind: K }>) => void } = {
      ready: (message) => ready(message.epoch),
      failed: ({ message, code }) => refuse(new StoreError(`${options.path}: ${message}`, code)),
      performed: ({ result }) => observer.onPerformed(result),
      changed: ({ events }) => observer.onChanged(events),
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
