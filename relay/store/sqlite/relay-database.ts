/** A connection to the relay's SQLite file: its settings, its schema, and the few values that belong to the file itself. */
import { randomBytes } from 'node:crypto';
import { SqliteConnection } from '../../../shared/server/sqlite-connection.ts';
import { schema, schemaVersion } from './schema.ts';

export interface RelayDatabaseOptions {
  /** A file, or `:memory:`. */
  path: string;
  maxMegabytes?: number | undefined;
}

export class RelayDatabase extends SqliteConnection {
  constructor({ path, maxMegabytes }: RelayDatabaseOptions) {
    super(path);
    // secure_delete: what is forgotten is overwritten.
    this.exec(`
      PRAGMA secure_delete = ON;
      PRAGMA cache_size = -32768;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA wal_autocheckpoint = 4000;
    `);
    if (maxMegabytes !== undefined) {
      const { page_size } = this.get<{ page_size: number }>('PRAGMA page_size')!;
      this.exec(`PRAGMA max_page_count = ${Math.floor((maxMegabytes * 1024 * 1024) / page_size)}`);
    }
    this.createSchema();
  }

  private createSchema(): void {
    const version = () => this.get<{ user_version: number }>('PRAGMA user_version')!.user_version;
    if (version() === 0)
      this.transaction(() => {
        // Read again inside the transaction: the command line may have started at the same moment.
        if (version() !== 0) return;
        this.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
        this.setMeta('epoch', randomBytes(6).toString('hex'));
      });
    if (version() !== schemaVersion)
      throw new Error(
        `made by another version of the relay (schema ${version()}, expected ${schemaVersion})`,
      );
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
    this.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
}
