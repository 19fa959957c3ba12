/**
 * The store on a SQLite file. Operations gather into batches, each one commit (group commit without a timer). Batches run in the
 * serving thread while the disk syncs quickly, which spares every notification two changes of threads. Where commits are slow they
 * move to a thread of their own for good, so that a sync to disk does not stop the relay's loop: while it commits, the next gathers.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Store, type StoredEvent, StoreError } from '../store.ts';
import { isWrite, methodsOf, type Operation } from '../store-operations.ts';
import { BatchCommitter, type BatchResult, codeOf } from './batch-commit.ts';
import { type CommitThread, startCommitThread } from './commit-thread.ts';
import { pollChanges } from './poll-changes.ts';
import type { SqliteOptions } from './sqlite-connection.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export interface SqliteStoreOptions extends SqliteOptions {
  /** Called after each commit with its duration and the operations in it. */
  onCommit?: (durationMs: number, operations: number) => void;
  /** Where most syncs to disk take longer, batches move to a thread of their own. */
  slowSyncMs?: number;
}

/** Commits that are judged together, by most of them: one slow sync is no slow disk. */
const judgedCommits = 32;
/** A loop that stops for longer at every commit would be felt by those who only read. */
const defaultSlowSyncMs = 4;

/** @throws StoreError where the file cannot be opened. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const path = resolve(options.path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  keepPrivate(path);
  const file = { path, maxMegabytes: options.maxMegabytes };
  const slowSyncMs = options.slowSyncMs ?? defaultSlowSyncMs;

  let committer: BatchCommitter | undefined = openCommitter(file);
  const { epoch } = committer;
  let thread: CommitThread | undefined;
  let startingThread: Promise<void> | undefined;
  let judged = 0;
  let slow = 0;

  let gathering: Operation[] = [];
  let gatheringFor: Waiting[] = [];
  /** Those of the batch that the thread has. */
  let working: Waiting[] | undefined;
  let scheduled = false;
  let gone: StoreError | undefined;
  let eventListener: (events: readonly StoredEvent[]) => void = () => {};
  let changeListener: () => void = () => {};
  const stopPolling = pollChanges(committer, () => changeListener());

  const flush = () => {
    scheduled = false;
    if (working || gathering.length === 0) return;
    const batch = gathering;
    const waiting = gatheringFor;
    gathering = [];
    gatheringFor = [];
    if (thread) {
      working = waiting;
      thread.perform(batch);
    } else settle(waiting, committer!.perform(batch));
  };

  const settle = (settled: readonly Waiting[], { outcomes, events, commitMs, syncMs }: BatchResult) => {
    if (commitMs > 0) {
      options.onCommit?.(commitMs, settled.length);
      if (!startingThread) judge(syncMs);
    }
    if (events.length > 0) eventListener(events);
    outcomes.forEach((outcome, index) => {
      if ('error' in outcome) settled[index]!.reject(new StoreError(outcome.error, outcome.code));
      else settled[index]!.resolve(outcome.value);
    });
  };

  const judge = (syncMs: number) => {
    judged += 1;
    if (syncMs > slowSyncMs) slow += 1;
    if (judged < judgedCommits) return;
    if (slow > judged / 2) startingThread = moveToThread();
    judged = 0;
    slow = 0;
  };

  /** The committer serves until the thread has opened the file as well. */
  const moveToThread = async () => {
    try {
      thread = await startCommitThread(file, {
        onPerformed: (result) => {
          const settled = working ?? [];
          working = undefined;
          // The next batch goes out first, so that the disk never waits for the callbacks.
          flush();
          settle(settled, result);
        },
        onChanged: () => changeListener(),
        onGone: fail,
      });
      stopPolling();
      committer?.close();
      committer = undefined;
    } catch {
      // Without another thread, for want of memory say, it goes on in this one.
    }
  };

  const perform = (operation: Operation): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      gathering.push(operation);
      gatheringFor.push({ resolve, reject });
      if (scheduled || working) return;
      // A read waits for no disk.
      if (!isWrite(operation)) return flush();
      scheduled = true;
      // After everything that this turn of the event loop reads, so that it goes out as one batch.
      setImmediate(flush);
    });

  function fail(error: StoreError): void {
    // A thread that never opened the file had nothing to answer.
    if (!thread) return;
    gone ??= error;
    for (const waiting of [...(working ?? []), ...gatheringFor]) waiting.reject(gone);
    working = undefined;
    gathering = [];
    gatheringFor = [];
  }

  const close = async () => {
    await startingThread;
    if (gone) return;
    if (!working) flush();
    if (thread) return thread.close();
    gone = new StoreError('the store is closed', 'closed');
    stopPolling();
    committer?.close();
  };

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
    close,
  };
}

function openCommitter(options: SqliteOptions): BatchCommitter {
  try {
    return new BatchCommitter(options);
  } catch (error) {
    throw new StoreError(`${options.path}: ${(error as Error).message}`, codeOf(error));
  }
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
