import { sql } from '../../../shared/server/sql.ts';
import type { KeyOperations, StoredKey } from '../stored-key.ts';
import type { RelayDatabase } from './relay-database.ts';

type KeyRow = { data: string };
const toKey = ({ data }: KeyRow) => JSON.parse(data) as StoredKey;

export class SqliteKeys implements KeyOperations {
  constructor(private readonly database: RelayDatabase) {}

  add(key: StoredKey): void {
    this.database.run(sql`INSERT INTO key VALUES (${key.id}, ${key.hash}, ${JSON.stringify(key)})`);
  }

  list(): StoredKey[] {
    const listed = sql`SELECT data, key_use.at AS usedAt FROM key LEFT JOIN key_use ON key_use.id = key.id
      ORDER BY data ->> 'createdAt', key.id`;
    return this.database
      .all<KeyRow & { usedAt: string | null }>(listed)
      .map((row) => ({ ...toKey(row), ...(row.usedAt === null ? {} : { lastUsedAt: row.usedAt }) }));
  }

  findByHash(hash: string): StoredKey | undefined {
    const row = this.database.get<KeyRow>(sql`SELECT data FROM key WHERE hash = ${hash}`);
    return row && toKey(row);
  }

  revoke(id: string, at: string): boolean {
    const revoke = sql`UPDATE key SET data = json_set(data, '$.revokedAt', ${at})
      WHERE id = ${id} AND data ->> 'revokedAt' IS NULL`;
    return this.database.run(revoke) > 0;
  }

  expire(id: string, at: string): boolean {
    const end = sql`min(${at}, coalesce(data ->> 'expiresAt', ${at}))`;
    const expire = sql`UPDATE key SET data = json_set(data, '$.expiresAt', ${end})
      WHERE id = ${id} AND data ->> 'revokedAt' IS NULL`;
    return this.database.run(expire) > 0;
  }

  markUsed(uses: readonly { id: string; at: string }[]): void {
    for (const { id, at } of uses)
      this.database.run(sql`INSERT OR REPLACE INTO key_use VALUES (${id}, ${at})`);
  }
}
