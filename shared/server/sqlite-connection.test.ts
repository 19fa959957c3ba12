import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sql } from './sql.ts';
import { SqliteConnection } from './sqlite-connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'dialmark-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('leaves everything in the one file of the store when it is closed', () => {
  const [file, copy] = [join(folder, 'store.db'), join(folder, 'copy.db')];
  const store = new SqliteConnection(file);
  store.exec('CREATE TABLE word (text TEXT)');
  store.run(sql`INSERT INTO word VALUES (${'kept'})`);
  store.close();
  copyFileSync(file, copy);
  const copied = new SqliteConnection(copy);
  expect(copied.all(sql`SELECT text FROM word`)).toEqual([{ text: 'kept' }]);
  copied.close();
});
