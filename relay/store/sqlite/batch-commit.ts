/** The store's operations on one SQLite connection, synchronous and in batches. Each batch is one commit. */
import { sqliteErrorText } from '../../../shared/server/sqlite-error-text.ts';
import { type Operation, runOperation } from '../operations.ts';
import type { Operations, StoredEvent } from '../store.ts';
import { EventLog } from './event-log.ts';
import { RelayDatabase, type RelayDatabaseOptions } from './relay-database.ts';
import { SqliteCalls } from './sqlite-calls.ts';
import { SqliteForwards } from './sqlite-forwards.ts';
import { SqliteKeys } from './sqlite-keys.ts';
import { SqliteMaintenance } from './sqlite-maintenance.ts';
import { SqliteRules } from './sqlite-rules.ts';
import { SqliteSheets } from './sqlite-sheets.ts';

type CommitOutcome = { value: unknown } | { error: string; code: string };

export interface BatchResult {
  /** The outcome of each operation, in their order. */
  outcomes: CommitOutcome[];
  /** The events of the whole batch, after its commit. Before them are those that another process appended. */
  events: StoredEvent[];
  /** 0 where there was nothing to commit. */
  commitMs: number;
}

export class BatchCommitter {
  readonly epoch: string;
  private readonly database: RelayDatabase;
  private readonly log: EventLog;
  private readonly operations: Operations;

  constructor(options: RelayDatabaseOptions) {
    this.database = new RelayDatabase(options);
    this.epoch = this.database.meta('epoch')!;
    this.log = new EventLog(this.database);
    const rules = new SqliteRules(this.database);
    const sheets = new SqliteSheets(this.database);
    this.operations = {
      calls: new SqliteCalls(this.database, this.log, rules, sheets),
      keys: new SqliteKeys(this.database),
      forwards: new SqliteForwards(this.database),
      rules,
      sheets,
      maintenance: new SqliteMaintenance(this.database, this.log, sheets),
    };
  }

  /** If the commit fails, every operation of the batch fails. */
  perform(batch: readonly Operation[]): BatchResult {
    const run = () => batch.map((operation) => ({ value: runOperation(this.operations, operation) }));
    let missed: StoredEvent[] = [];
    try {
      this.database.checkFile();
      if (!batch.some(({ isWrite }) => isWrite)) {
        missed = this.log.catchUp();
        return { outcomes: run(), events: missed, commitMs: 0 };
      }
      const start = performance.now();
      const { result, events } = this.log.transaction(run);
      return { outcomes: result, events, commitMs: performance.now() - start };
    } catch (error) {
      const outcome = { error: sqliteErrorText(error), code: storeErrorCode(error) };
      return { outcomes: batch.map(() => outcome), events: missed, commitMs: 0 };
    }
  }

  /** Changes whenever another connection wrote. */
  dataVersion(): number {
    return this.database.dataVersion();
  }

  /** The events that another process appended, and that no batch has returned. */
  missedEvents(): StoredEvent[] {
    return this.log.catchUp();
  }

  close(): void {
    this.database.close();
  }
}

/** SQLite's name of the error where it is one of SQLite's, e.g. `SQLITE_FULL`. */
export function storeErrorCode(error: unknown): string {
  const { sqliteCodeName, code } = error as { sqliteCodeName?: string; code?: string };
  return String(sqliteCodeName ?? code ?? 'unknown');
}
