import { copyFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { sql } from './sql.ts';
import { SqliteConnection } from './sqlite-connection.ts';

const folder = await temporaryFolder();
afterAll(() => folder.remove());

it('leaves everything in the one file of the store when it is closed', () => {
  const [file, copy] = [folder.file('store.db'), folder.file('copy.db')];
  const store = new SqliteConnection(file);
  store.exec('CREATE TABLE word (text TEXT)');
  store.run(sql`INSERT INTO word VALUES (${'kept'})`);
  store.close();
  copyFileSync(file, copy);
  const copied = new SqliteConnection(copy);
  expect(copied.all(sql`SELECT text FROM word`)).toEqual([{ text: 'kept' }]);
  copied.close();
});
