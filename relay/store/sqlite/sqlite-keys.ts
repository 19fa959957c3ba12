import type { KeyOperations, StoredKey } from '../store.ts';
import type { Row, SqliteConnection } from './sqlite-connection.ts';

export class SqliteKeys implements KeyOperations {
  constructor(private readonly database: SqliteConnection) {}

  add(key: StoredKey): void {
    this.database.run(
      'INSERT INTO key VALUES (?, ?, ?, ?, ?, ?, ?, NULL)',
      key.id,
      key.kind,
      key.name,
      key.hash,
      JSON.stringify(key.origins),
      JSON.stringify(key.callers),
      key.createdAt,
    );
  }

  list(): StoredKey[] {
    return this.database.all('SELECT * FROM key ORDER BY created_at, id').map(toKey);
  }

  findByHash(hash: string): StoredKey | undefined {
    const row = this.database.get('SELECT * FROM key WHERE hash = ?', hash);
    return row && toKey(row);
  }

  revoke(id: string, at: string): boolean {
    return this.database.run('UPDATE key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id) > 0;
  }
}

function toKey(row: Row): StoredKey {
  return {
    id: String(row.id),
    kind: row.kind as StoredKey['kind'],
    name: String(row.name),
    hash: String(row.hash),
    origins: JSON.parse(String(row.origins)),
    callers: JSON.parse(String(row.callers)),
    createdAt: String(row.created_at),
    ...(row.revoked_at === null ? {} : { revokedAt: String(row.revoked_at) }),
  };
}
