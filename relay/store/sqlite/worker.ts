/**
 * The thread that owns the SQLite file, so that a sync to disk never stops the relay's own loop. It takes a batch of
 * operations, makes one commit of them, and answers all of them: while it commits, the next batch gathers (group commit
 * without a timer).
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Answer, Batch, FromWorker, Outcome } from './batch.ts';
import { writing } from './batch.ts';
import { SqliteDatabase, type SqliteOptions } from './database.ts';

/** A revoked key must end its streams within a second; asking for `data_version` costs some microseconds. */
const watchInterval = 250;

const port = parentPort!;
const send = (message: FromWorker) => port.postMessage(message);

let database: SqliteDatabase;
try {
  database = new SqliteDatabase(workerData as SqliteOptions);
} catch (error) {
  send({ kind: 'failed', message: (error as Error).message, code: codeOf(error) });
  process.exit(1);
}

function codeOf(error: unknown): string {
  return String((error as { code?: string }).code ?? 'unknown');
}

const perform = (operation: Batch[number]): Outcome => ({
  value: (database[operation.name] as (...input: unknown[]) => unknown)(...operation.input),
});

function answer(batch: Batch): Answer {
  const failed = (error: unknown): Answer => ({
    outcomes: batch.map(() => ({ error: (error as Error).message, code: codeOf(error) })),
    events: [],
    commitTime: 0,
  });
  try {
    if (!batch.some((operation) => writing.has(operation.name)))
      return { outcomes: batch.map(perform), events: [], commitTime: 0 };
    const start = performance.now();
    const { result, events } = database.transaction(() => batch.map(perform));
    if (batch.some(({ name }) => name === 'forget' || name === 'dropForward')) database.checkpoint();
    return { outcomes: result, events, commitTime: performance.now() - start };
  } catch (error) {
    return failed(error);
  }
}

port.on('message', (message: Batch | 'close') => {
  if (message !== 'close') return send({ kind: 'answer', answer: answer(message) });
  clearInterval(watch);
  database.close();
  send({ kind: 'closed' });
  port.close();
});

let version = database.dataVersion();
const watch = setInterval(() => {
  try {
    const now = database.dataVersion();
    if (now === version) return;
    version = now;
    send({ kind: 'changed' });
  } catch {
    // The next batch will say what is wrong with the file.
  }
}, watchInterval);

send({ kind: 'ready', epoch: database.epoch });
