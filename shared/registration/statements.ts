/** The SQL of a registration. The command binds the values; the page and the backup write them into the text. */
import { type Consumer, type DeviceRow, type RecordNames, usualConsumer, usualNames } from './record.ts';

type SqlValue = string | number | null;
export interface Statement {
  /** The statement, with `?` for each value. */
  sql: string;
  values: readonly SqlValue[];
}

/** The names were checked, so they do not need an escape of their own. */
const quoted = (name: string): string => (Object.hasOwn(usualNames, name) ? name : `\`${name}\``);

export function quotedNames(names: RecordNames): RecordNames {
  return Object.fromEntries(
    Object.entries(names).map(([ours, theirs]) => [ours, quoted(theirs)]),
  ) as RecordNames;
}

/** Step 1. */
export const readStatement = `SELECT uuid FROM ${usualNames.itc_register};`;

/** Some instructions have `set client_key='…' and api_key='…'`, which is one boolean expression. A comma is right. */
export function updateRow(names: RecordNames, row: DeviceRow): Statement {
  const { itc_register, uuid, client_key, api_key, registered_itc } = quotedNames(names);
  return {
    sql: `UPDATE ${itc_register}
SET ${client_key} = ?,
    ${api_key} = ?,
    ${registered_itc} = ?
WHERE ${uuid} = ?`,
    values: [row.client_key, row.api_key, row.registered_itc, row.uuid],
  };
}

/** Adds nothing where a consumer with these ids exists. */
export function addConsumer(names: RecordNames, consumer: Consumer): Statement {
  const { itc_consumers, id_distro, id_service, name_service } = quotedNames(names);
  const ids = [consumer.id_distro, consumer.id_service];
  return {
    sql: `INSERT INTO ${itc_consumers} (${id_distro}, ${id_service}, ${name_service})
SELECT ?, ?, ? FROM DUAL
WHERE NOT EXISTS (SELECT * FROM ${itc_consumers} WHERE ${id_distro} = ? AND ${id_service} = ?)`,
    values: [...ids, consumer.name_service, ...ids],
  };
}

export function removeConsumer(names: RecordNames, consumer: Consumer): Statement {
  const { itc_consumers, id_distro, id_service, name_service } = quotedNames(names);
  return {
    sql: `DELETE FROM ${itc_consumers}
WHERE ${id_distro} = ? AND ${id_service} = ? AND ${name_service} = ? LIMIT 1`,
    values: [consumer.id_distro, consumer.id_service, consumer.name_service],
  };
}

/** Makes a value that does not fit its column an error. Without strict mode the database cuts it and only warns. */
export const strictMode =
  "SET SESSION sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'STRICT_ALL_TABLES')";

/** @returns text for the `mysql` client. It stops at the first error, and then no change is kept. */
export function asTransaction(statements: readonly Statement[]): string {
  return [strictMode, 'START TRANSACTION', ...statements.map(inline), 'COMMIT']
    .map((statement) => `${statement};\n`)
    .join('');
}

/** Step 4 as text to paste, for the usual tables. It can be run twice. */
export function pastedRegistration(uuid: string, keys: { clientKey: string; apiKey: string }): string {
  const row = { uuid, client_key: keys.clientKey, api_key: keys.apiKey, registered_itc: 1 };
  const written = [updateRow(usualNames, row), addConsumer(usualNames, usualConsumer)];
  return `${asTransaction(written)}SELECT uuid, client_key, api_key, registered_itc FROM itc_register;\n`;
}

function inline({ sql, values }: Statement): string {
  const left = [...values];
  return sql.replaceAll('?', () => literal(left.shift() ?? null));
}

/**
 * Text with the same value under any sql_mode and character set. A quoted backslash and letters beyond ASCII would
 * depend on them.
 */
function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (/^[\x20-\x5b\x5d-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  const bytes = [...new TextEncoder().encode(value)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `CONVERT(0x${bytes.join('')} USING utf8mb4)`;
}
