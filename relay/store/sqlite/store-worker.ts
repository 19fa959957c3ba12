/**
 * The thread that alone opens the relay's SQLite file. It makes one commit of each batch of operations. A slow disk, or
 * a file that another program has locked, stops this thread and never the one that serves.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { sqliteErrorText } from '../../../shared/server/sqlite-error-text.ts';
import type { Operation } from '../operations.ts';
import type { StoredEvent } from '../store.ts';
import { BatchCommitter, type BatchResult, storeErrorCode } from './batch-commit.ts';
import type { RelayDatabaseOptions } from './relay-database.ts';

export type WorkerMessage =
  | { kind: 'ready'; epoch: string }
  | { kind: 'failed'; message: string; code: string }
  | { kind: 'performed'; result: BatchResult }
  | { kind: 'changed'; events: StoredEvent[] };

/**
 * How often the file is checked for changes of another process. A revoked key must end its streams within a second; a
 * check takes some microseconds.
 */
const pollIntervalMs = 250;

const port = parentPort!;
const send = (message: WorkerMessage) => port.postMessage(message);

function open(): BatchCommitter {
  try {
    return new BatchCommitter(workerData as RelayDatabaseOptions);
  } catch (error) {
    send({ kind: 'failed', message: sqliteErrorText(error), code: storeErrorCode(error) });
    process.exit(1);
  }
}

const committer = open();
let version = committer.dataVersion();
const poll = setInterval(() => {
  try {
    const now = committer.dataVersion();
    if (now === version) return;
    const events = committer.missedEvents();
    version = now;
    send({ kind: 'changed', events });
  } catch {
    // The next batch reports what is wrong with the file.
  }
}, pollIntervalMs);

port.on('message', (message: Operation[] | 'close') => {
  if (message !== 'close') return send({ kind: 'performed', result: committer.perform(message) });
  clearInterval(poll);
  committer.close();
  port.close();
});

send({ kind: 'ready', epoch: committer.epoch });
