/**
 * The record in MySQL or MariaDB. One change is one transaction of prepared statements, read back before the commit and
 * once more after it; the well-known `set client_key='…' and api_key='…'` is a boolean expression and stores the wrong thing.
 */
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import mysql from 'mysql2/promise';
import type { Mapping } from './mapping.ts';
import { RegisterError } from './outcome.ts';
import { hasConsumer, isApplied, type RecordChange, type RegistrationRecord, sameRow } from './record.ts';

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

/** Every method throws RegisterError, and nothing else that a person could cause. */
export class DatabaseRecord {
  private constructor(
    /** The database's name for messages. */
    readonly place: string,
    readonly mapping: Mapping,
    private readonly options: ConnectionOptions,
    private connection: Connection,
    private readonly maxLengths: MaxLengths,
  ) {}

  /** @throws RegisterError where the database or its tables cannot be used. */
  static async open(options: ConnectionOptions, mapping: Mapping, place: string): Promise<DatabaseRecord> {
    const connection = await openConnection(options, place);
    try {
      const maxLengths = await guarded(place, () => checkTables(connection, mapping, place));
      return new DatabaseRecord(place, mapping, options, connection, maxLengths);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  read(): Promise<RegistrationRecord> {
    return guarded(this.place, () => readRecord(this.connection, this.mapping));
  }

  /** @throws RegisterError keyTooLong where a value would be cut, before anything is written. */
  checkFits({ after, addedConsumer }: RecordChange): void {
    const { register, consumers } = this.mapping;
    this.checkLength(register.table, register.clientKey, after.clientKey);
    this.checkLength(register.table, register.apiKey, after.apiKey);
    if (addedConsumer !== undefined)
      this.checkLength(consumers.table, consumers.nameService, addedConsumer.nameService);
  }

  private checkLength(table: string, column: string, value: string | null): void {
    const maxLength = this.maxLengths.get(lengthKey(table, column)) ?? null;
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

  /**
   * All of the change or nothing. Refuses when the record is no longer `before`; reads back what it wrote.
   * @throws RegisterError changedMeanwhile, writeFailed (nothing changed), outcomeUnknown, readBackDiffers.
   */
  async apply(change: RecordChange): Promise<void> {
    const lost = await writeInTransaction(this.connection, this.mapping, change);
    if (lost !== undefined) return this.settle(change, lost);
    const record = await this.read().catch((error: Error) => {
      throw new RegisterError('readBackDiffers', `written, but it could not be read back: ${error.message}`);
    });
    if (!isApplied(change, record))
      throw new RegisterError('readBackDiffers', 'written, but the record was changed since: check it');
  }

  /** After a COMMIT whose answer was lost: reads the record on a new connection, behind the row's lock. */
  private async settle(change: RecordChange, lost: unknown): Promise<void> {
    this.connection.destroy();
    let record: RegistrationRecord;
    try {
      this.connection = await openConnection(this.options, this.place);
      await this.connection.query('START TRANSACTION');
      record = await readRecord(this.connection, this.mapping, ' FOR UPDATE');
      await this.connection.rollback();
    } catch {
      throw new RegisterError(
        'outcomeUnknown',
        `the connection broke before the database confirmed (${reasonOf(lost)}). It may be written or not: run again to see`,
      );
    }
    if (isApplied(change, record)) return;
    throw sameRow(record.row, change.before)
      ? new RegisterError('writeFailed', `the connection broke and nothing was changed: ${reasonOf(lost)}`)
      : new RegisterError('outcomeUnknown', 'the connection broke, and the record was changed since');
  }

  close(): Promise<void> {
    return this.connection.end().catch(() => this.connection.destroy());
  }
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
    throw new RegisterError(
      'recordUnreachable',
      `${place} cannot be opened: ${reasonOf(error)}. Does it run, and are --host and --port, or --socket, --user and the password right?`,
    );
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
