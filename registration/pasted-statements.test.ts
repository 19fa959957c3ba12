/** The statements that the extension's page shows for pasting, run by a real MariaDB under the modes a PBX may have. */
import type { RowDataPacket } from 'mysql2/promise';
import mysql, { type Connection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pastedRegistration, readStatement } from '../shared/registration/statements.ts';
import { type MariaDb, startMariaDb } from './testing/mariadb.ts';

const uuid = '8f3e1c5a-0b7d-4a6e-9c2f-1d5b7a9e3c10';
const keys = { clientKey: `$2a$10$it's "quoted"; DROP TABLE x --`, apiKey: 'a\\b/$1$/ção\u{1F511}' };

let server: MariaDb;
let database: Connection;
beforeAll(async () => {
  server = await startMariaDb();
  database = await server.connect();
  await database.query('CREATE DATABASE pbx');
  await database.query('USE pbx');
});
afterAll(async () => {
  await database?.end();
  await server?.stop();
});
beforeEach(async () => {
  await database.query('DROP TABLE IF EXISTS itc_register, itc_consumers');
  await database.query(
    `CREATE TABLE itc_register (uuid varchar(36) PRIMARY KEY, client_key varchar(60) NOT NULL,
       api_key varchar(72) NOT NULL, registered_itc boolean) CHARACTER SET utf8mb4`,
  );
  await database.query(
    'CREATE TABLE itc_consumers (id_distro int, id_service int, name_service varchar(128))',
  );
  await database.execute("INSERT INTO itc_register VALUES (?, 'old', 'old', 0)", [uuid]);
});

/** As the `mysql` client does: stops at the first error, and leaves. */
async function paste(statements: string, sqlMode = '', charset = 'latin1'): Promise<void> {
  const connection = await mysql.createConnection({
    socketPath: server.socket,
    user: 'root',
    database: 'pbx',
    multipleStatements: true,
    charset,
  });
  try {
    await connection.query('SET SESSION sql_mode = ?', [sqlMode]);
    await connection.query(statements);
  } finally {
    await connection.end();
  }
}

async function stored() {
  const [register] = await database.query<RowDataPacket[]>('SELECT * FROM itc_register');
  const [consumers] = await database.query<RowDataPacket[]>('SELECT * FROM itc_consumers');
  return { register: register.map((row) => ({ ...row })), consumers: consumers.length };
}

describe('the pasted statements', () => {
  it.each(['', 'NO_BACKSLASH_ESCAPES', 'ANSI', 'TRADITIONAL'])(
    'store every character of the keys under sql_mode "%s", once when run twice',
    async (sqlMode) => {
      const expected = {
        register: [{ uuid, client_key: keys.clientKey, api_key: keys.apiKey, registered_itc: 1 }],
        consumers: 1,
      };
      await paste(pastedRegistration(uuid, keys), sqlMode);
      expect(await stored()).toEqual(expected);
      await paste(pastedRegistration(uuid, keys), sqlMode);
      expect(await stored()).toEqual(expected);
    },
  );

  it('store nothing where a key does not fit', async () => {
    const before = await stored();
    await expect(paste(pastedRegistration(uuid, { ...keys, apiKey: 'x'.repeat(73) }))).rejects.toThrow(
      /api_key/,
    );
    expect(await stored()).toEqual(before);
  });

  it('read the device UUID', async () => {
    const [rows] = await database.query<RowDataPacket[]>(readStatement);
    expect(rows).toEqual([{ uuid }]);
  });
});
