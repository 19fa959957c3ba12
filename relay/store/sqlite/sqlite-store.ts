/**
 * The store on a SQLite file. Operations gather into batches, each one commit (group commit without a timer). Batches run in the
 * serving thread while there is little to do and the disk syncs quickly, which spares every notification two changes of threads.
 * Where much gathers or syncs are slow they run in a thread of their own, so that neither stops the relay's loop: while it commits,
 * the next gathers. Each has a connection of its own, and only one is used at a time.
 */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Store, type StoredEvent, StoreError } from '../store.ts';
import { isWrite, methodsOf, type Operation } from '../store-operations.ts';
import { BatchCommitter, type BatchResult, codeOf } from './batch-commit.ts';
import { type CommitThread, startCommitThread } from './commit-thread.ts';
import { pollChanges } from './poll-changes.ts';
import type { RelayDatabaseOptions } from './relay-database.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

interface SqliteStoreOptions extends RelayDatabaseOptions {
  /** Called after each commit with its duration and the operations in it. */
  onCommit?: (durationMs: number, operations: number) => void;
  /** Where most syncs to disk take longer, batches run in a thread of their own. */
  slowSyncMs?: number;
}

/** Commits that are judged together, by most of them: one slow sync is no slow disk. */
const judgedCommits = 32;
/** A commit of so many operations shows that the serving thread has more to do than it can. */
const manyOperations = 8;
/** A loop that stops for longer at every commit would be felt by those who only read. */
const defaultSlowSyncMs = 4;

/** @throws StoreError where the file cannot be opened. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const path = resolve(options.path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  keepPrivate(path);
  const file = { path, maxMegabytes: options.maxMegabytes };
  const slowSyncMs = options.slowSyncMs ?? defaultSlowSyncMs;

  const committer = openCommitter(file);
  const { epoch } = committer;
  let thread: CommitThread | undefined;
  let startingThread: Promise<void> | undefined;
  let isThreadUsed = false;
  let judged = 0;
  let slow = 0;
  let large = 0;
  let single = 0;

  let gathering: Operation[] = [];
  let gatheringFor: Waiting[] = [];
  /** Those of the batch that the thread has. */
  let working: Waiting[] | undefined;
  let scheduled = false;
  let gone: StoreError | undefined;
  let eventListener: (events: readonly StoredEvent[]) => void = () => {};
  let changeListener: () => void = () => {};
  const stopPolling = pollChanges(committer, () => {
    if (!isThreadUsed) changeListener();
  });

  const flush = () => {
    scheduled = false;
    if (working || gathering.length === 0) return;
    const batch = gathering;
    const waiting = gatheringFor;
    gathering = [];
    gatheringFor = [];
    if (thread && isThreadUsed) {
      working = waiting;
      thread.perform(batch);
    } else settle(waiting, committer.perform(batch));
  };

  const settle = (settled: readonly Waiting[], { outcomes, events, commitMs, syncMs }: BatchResult) => {
    if (events.length > 0) eventListener(events);
    outcomes.forEach((outcome, index) => {
      if ('error' in outcome) settled[index]!.reject(new StoreError(outcome.error, outcome.code));
      else settled[index]!.resolve(outcome.value);
    });
    if (commitMs === 0) return;
    options.onCommit?.(commitMs, settled.length);
    judge(syncMs, settled.length);
  };

  const judge = (syncMs: number, operations: number) => {
    judged += 1;
    if (syncMs > slowSyncMs) slow += 1;
    if (operations >= manyOperations) large += 1;
    if (operations === 1) single += 1;
    if (judged < judgedCommits) return;
    const most = judged / 2;
    if (slow > most || large > most) switchThread(true);
    else if (single > most) switchThread(false);
    judged = slow = large = single = 0;
  };

  const switchThread = (wanted: boolean) => {
    if (wanted === isThreadUsed) return;
    if (wanted && !thread) {
      startingThread ??= startThread();
      return;
    }
    isThreadUsed = wanted;
    // What another process wrote between the two connections' looks.
    changeListener();
  };

  /** Without another thread, for want of memory say, all goes on in this one. */
  const startThread = async () => {
    try {
      thread = await startCommitThread(file, {
        onPerformed: (result) => {
          const settled = working ?? [];
          working = undefined;
          // The next batch goes out first, so that the disk never waits for the callbacks; one for this thread comes after them.
          if (isThreadUsed) flush();
          settle(settled, result);
          if (!working) flush();
        },
        onChanged: () => {
          if (isThreadUsed) changeListener();
        },
        onGone: fail,
      });
      switchThread(true);
    } catch {}
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
    stopPolling();
    if (!thread) gone = new StoreError('the store is closed', 'closed');
    await thread?.close();
    committer.close();
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

function openCommitter(options: RelayDatabaseOptions): BatchCommitter {
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
