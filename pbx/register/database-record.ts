/**
 * The record in MySQL or MariaDB. One change is one transaction of prepared statements, read back before the commit and
 * once more after it; the well-known `set client_key='…' and api_key='…'` is a boolean expression and stores the wrong thing.
 */
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import mysql from 'mysql2/promise';
import type { Mapping } from './mapping.ts';
import { RegisterError } from './outcome.ts';
import { hasConsumer, isApplied, type RecordChange, type RegistrationRecord, sameRow } from './record.ts';

/** Every method throws RegisterError, and nothing else that a person could cause. */
export interface DatabaseRecord {
  /** The database's name for messages. */
  readonly place: string;
  readonly mapping: Mapping;
  read(): Promise<RegistrationRecord>;
  /** @throws RegisterError keyTooLong where a value would be cut, before anything is written. */
  checkFits(change: RecordChange): void;
  /**
   * All of the change or nothing. Refuses when the record is no longer `before`; reads back what it wrote.
   * @throws RegisterError changedMeanwhile, writeFailed (nothing changed), outcomeUnknown, readBackDiffers.
   */
  apply(change: RecordChange): Promise<void>;
  close(): Promise<void>;
}

/** Mapped names are checked to need no escape of their own. */
const quoted = (name: string): string => `\`${name}\``;

export const updateRowSql = ({ register }: Mapping): string =>
  `UPDATE ${quoted(register.table)} SET ${quoted(register.clientKey)} = ?, ${quoted(register.apiKey)} = ?,
     ${quoted(register.registered)} = ? WHERE ${quoted(register.uuid)} = ?`;

const consumerColumns = ({ consumers }: Mapping): string[] =>
  [consumers.idDistro, consumers.idService, consumers.nameService].map(quoted);

const insertConsumerSql = (mapping: Mapping): string =>
  `INSERT INTO ${quoted(mapping.consumers.table)} (${consumerColumns(mapping).join(', ')}) VALUES (?, ?, ?)`;

export const deleteConsumerSql = (mapping: Mapping): string =>
  `DELETE FROM ${quoted(mapping.consumers.table)}
     WHERE ${consumerColumns(mapping).join(' = ? AND ')} = ? LIMIT 1`;

/** @param place the database's name in messages. @throws RegisterError where it or its tables cannot be used. */
export async function openDatabaseRecord(
  options: ConnectionOptions,
  mapping: Mapping,
  place: string,
): Promise<DatabaseRecord> {
  let connection = await openConnection(options, place);
  const read = () => guarded(place, () => readRecord(connection, mapping));
  const maxLengths = await guarded(place, () => checkTables(connection, mapping, place)).catch((error) => {
    connection.destroy();
    throw error;
  });
  return {
    place,
    mapping,
    read,
    checkFits: (change) => checkFits(maxLengths, mapping, change),
    async apply(change) {
      const lost = await writeInTransaction(connection, mapping, change);
      if (lost === undefined) {
        if (isApplied(change, await read().catch(notReadBack))) return;
        throw new RegisterError(
          'readBackDiffers',
          'written, but something else changed the record since: check it',
        );
      }
      connection.destroy();
      connection = await settle(() => openConnection(options, place), mapping, change, lost);
    },
    close: () => connection.end().catch(() => connection.destroy()),
  };
}

function notReadBack(error: Error): never {
  throw new RegisterError('readBackDiffers', `written, but it could not be read back: ${error.message}`);
}

async function openConnection(options: ConnectionOptions, place: string): Promise<Connection> {
  try {
    const connection = await mysql.createConnection({
      connectTimeout: 10_000,
      charset: 'utf8mb4',
      supportBigNumbers: true,
      ...options,
    });
    // A connection lost between two queries (while a person reads) must not throw by itself: the next query reports it.
    connection.on('error', () => {});
    // A value that does not fit is an error, never cut, whatever the server's default; and no wait without an end.
    await connection.query(
      `SET SESSION sql_mode = CONCAT_WS(',', NULLIF(@@sql_mode, ''), 'STRICT_ALL_TABLES'), autocommit = 1, innodb_lock_wait_timeout = 10`,
    );
    return connection;
  } catch (error) {
    throw new RegisterError('recordUnreachable', `${place} cannot be opened: ${reasonOf(error)}`);
  }
}

async function guarded<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RegisterError) throw error;
    throw new RegisterError('recordUnreachable', `${place} cannot be read: ${reasonOf(error)}`);
  }
}

/** mysql2's messages name user, host and statement, and no value. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return [code, message].filter(Boolean).join(': ') || 'no reason given';
}

/** `table.column`, in lower case -> how many characters it holds; null where it does not hold text. */
type MaxLengths = Map<string, number | null>;
const lengthKey = (table: string, column: string): string => `${table}.${column}`.toLowerCase();

async function checkTables(connection: Connection, mapping: Mapping, place: string): Promise<MaxLengths> {
  const maxLengths: MaxLengths = new Map();
  for (const { table, ...columns } of [mapping.register, mapping.consumers]) {
    const [found] = await connection.execute<RowDataPacket[]>(
      `SELECT t.ENGINE AS engine, e.TRANSACTIONS AS transactions, c.COLUMN_NAME AS name,
         c.CHARACTER_MAXIMUM_LENGTH AS maxLength
       FROM information_schema.TABLES t JOIN information_schema.COLUMNS c USING (TABLE_SCHEMA, TABLE_NAME)
       LEFT JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
       WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME = ?`,
      [table],
    );
    if (found.length === 0)
      throw new RegisterError(
        'missingTable',
        `there is no table ${table} in ${place} that this user may see; name the right one with --mapping`,
      );
    if (found[0]!.transactions !== 'YES')
      throw new RegisterError(
        'notTransactional',
        `the table ${table} (engine ${found[0]!.engine ?? 'none'}) cannot be written in a transaction; convert it first: ALTER TABLE ${table} ENGINE=InnoDB`,
      );
    for (const { name, maxLength } of found)
      maxLengths.set(lengthKey(table, name), maxLength === null ? null : Number(maxLength));
    const missing = Object.values(columns).filter((column) => !maxLengths.has(lengthKey(table, column)));
    if (missing.length > 0)
      throw new RegisterError(
        'missingColumn',
        `the table ${table} has no column ${missing.join(', ')}; name the right ones with --mapping`,
      );
  }
  return maxLengths;
}

function checkFits(maxLengths: MaxLengths, { register, consumers }: Mapping, change: RecordChange): void {
  const values: [table: string, column: string, value: string | null][] = [
    [register.table, register.clientKey, change.after.clientKey],
    [register.table, register.apiKey, change.after.apiKey],
  ];
  if (change.addedConsumer !== undefined)
    values.push([consumers.table, consumers.nameService, change.addedConsumer.nameService]);
  for (const [table, column, value] of values) {
    const maxLength = maxLengths.get(lengthKey(table, column)) ?? null;
    if (maxLength === null)
      throw new RegisterError('notText', `the column ${table}.${column} does not hold text; see --mapping`);
    // Columns count characters, not UTF-16 units.
    const length = [...(value ?? '')].length;
    if (length > maxLength)
      throw new RegisterError(
        'keyTooLong',
        `the value for ${table}.${column} has ${length} characters and the column holds ${maxLength}; nothing was written. ` +
          `Widen the column first (ALTER TABLE ${table} MODIFY ${column} …, with its other attributes as they are)`,
      );
  }
}

async function readRecord(
  connection: Connection,
  mapping: Mapping,
  lock: '' | ' FOR UPDATE' = '',
): Promise<RegistrationRecord> {
  const { register, consumers } = mapping;
  const [rows] = await connection.execute<RowDataPacket[]>(
    `SELECT ${quoted(register.uuid)} AS uuid, ${quoted(register.clientKey)} AS clientKey,
       ${quoted(register.apiKey)} AS apiKey, ${quoted(register.registered)} AS registered
     FROM ${quoted(register.table)}${lock}`,
  );
  const [row] = rows;
  if (row === undefined)
    throw new RegisterError(
      'noRow',
      `the table ${register.table} is empty: open the PBX's own registration page once, it makes the record`,
    );
  if (rows.length > 1)
    throw new RegisterError(
      'severalRows',
      `the table ${register.table} has ${rows.length} rows where only this device's is expected. Devices: ` +
        rows
          .slice(0, 5)
          .map(({ uuid }) => uuid)
          .join(', '),
    );
  const uuid = readText(row.uuid) ?? '';
  if (uuid.trim() === '')
    throw new RegisterError(
      'noUuid',
      `${register.table}.${register.uuid} is empty: the device has no UUID to log in with`,
    );
  const [found] = await connection.execute<RowDataPacket[]>(
    `SELECT ${consumerColumns(mapping).join(', ')} FROM ${quoted(consumers.table)}${lock}`,
  );
  return {
    row: {
      uuid,
      clientKey: readText(row.clientKey),
      apiKey: readText(row.apiKey),
      // BIT(1) arrives as bytes.
      registered: Buffer.isBuffer(row.registered) ? (row.registered[0] ?? null) : row.registered,
    },
    consumers: found.map((consumer) => ({
      idDistro: Number(consumer[consumers.idDistro]),
      idService: Number(consumer[consumers.idService]),
      nameService: readText(consumer[consumers.nameService]) ?? '',
    })),
  };
}

const readText = (value: unknown): string | null =>
  value === null ? null : Buffer.isBuffer(value) ? value.toString('utf8') : String(value);

/** @returns the error of a COMMIT whose answer was lost; undefined when the change is committed. */
async function writeInTransaction(
  connection: Connection,
  mapping: Mapping,
  change: RecordChange,
): Promise<unknown> {
  const { before, after, addedConsumer } = change;
  try {
    await connection.query('START TRANSACTION');
    const locked = await readRecord(connection, mapping, ' FOR UPDATE');
    if (!sameRow(locked.row, before) || (addedConsumer !== undefined && hasConsumer(locked, addedConsumer)))
      throw new RegisterError('changedMeanwhile', 'the record was changed just now; run again');
    if (!sameRow(before, after))
      await connection.execute(updateRowSql(mapping), [
        after.clientKey,
        after.apiKey,
        after.registered,
        before.uuid,
      ]);
    if (addedConsumer !== undefined) {
      const { idDistro, idService, nameService } = addedConsumer;
      await connection.execute(insertConsumerSql(mapping), [idDistro, idService, nameService]);
    }
    if (!isApplied(change, await readRecord(connection, mapping)))
      throw new RegisterError(
        'writeFailed',
        'the database gives back something else than what was written to it (a trigger, or a character set that lacks a character); rolled back, nothing was changed',
      );
  } catch (error) {
    // A lost connection rolls back by itself: the server drops what was not committed.
    await connection.rollback().catch(() => connection.destroy());
    if (error instanceof RegisterError) throw error;
    throw new RegisterError('writeFailed', `writing failed, nothing was changed: ${reasonOf(error)}`);
  }
  try {
    await connection.commit();
    return undefined;
  } catch (error) {
    // An answer of the server with an SQL state is a refusal to commit; anything else is no answer.
    if ((error as { sqlState?: string }).sqlState === undefined) return error;
    await connection.rollback().catch(() => connection.destroy());
    throw new RegisterError(
      'writeFailed',
      `the database refused to commit, nothing was changed: ${reasonOf(error)}`,
    );
  }
}

/**
 * After a COMMIT whose answer was lost: reads the record on a new connection, behind the row's lock.
 * @returns that connection when the change turns out to be written.
 */
async function settle(
  connect: () => Promise<Connection>,
  mapping: Mapping,
  change: RecordChange,
  lost: unknown,
): Promise<Connection> {
  let connection: Connection | undefined;
  try {
    connection = await connect();
    await connection.query('START TRANSACTION');
    const record = await readRecord(connection, mapping, ' FOR UPDATE');
    await connection.rollback();
    if (isApplied(change, record)) return connection;
    throw sameRow(record.row, change.before)
      ? new RegisterError('writeFailed', `the connection broke and nothing was changed: ${reasonOf(lost)}`)
      : new RegisterError('outcomeUnknown', 'the connection broke, and the record was changed since');
  } catch (error) {
    connection?.destroy();
    if (error instanceof RegisterError && error.code !== 'recordUnreachable') throw error;
    throw new RegisterError(
      'outcomeUnknown',
      `the connection broke before the database confirmed (${reasonOf(lost)}). It may be written or not: run again to see`,
    );
  }
}
