/**
 * The record in a JSON file with the tables' shape: `{"itc_register": [{…one row…}], "itc_consumers": [{…}, …]}`, names as in
 * the mapping. The same guarantees as in a database: all or nothing (a new file moved over the old one), read back, one row.
 */
import { randomBytes } from 'node:crypto';
import { chmod, chown, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod/mini';
import type { Mapping } from './mapping.ts';
import { RegisterError } from './outcome.ts';
import {
  isApplied,
  type RecordChange,
  type RecordStore,
  type RegistrationRecord,
  sameConsumer,
  sameRow,
} from './record.ts';

type Fields = Record<string, unknown>;
type Tables = Record<string, Fields[]>;

const Text = z.nullable(z.string());
const Flag = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export async function openFileRecord(file: string, mapping: Mapping): Promise<RecordStore> {
  const target = await realpath(file).catch((error: Error) => {
    throw new RegisterError('recordUnreachable', `${file} cannot be opened: ${error.message}`);
  });
  return {
    place: target,
    names: { ...mapping.register, consumers: mapping.consumers.table },
    read: async () => readRecord(await readTables(target, mapping), mapping),
    checkFits: async () => {}, // JSON text has no length to exceed.
    apply: (change) => apply(target, mapping, change),
    close: async () => {},
  };
}

async function readTables(file: string, mapping: Mapping): Promise<{ tables: Tables; text: string }> {
  let text: string;
  let tables: unknown;
  try {
    text = await readFile(file, 'utf8');
    tables = JSON.parse(text);
  } catch (error) {
    throw new RegisterError('recordUnreachable', `${file} cannot be read: ${(error as Error).message}`);
  }
  for (const { table } of [mapping.register, mapping.consumers]) {
    const rows = (tables as Fields | null)?.[table];
    if (!Array.isArray(rows) || rows.some((row) => typeof row !== 'object' || row === null))
      throw new RegisterError(
        'missingTable',
        `${file} has no list of rows named ${table}; name the right one with --mapping`,
      );
  }
  return { tables: tables as Tables, text };
}

function readRecord({ tables }: { tables: Tables }, mapping: Mapping): RegistrationRecord {
  const { register, consumers } = mapping;
  const rows = tables[register.table]!;
  if (rows.length !== 1)
    throw new RegisterError(
      rows.length === 0 ? 'noRow' : 'severalRows',
      `${register.table} has ${rows.length} rows, and exactly one, this device's, must stand there`,
    );
  const column = <T>(table: string, row: Fields, name: string, schema: z.ZodMiniType<T>): T => {
    if (!(name in row))
      throw new RegisterError(
        'missingColumn',
        `${table} has no member ${name}; name the right one with --mapping`,
      );
    const value = schema.safeParse(row[name]);
    if (!value.success)
      throw new RegisterError('notText', `${table}.${name} is not of the type it must be; see --mapping`);
    return value.data;
  };
  const row = rows[0]!;
  const uuid = column(register.table, row, register.uuid, Text) ?? '';
  if (uuid.trim() === '')
    throw new RegisterError(
      'noUuid',
      `${register.table}.${register.uuid} is empty: the device has no UUID to log in with`,
    );
  return {
    row: {
      uuid,
      clientKey: column(register.table, row, register.clientKey, Text),
      apiKey: column(register.table, row, register.apiKey, Text),
      registered: column(register.table, row, register.registered, Flag),
    },
    consumers: tables[consumers.table]!.map((consumer) => ({
      idDistro: Number(column(consumers.table, consumer, consumers.idDistro, Flag)),
      idService: Number(column(consumers.table, consumer, consumers.idService, Flag)),
      nameService: column(consumers.table, consumer, consumers.nameService, Text) ?? '',
    })),
  };
}

async function apply(file: string, mapping: Mapping, change: RecordChange): Promise<void> {
  const { register, consumers } = mapping;
  const { after, consumer } = change;
  const { tables, text } = await readTables(file, mapping);
  const now = readRecord({ tables }, mapping);
  const matches = now.consumers.map(
    (other) => consumer !== undefined && sameConsumer(other, consumer.record),
  );
  const consumersBefore = matches.filter(Boolean).length;
  const consumerMoved = consumer !== undefined && (consumer.action === 'add') !== (consumersBefore === 0);
  if (!sameRow(now.row, change.before) || consumerMoved)
    throw new RegisterError('changedMeanwhile', 'the record was changed by someone else just now; run again');
  Object.assign(tables[register.table]![0]!, {
    [register.clientKey]: after.clientKey,
    [register.apiKey]: after.apiKey,
    [register.registered]: after.registered,
  });
  const list = tables[consumers.table]!;
  if (consumer?.action === 'add') {
    const { idDistro, idService, nameService } = consumer.record;
    list.push({
      [consumers.idDistro]: idDistro,
      [consumers.idService]: idService,
      [consumers.nameService]: nameService,
    });
  }
  if (consumer?.action === 'remove') list.splice(matches.indexOf(true), 1);
  // A file written by hand keeps its look.
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  await replaceFile(file, `${JSON.stringify(tables, null, indent)}\n`);
  if (!isApplied(change, readRecord(await readTables(file, mapping), mapping), consumersBefore))
    throw new RegisterError(
      'readBackDiffers',
      'written, but someone else changed the file since: look at it',
    );
}

/** A new file beside the old one, synced, with its mode and owner, moved over it: a reader sees one or the other, whole. */
async function replaceFile(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomBytes(6).toString('hex')}`);
  try {
    const old = await stat(file);
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (process.getuid?.() === 0) await chown(temporary, old.uid, old.gid);
    await chmod(temporary, old.mode & 0o7777);
    await rename(temporary, file);
    const directory = await open(folder, 'r');
    await directory.sync().finally(() => directory.close());
  } catch (error) {
    await rm(temporary, { force: true });
    throw new RegisterError(
      'writeFailed',
      `writing failed, nothing was changed: ${(error as Error).message}`,
    );
  }
}
