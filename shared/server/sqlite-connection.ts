/**
 * One synchronous SQLite connection: prepared statements and transactions. What it has committed is on disk
 * (Law 2).
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { type Sql, sql } from './sql.ts';

type Database = InstanceType<typeof DatabaseSync>;

/** How long to wait for another process on the same file: the command line beside a server, or a checkpoint. */
const busyTimeoutMs = 5000;

/** Whether SQLite failed: a full, locked or broken store, or one that is closed. */
export function isStoreFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ERR_SQLITE_ERROR' || code === 'ERR_INVALID_STATE';
}

export class SqliteConnection {
  /** How long the newest COMMIT took, its sync to disk included. */
  syncMs = 0;
  private readonly database: Database;
  private readonly statements = new Map<string, ReturnType<Database['prepare']>>();

  /** @param path of a file, or `:memory:`. */
  constructor(path: string) {
    this.database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    // FULL: in WAL mode only this syncs at every commit.
    this.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  }

  /** Runs statements that are not kept prepared. */
  exec(statements: string): void {
    this.database.exec(statements);
  }

  transaction<T>(work: () => T): T {
    this.run(sql`BEGIN IMMEDIATE`);
    try {
      const result = work();
      const start = performance.now();
      this.run(sql`COMMIT`);
      this.syncMs = performance.now() - start;
      return result;
    } catch (error) {
      // A full disk may have rolled back already; then there is nothing to undo.
      if (this.database.isTransaction) this.run(sql`ROLLBACK`);
      throw error;
    }
  }

  /** `T`: the columns as the statement names them. */
  get<T>({ text, values }: Sql): T | undefined {
    return this.prepare(text).get(...values) as T | undefined;
  }

  all<T>({ text, values }: Sql): T[] {
    return this.prepare(text).all(...values) as T[];
  }

  /** @returns how many rows changed. */
  run({ text, values }: Sql): number {
    return this.prepare(text).run(...values).changes;
  }

  /**
   * Rewrites the file and empties its log. SQLite moves rows between pages, and leaves copies there that not even
   * `secure_delete` overwrites. Other connections cannot write meanwhile.
   */
  rewrite(): void {
    this.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** A prepared statement keeps SQLite from writing its log back at the close, so the log is written back here. */
  close(): void {
    try {
      this.exec('PRAGMA wal_checkpoint');
    } catch {
      // A full or broken disk: the next start reads the log.
    }
    this.statements.clear();
    this.database.close();
  }

  private prepare(text: string) {
    let statement = this.statements.get(text);
    if (!statement) {
      statement = this.database.prepare(text);
      this.statements.set(text, statement);
    }
    return statement;
  }
}
