/** The database of a PBX that is not registered yet, on a MariaDB of a test. */
import type { Connection } from 'mysql2/promise';

const tables = [
  'CREATE DATABASE pbx',
  'USE pbx',
  'CREATE TABLE itc_register (uuid varchar(36), client_key varchar(60), api_key varchar(72), registered_itc boolean)',
  "INSERT INTO itc_register VALUES ('8f3e1c5a-0b7d-4a6e-9c2f-1d5b7a9e3c10', '', '', 0)",
  'CREATE TABLE itc_consumers (id_distro int, id_service int, name_service varchar(128))',
];

/** @param more statements to execute at the end. */
export async function createPbxDatabase(database: Connection, more: readonly string[] = []): Promise<void> {
  for (const statement of [...tables, ...more]) await database.query(statement);
}
