/**
 * The record in MySQL or MariaDB. One change is one transaction of prepared statements, read back before the commit and
 * once more after it; the well-known `set client_key='…' and api_key='…'` is a boolean expression and stores the wrong thing.
 */
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import mysql from 'mysql2/promise';
import type { Mapping } from './mapping.ts';
import { RegisterError } from './outcome.ts';
import {
  type Cell,
  type Consumer,
  isApplied,
  type RecordChange,
  type RecordStore,
  type RegisterRow,
  type RegistrationRecord,
  sameConsumer,
  sameRow,
} from './record.ts';

/** @param place how the database is called in messages and backups. */
export async function openDatabaseRecord(
  options: ConnectionOptions,
  mapping: Mapping,
  place: string,
): Promise<RecordStore> {
  const connect = () => openConnection(options, place);
  let connection = await connect();
  await checkTables(connection, mapping, place).catch((error) => {
    connection.destroy();
    throw error;
  });
  return {
    place,
    names: { ...mapping.register, consumers: mapping.consumers.table },
    read: () => guarded(place, () => readRecord(connection, mapping)),
    checkFits: (change) => guarded(place, () => checkFits(connection, mapping, change)),
    async apply(change) {
      const lost = await applyInTransaction(connection, mapping, change);
      if (lost === undefined) return;
      // COMMIT left and its answer did not come. Asking again on a new connection, behind the row's lock, settles it.
      connection.destroy();
      connection = await settle(connect, mapping, change, lost);
    },
    close: () => connection.end().catch(() => connection.destroy()),
  };
}

async function openConnection(options: ConnectionOptions, place: string): Promise<Connection> {
  try {
    const connection = await mysql.createConnection({
      connectTimeout: 10_000,
      charset: 'utf8mb4',
      supportBigNumbers: true,
      ...options,
    });
    // An event after the last query (server gone while a person reads) must not be an uncaught one: the next query says it.
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
  return [code, message].filter((part) => part !== undefined && part !== '').join(': ') || 'no reason given';
}

const quoted = (name: string): string => `\`${name}\``;

async function checkTables(connection: Connection, mapping: Mapping, place: string): Promise<void> {
  await guarded(place, async () => {
    for (const { table, ...columns } of [mapping.register, mapping.consumers]) {
      const [found] = await connection.execute<RowDataPacket[]>(
        `SELECT t.ENGINE AS engine, e.TRANSACTIONS AS transactions FROM information_schema.TABLES t
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
      const present = new Set((await columnsOf(connection, table)).keys());
      const missing = Object.values(columns).filter((column) => !present.has(column.toLowerCase()));
      if (missing.length > 0)
        throw new RegisterError(
          'missingColumn',
          `the table ${table} has no column ${missing.join(', ')}; name the right ones with --mapping`,
        );
    }
  });
}

/** Column, in lower case -> how many characters it holds; undefined where it does not hold text. */
async function columnsOf(connection: Connection, table: string): Promise<Map<string, number | undefined>> {
  const [columns] = await connection.execute<RowDataPacket[]>(
    `SELECT COLUMN_NAME AS name, CHARACTER_MAXIMUM_LENGTH AS length FROM information_schema.COLUMNS
     WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?`,
    [table],
  );
  return new Map(
    columns.map(({ name, length }) => [
      String(name).toLowerCase(),
      length === null ? undefined : Number(length),
    ]),
  );
}

async function checkFits(connection: Connection, mapping: Mapping, change: RecordChange): Promise<void> {
  const { register, consumers } = mapping;
  const values: [table: string, column: string, value: string | null][] = [
    [register.table, register.clientKey, change.after.clientKey],
    [register.table, register.apiKey, change.after.apiKey],
  ];
  if (change.consumer !== undefined)
    values.push([consumers.table, consumers.nameService, change.consumer.record.nameService]);
  for (const [table, column, value] of values) {
    const limit = (await columnsOf(connection, table)).get(column.toLowerCase());
    if (limit === undefined)
      throw new RegisterError('notText', `the column ${table}.${column} does not hold text; see --mapping`);
    // Columns count characters, not UTF-16 units.
    const length = [...(value ?? '')].length;
    if (length > limit)
      throw new RegisterError(
        'keyTooLong',
        `the value for ${table}.${column} has ${length} characters and the column holds ${limit}; nothing was written. ` +
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
  if (rows.length === 0)
    throw new RegisterError(
      'noRow',
      `the table ${register.table} is empty: open the PBX's own registration page once, it makes the record`,
    );
  if (rows.length > 1)
    throw new RegisterError(
      'severalRows',
      `the table ${register.table} has ${rows.length} rows, and only this device's may stand there: which one is right cannot be told. ` +
        `Devices: ${rows
          .slice(0, 5)
          .map((row) => row.uuid)
          .join(', ')}`,
    );
  const [found] = await connection.execute<RowDataPacket[]>(
    `SELECT ${quoted(consumers.idDistro)} AS idDistro, ${quoted(consumers.idService)} AS idService,
       ${quoted(consumers.nameService)} AS nameService
     FROM ${quoted(consumers.table)}${lock}`,
  );
  const row: RegisterRow = {
    uuid: textCell(rows[0]!.uuid) ?? '',
    clientKey: textCell(rows[0]!.clientKey),
    apiKey: textCell(rows[0]!.apiKey),
    registered: flagCell(rows[0]!.registered),
  };
  if (row.uuid.trim() === '')
    throw new RegisterError(
      'noUuid',
      `${register.table}.${register.uuid} is empty: the device has no UUID to log in with`,
    );
  return {
    row,
    consumers: found.map(
      (consumer): Consumer => ({
        idDistro: Number(consumer.idDistro),
        idService: Number(consumer.idService),
        nameService: textCell(consumer.nameService) ?? '',
      }),
    ),
  };
}

const textCell = (value: unknown): string | null =>
  value === null ? null : Buffer.isBuffer(value) ? value.toString('utf8') : String(value);

/** BIT(1) arrives as bytes. */
const flagCell = (value: unknown): Cell => (Buffer.isBuffer(value) ? (value[0] ?? null) : (value as Cell));

/** @returns the error of a COMMIT whose answer was lost; undefined when the change is written. */
async function applyInTransaction(
  connection: Connection,
  mapping: Mapping,
  change: RecordChange,
): Promise<unknown> {
  const { register, consumers } = mapping;
  const { before, after, consumer } = change;
  let consumersBefore = 0;
  try {
    await connection.query('START TRANSACTION');
    const locked = await readRecord(connection, mapping, ' FOR UPDATE');
    if (!sameRow(locked.row, before))
      throw new RegisterError(
        'changedMeanwhile',
        'the record was changed by someone else just now; run again',
      );
    if (consumer !== undefined) {
      consumersBefore = locked.consumers.filter((other) => sameConsumer(other, consumer.record)).length;
      if ((consumer.action === 'add') !== (consumersBefore === 0))
        throw new RegisterError(
          'changedMeanwhile',
          'the consumers were changed by someone else just now; run again',
        );
    }
    if (!sameRow(before, after)) {
      await connection.execute(
        `UPDATE ${quoted(register.table)} SET ${quoted(register.clientKey)} = ?, ${quoted(register.apiKey)} = ?,
           ${quoted(register.registered)} = ? WHERE ${quoted(register.uuid)} = ?`,
        [after.clientKey, after.apiKey, after.registered, before.uuid],
      );
    }
    if (consumer !== undefined) {
      const { idDistro, idService, nameService } = consumer.record;
      const columns = [consumers.idDistro, consumers.idService, consumers.nameService].map(quoted);
      await connection.execute(
        consumer.action === 'add'
          ? `INSERT INTO ${quoted(consumers.table)} (${columns.join(', ')}) VALUES (?, ?, ?)`
          : `DELETE FROM ${quoted(consumers.table)} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')} LIMIT 1`,
        [idDistro, idService, nameService],
      );
    }
    if (!isApplied(change, await readRecord(connection, mapping), consumersBefore))
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
  } catch (error) {
    // An answer of the server with an SQL state is a refusal to commit; anything else is no answer.
    if ((error as { sqlState?: string }).sqlState === undefined) return error;
    await connection.rollback().catch(() => connection.destroy());
    throw new RegisterError(
      'writeFailed',
      `the database refused to commit, nothing was changed: ${reasonOf(error)}`,
    );
  }
  const now = await readRecord(connection, mapping).catch((error) => {
    throw new RegisterError('readBackDiffers', `written, but it could not be read back: ${reasonOf(error)}`);
  });
  if (!isApplied(change, now, consumersBefore))
    throw new RegisterError(
      'readBackDiffers',
      'written, but someone else changed the record since: look at it',
    );
  return undefined;
}

/** @returns a live connection when the change turns out to be written. */
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
    const { row, consumers } = await readRecord(connection, mapping, ' FOR UPDATE');
    await connection.rollback();
    const { consumer } = change;
    const consumerIsThere =
      consumer !== undefined && consumers.some((other) => sameConsumer(other, consumer.record));
    const consumerIsDone = consumer === undefined || consumerIsThere === (consumer.action === 'add');
    if (sameRow(row, change.after) && consumerIsDone) return connection;
    if (sameRow(row, change.before))
      throw new RegisterError(
        'writeFailed',
        `the connection broke and nothing was changed: ${reasonOf(lost)}`,
      );
    throw new RegisterError(
      'outcomeUnknown',
      'the connection broke, and someone else changed the record since',
    );
  } catch (error) {
    connection?.destroy();
    if (error instanceof RegisterError && error.code !== 'recordUnreachable') throw error;
    throw new RegisterError(
      'outcomeUnknown',
      `the connection broke before the database confirmed (${reasonOf(lost)}). It may be written or not: run again to see`,
    );
  }
}
