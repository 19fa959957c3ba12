/**
 * The thread that commits to a SQLite file while much is to be done or its disk is slow. It takes a batch of operations, makes one
 * commit of them, and answers all of them.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Operation } from '../store-operations.ts';
import { BatchCommitter, type BatchResult, codeOf } from './batch-commit.ts';
import { pollChanges } from './poll-changes.ts';
import type { RelayDatabaseOptions } from './relay-database.ts';

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'failed'; message: string; code: string }
  | { kind: 'performed'; result: BatchResult }
  | { kind: 'changed' };

const port = parentPort!;
const send = (message: WorkerMessage) => port.postMessage(message);

let committer: BatchCommitter;
try {
  committer = new BatchCommitter(workerData as RelayDatabaseOptions);
} catch (error) {
  send({ kind: 'failed', message: (error as Error).message, code: codeOf(error) });
  process.exit(1);
}

const stopPolling = pollChanges(committer, () => send({ kind: 'changed' }));
port.on('message', (message: Operation[] | 'close') => {
  if (message !== 'close') return send({ kind: 'performed', result: committer.perform(message) });
  stopPolling();
  committer.close();
  port.close();
});

send({ kind: 'ready' });
