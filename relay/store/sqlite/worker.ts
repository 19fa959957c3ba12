/**
 * The thread that owns the SQLite file, so that a sync to disk never stops the relay's own loop. It takes a batch of
 * operations, makes one commit of them, and answers all of them: while it commits, the next batch gathers (group commit
 * without a timer).
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Operation } from '../operations.ts';
import type { SqliteOptions } from './sqlite-connection.ts';
import { type BatchResult, codeOf, SqliteEngine } from './sqlite-engine.ts';

export type WorkerMessage =
  | { kind: 'ready'; epoch: string }
  | { kind: 'failed'; message: string; code: string }
  | { kind: 'performed'; result: BatchResult }
  | { kind: 'changed' }
  | { kind: 'closed' };

/** A revoked key must end its streams within a second; reading `data_version` takes some microseconds. */
const pollIntervalMs = 250;

const port = parentPort!;
const send = (message: WorkerMessage) => port.postMessage(message);

let engine: SqliteEngine;
try {
  engine = new SqliteEngine(workerData as SqliteOptions);
} catch (error) {
  send({ kind: 'failed', message: (error as Error).message, code: codeOf(error) });
  process.exit(1);
}

port.on('message', (message: Operation[] | 'close') => {
  if (message !== 'close') return send({ kind: 'performed', result: engine.perform(message) });
  clearInterval(poll);
  engine.close();
  send({ kind: 'closed' });
  port.close();
});

let version = engine.dataVersion();
const poll = setInterval(() => {
  try {
    const now = engine.dataVersion();
    if (now === version) return;
    version = now;
    send({ kind: 'changed' });
  } catch {
    // The next batch reports what is wrong with the file.
  }
}, pollIntervalMs);

send({ kind: 'ready', epoch: engine.epoch });
