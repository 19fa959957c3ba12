/**
 * A connection to the relay's SQLite file: its settings, its schema, and the few values that belong to the
 * file itself.
 */
import { randomBytes } from 'node:crypto';
import { type Stats, statSync } from 'node:fs';
import { sql } from '../../../shared/server/sql.ts';
import { SqliteConnection } from '../../../shared/server/sqlite-connection.ts';
import { relayTables, schemaVersion } from './schema.ts';

export interface RelayDatabaseOptions {
  /** A file, or `:memory:`. */
  path: string;
  maxMegabytes?: number | undefined;
}

export class RelayDatabase extends SqliteConnection {
  /** The file as it was when it was opened. It is undefined for `:memory:`. */
  private readonly file: Stats | undefined;
  private isToBeRewritten = false;

  constructor(private readonly options: RelayDatabaseOptions) {
    const { path, maxMegabytes } = options;
    super(path);
    // secure_delete: what is forgotten is overwritten.
    // busy_timeout: another program may lock the file for a while. Only the store's thread waits.
    this.exec(`
      PRAGMA secure_delete = ON;
      PRAGMA busy_timeout = 15000;
      PRAGMA cache_size = -32768;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA wal_autocheckpoint = 4000;
    `);
    if (maxMegabytes !== undefined) {
      const { page_size } = this.get<{ page_size: number }>(sql`PRAGMA page_size`)!;
      this.exec(`PRAGMA max_page_count = ${Math.floor((maxMegabytes * 1024 * 1024) / page_size)}`);
    }
    this.createSchema();
    if (path !== ':memory:') this.file = statSync(path);
  }

  private createSchema(): void {
    const version = () => this.get<{ user_version: number }>(sql`PRAGMA user_version`)!.user_version;
    if (version() === 0)
      this.transaction(() => {
        // Read again inside the transaction: the command line may have started at the same moment.
        if (version() !== 0) return;
        this.exec(`${relayTables}; PRAGMA user_version = ${schemaVersion}`);
        this.setMeta('epoch', randomBytes(6).toString('hex'));
      });
    if (version() !== schemaVersion)
      throw new Error(
        `made by another version of the relay (schema ${version()}, expected ${schemaVersion})`,
      );
  }

  /**
   * Refuses to work on a file that is no longer at its path. SQLite would go on writing to the file that was moved or
   * deleted, and everything acknowledged would be lost at the next start.
   */
  checkFile(): void {
    if (!this.file) return;
    const found = statSync(this.options.path, { throwIfNoEntry: false });
    if (found?.ino === this.file.ino && found.dev === this.file.dev) return;
    const message = `${this.options.path} was replaced or deleted while the relay ran; start the relay again`;
    throw Object.assign(new Error(message), { code: 'REPLACED' });
  }

  meta(name: string): string | undefined {
    return this.get<{ value: string }>(sql`SELECT value FROM meta WHERE name = ${name}`)?.value;
  }

  setMeta(name: string, value: string): void {
    this.run(sql`INSERT OR REPLACE INTO meta VALUES (${name}, ${value})`);
  }

  /** Changes whenever another connection wrote. */
  dataVersion(): number {
    return this.get<{ data_version: number }>(sql`PRAGMA data_version`)!.data_version;
  }

  override transaction<T>(work: () => T): T {
    const result = super.transaction(work);
    if (this.isToBeRewritten) this.rewrite();
    this.isToBeRewritten = false;
    return result;
  }

  /** Rewrites the file after the current commit, so that a trace of deleted data does not remain. */
  rewriteAfterCommit(): void {
    this.isToBeRewritten = true;
  }
}
