/**
 * The registration record in MySQL or MariaDB. Each change is one transaction of prepared statements. The written
 * record is read back and compared, before and after the commit.
 */
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2/promise';
import mysql from 'mysql2/promise';
import {
  type Consumer,
  hasConsumer,
  isApplied,
  isSameRow,
  type RecordChange,
  type RecordNames,
  type RegistrationRecord,
} from '../shared/registration/record.ts';
import { RegistrationError } from '../shared/registration/registration-error.ts';
import {
  addConsumer,
  quotedNames,
  type Statement,
  strictMode,
  updateRow,
} from '../shared/registration/statements.ts';

/** Every method throws RegistrationError for all errors that a person can cause. */
export class DatabaseRecord {
  private constructor(
    /** The database's name in messages. */
    readonly place: string,
    readonly names: RecordNames,
    private readonly options: ConnectionOptions,
    private connection: Connection,
    private readonly maxLengths: MaxLengths,
  ) {}

  /** @throws RegistrationError if the database or its tables cannot be used. */
  static async open(options: ConnectionOptions, names: RecordNames, place: string): Promise<DatabaseRecord> {
    const connection = await openConnection(options, place);
    try {
      const maxLengths = await withReason(place, checkTables(connection, names, place));
      return new DatabaseRecord(place, names, options, connection, maxLengths);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  read(): Promise<RegistrationRecord> {
    return withReason(this.place, readRecord(this.connection, this.names));
  }

  /** Checks the lengths before anything is written. @throws RegistrationError if the database would cut a value. */
  checkFits({ after, addedConsumer }: RecordChange): void {
    const { itc_register, client_key, api_key, itc_consumers, name_service } = this.names;
    this.checkLength(itc_register, client_key, after.client_key);
    this.checkLength(itc_register, api_key, after.api_key);
    if (addedConsumer !== undefined)
      this.checkLength(itc_consumers, name_service, addedConsumer.name_service);
  }

  private checkLength(table: string, column: string, value: string | null): void {
    const maxLength = this.maxLengths.get(columnKey(table, column)) ?? null;
    if (maxLength === null)
      throw new RegistrationError(`the column ${table}.${column} does not hold text; see --name`);
    // A column's length counts characters, not UTF-16 units.
    const length = [...(value ?? '')].length;
    if (length > maxLength)
      throw new RegistrationError(
        `the value for ${table}.${column} has ${length} characters and the column holds ${maxLength}; ` +
          'nothing was written. ' +
          `Widen the column first (ALTER TABLE ${table} MODIFY ${column} …, with its other attributes as they are)`,
      );
  }

  /**
   * Writes the whole change or nothing. It writes only if the record is still `before`. Then it reads the record again.
   */
  async apply(change: RecordChange): Promise<void> {
    const lost = await writeInTransaction(this.connection, this.names, change);
    if (lost !== undefined) return this.settle(change, lost);
    const record = await this.read().catch((error: Error) => {
      throw new RegistrationError(`written, but it could not be read back: ${error.message}`, true);
    });
    if (!isApplied(change, record))
      throw new RegistrationError('written, but the record was changed since: check it', true);
  }

  /** Used after a COMMIT without a reply. Reads the record on a new connection, and waits for the row's lock. */
  private async settle(change: RecordChange, lost: unknown): Promise<void> {
    this.connection.destroy();
    let record: RegistrationRecord;
    try {
      this.connection = await openConnection(this.options, this.place);
      await this.connection.query('START TRANSACTION');
      record = await readRecord(this.connection, this.names, ' FOR UPDATE');
      await this.connection.rollback();
    } catch {
      throw new RegistrationError(
        `the connection broke before the database confirmed (${reasonOf(lost)}). ` +
          'It may be written or not: run again to see',
        true,
      );
    }
    if (isApplied(change, record)) return;
    if (isSameRow(record.row, change.before))
      throw new RegistrationError(`the connection broke and nothing was changed: ${reasonOf(lost)}`);
    throw new RegistrationError('the connection broke, and the record was changed since: check it', true);
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
    // The connection may break while a person reads. The next query reports it.
    connection.on('error', () => {});
    await connection.query(`${strictMode}, autocommit = 1, innodb_lock_wait_timeout = 10`);
    return connection;
  } catch (error) {
    throw new RegistrationError(
      `${place} cannot be opened: ${reasonOf(error)}. ` +
        'Does it run, and are --host and --port, or --socket, --user and the password right?',
    );
  }
}

async function withReason<T>(place: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    if (error instanceof RegistrationError) throw error;
    throw new RegistrationError(`${place} cannot be read: ${reasonOf(error)}`);
  });
}

/** mysql2's messages name user, host and statement, and never a value. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return [code, message].filter(Boolean).join(': ') || 'no reason given';
}

/** `table.column` in lower case -> the most characters that it holds; null if it does not hold text. */
type MaxLengths = Map<string, number | null>;
const columnKey = (table: string, column: string): string => `${table}.${column}`.toLowerCase();

async function checkTables(connection: Connection, names: RecordNames, place: string): Promise<MaxLengths> {
  const { itc_register, itc_consumers, id_distro, id_service, name_service, ...ofRegister } = names;
  const maxLengths: MaxLengths = new Map();
  for (const [table, columns] of [
    [itc_register, Object.values(ofRegister)],
    [itc_consumers, [id_distro, id_service, name_service]],
  ] as const) {
    const [found] = await connection.execute<RowDataPacket[]>(
      `SELECT t.ENGINE AS engine, e.TRANSACTIONS AS transactions, c.COLUMN_NAME AS name,
         c.CHARACTER_MAXIMUM_LENGTH AS maxLength
       FROM information_schema.TABLES t JOIN information_schema.COLUMNS c USING (TABLE_SCHEMA, TABLE_NAME)
       LEFT JOIN information_schema.ENGINES e ON e.ENGINE = t.ENGINE
       WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_NAME = ?`,
      [table],
    );
    if (found.length === 0)
      throw new RegistrationError(
        `there is no table ${table} in ${place} that this user may see; name the right one with --name`,
      );
    if (found[0]!.transactions !== 'YES')
      throw new RegistrationError(
        `the table ${table} (engine ${found[0]!.engine ?? 'none'}) cannot be written in a transaction; ` +
          `convert it first: ALTER TABLE ${table} ENGINE=InnoDB`,
      );
    for (const { name, maxLength } of found)
      maxLengths.set(columnKey(table, name), maxLength === null ? null : Number(maxLength));
    const missing = columns.filter((column) => !maxLengths.has(columnKey(table, column)));
    if (missing.length > 0)
      throw new RegistrationError(
        `the table ${table} has no column ${missing.join(', ')}; name the right ones with --name`,
      );
  }
  return maxLengths;
}

async function readRecord(
  connection: Connection,
  names: RecordNames,
  lock: '' | ' FOR UPDATE' = '',
): Promise<RegistrationRecord> {
  const column = quotedNames(names);
  const [rows] = await connection.execute<RowDataPacket[]>(
    `SELECT ${column.uuid} AS uuid, ${column.client_key} AS client_key, ${column.api_key} AS api_key,
       ${column.registered_itc} AS registered_itc
     FROM ${column.itc_register}${lock}`,
  );
  const [row] = rows;
  if (row === undefined)
    throw new RegistrationError(
      `the table ${names.itc_register} is empty: open the PBX's own registration page once, it makes the record`,
    );
  if (rows.length > 1)
    throw new RegistrationError(
      `the table ${names.itc_register} has ${rows.length} rows where only this device's is expected. Devices: ` +
        rows
          .slice(0, 5)
          .map(({ uuid }) => uuid)
          .join(', '),
    );
  const uuid = textOrNull(row.uuid) ?? '';
  if (uuid.trim() === '')
    throw new RegistrationError(
      `${names.itc_register}.${names.uuid} is empty: the device has no UUID to log in with`,
    );
  const [consumers] = await connection.execute<(RowDataPacket & Consumer)[]>(
    `SELECT ${column.id_distro} AS id_distro, ${column.id_service} AS id_service, ${column.name_service} AS name_service
     FROM ${column.itc_consumers}${lock}`,
  );
  return {
    row: {
      uuid,
      client_key: textOrNull(row.client_key),
      api_key: textOrNull(row.api_key),
      // A BIT(1) value arrives as bytes.
      registered_itc: Buffer.isBuffer(row.registered_itc)
        ? (row.registered_itc[0] ?? null)
        : row.registered_itc,
    },
    consumers: consumers.map((one) => ({
      id_distro: Number(one.id_distro),
      id_service: Number(one.id_service),
      name_service: textOrNull(one.name_service) ?? '',
    })),
  };
}

const textOrNull = (value: unknown): string | null =>
  value === null ? null : Buffer.isBuffer(value) ? value.toString('utf8') : String(value);

/** @returns the error of a COMMIT without a reply; undefined if the change is committed. */
async function writeInTransaction(
  connection: Connection,
  names: RecordNames,
  change: RecordChange,
): Promise<unknown> {
  const { before, after, addedConsumer } = change;
  const write = ({ sql, values }: Statement) => connection.execute(sql, [...values]);
  try {
    await connection.query('START TRANSACTION');
    const locked = await readRecord(connection, names, ' FOR UPDATE');
    if (!isSameRow(locked.row, before) || (addedConsumer !== undefined && hasConsumer(locked, addedConsumer)))
      throw new RegistrationError('the record was changed just now; run again');
    if (!isSameRow(before, after)) await write(updateRow(names, after));
    if (addedConsumer !== undefined) await write(addConsumer(names, addedConsumer));
    if (!isApplied(change, await readRecord(connection, names)))
      throw new RegistrationError(
        'the database gives back something else than was written to it ' +
          '(a trigger, or a character set that lacks a character); rolled back, nothing was changed',
      );
  } catch (error) {
    // If the connection is lost, the server itself drops what was not committed.
    await connection.rollback().catch(() => connection.destroy());
    if (error instanceof RegistrationError) throw error;
    throw new RegistrationError(`writing failed, nothing was changed: ${reasonOf(error)}`);
  }
  try {
    await connection.commit();
    return undefined;
  } catch (error) {
    // A reply with an SQL state means that the server refused to commit. Any other error means that there was no reply.
    if ((error as { sqlState?: string }).sqlState === undefined) return error;
    await connection.rollback().catch(() => connection.destroy());
    throw new RegistrationError(`the database refused to commit, nothing was changed: ${reasonOf(error)}`);
  }
}
