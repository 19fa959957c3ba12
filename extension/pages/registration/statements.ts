/**
 * Section 4.2, steps 1 and 4, as SQL to paste, for the usual tables (docs/registration.md). Parameters
 * cannot be bound here, so every value is a literal that means the same under any sql_mode and character set.
 */

/** Maximum lengths of the usual columns, in characters. */
export const usualLengths = { client_key: 60, api_key: 72 } as const;

export const readStatement = 'SELECT uuid FROM itc_register;';

export const command = 'mysql --user=USER --password --database=DATABASE < registration.sql';

interface StatementValues {
  uuid: string;
  clientKey: string;
  apiKey: string;
}

/** All or nothing, and safe to run twice. Strict mode: a key that does not fit is an error, not cut. */
export function writeStatements({ uuid, clientKey, apiKey }: StatementValues): string {
  return [
    "SET SESSION sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'STRICT_ALL_TABLES');",
    'START TRANSACTION;',
    'UPDATE itc_register',
    `SET client_key = ${literal(clientKey)},`,
    `    api_key = ${literal(apiKey)},`,
    '    registered_itc = 1',
    `WHERE uuid = ${literal(uuid)};`,
    'INSERT INTO itc_consumers (id_distro, id_service, name_service)',
    "SELECT 1, 1, 'intercomunexao' FROM DUAL",
    'WHERE NOT EXISTS (SELECT * FROM itc_consumers WHERE id_distro = 1 AND id_service = 1);',
    'COMMIT;',
    'SELECT uuid, client_key, api_key, registered_itc FROM itc_register;',
    '',
  ].join('\n');
}

/** The meaning of a quoted backslash depends on sql_mode, that of letters beyond ASCII on the client's character set. */
function literal(value: string): string {
  if (/^[\x20-\x5b\x5d-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  const bytes = [...new TextEncoder().encode(value)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `CONVERT(0x${bytes.join('')} USING utf8mb4)`;
}
