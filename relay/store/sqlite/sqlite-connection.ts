/** One synchronous SQLite connection: settings, schema, prepared statements and transactions. */
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { schema, schemaVersion } from './schema.ts';

type Database = InstanceType<typeof DatabaseSync>;
type Value = string | number | null;

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  path: string;
  maxMegabytes?: number | undefined;
}

/** For the command line beside the relay, or another relay's checkpoint. */
const busyTimeoutMs = 5000;
const pageSize = 4096;

export class SqliteConnection {
  private readonly database: Database;
  /** How long the newest COMMIT took, its sync to disk included. */
  syncMs = 0;
  private readonly statements = new Map<string, ReturnType<Database['prepare']>>();

  constructor({ path, maxMegabytes }: SqliteOptions) {
    this.database = new DatabaseSync(path, { timeout: busyTimeoutMs });
    // FULL: in WAL mode only this syncs at every commit (Law 2). secure_delete: what is forgotten is overwritten.
    this.database.exec(`
      PRAGMA page_size = ${pageSize};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -32768;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA wal_autocheckpoint = 4000;
    `);
    if (maxMegabytes !== undefined)
      this.database.exec(`PRAGMA max_page_count = ${Math.floor((maxMegabytes * 1024 * 1024) / pageSize)}`);
    this.createSchema();
  }

  private createSchema(): void {
    const version = () => this.get<{ user_version: number }>('PRAGMA user_version')!.user_version;
    if (version() === 0)
      this.transaction(() => {
        // Read again inside the transaction: the command line may have started at the same moment.
        if (version() !== 0) return;
        this.database.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
        this.setMeta('epoch', randomBytes(6).toString('hex'));
      });
    if (version() !== schemaVersion)
      throw new Error(
        `made by another version of the relay (schema ${version()}, expected ${schemaVersion})`,
      );
  }

  transaction<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      const start = performance.now();
      this.run('COMMIT');
      this.syncMs = performance.now() - start;
      return result;
    } catch (error) {
      // A full disk may have rolled back already; then there is nothing to undo.
      if (this.database.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /** `T`: the columns as the statement names them. */
  get<T>(sql: string, ...values: Value[]): T | undefined {
    return this.prepare(sql).get(...values) as T | undefined;
  }

  all<T>(sql: string, ...values: Value[]): T[] {
    return this.prepare(sql).all(...values) as T[];
  }

  /** @returns how many rows changed. */
  run(sql: string, ...values: Value[]): number {
    return this.prepare(sql).run(...values).changes;
  }

  meta(name: string): string | undefined {
    return this.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
  }

  setMeta(name: string, value: string): void {
    this.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', name, value);
  }

  /** Changes whenever another connection wrote. */
  dataVersion(): number {
    return this.get<{ data_version: number }>('PRAGMA data_version')!.data_version;
  }

  /** Removes what was deleted from the write-ahead log too. */
  checkpoint(): void {
    this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }

  private prepare(sql: string) {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}
