import type { KeyOperations, StoredKey } from '../store.ts';
import type { RelayDatabase } from './relay-database.ts';

type KeyRow = { data: string };
const toKey = ({ data }: KeyRow) => JSON.parse(data) as StoredKey;

export class SqliteKeys implements KeyOperations {
  constructor(private readonly database: RelayDatabase) {}

  add(key: StoredKey): void {
    this.database.run('INSERT INTO key VALUES (?, ?, ?)', key.id, key.hash, JSON.stringify(key));
  }

  list(): StoredKey[] {
    return this.database.all<KeyRow>("SELECT data FROM key ORDER BY data ->> 'createdAt', id").map(toKey);
  }

  findByHash(hash: string): StoredKey | undefined {
    const row = this.database.get<KeyRow>('SELECT data FROM key WHERE hash = ?', hash);
    return row && toKey(row);
  }

  revoke(id: string, at: string): boolean {
    const revoke = `UPDATE key SET data = json_set(data, '$.revokedAt', ?)
      WHERE id = ? AND data ->> 'revokedAt' IS NULL`;
    return this.database.run(revoke, at, id) > 0;
  }
}
