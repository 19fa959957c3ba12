/** The registration record of a PBX, and the change that registers the device (section 4.2, step 4). */
import { RegistrationError } from './registration-error.ts';

/** Our names of tables and columns -> the PBX's names. The usual names are the names of one open-source PBX. */
export const usualNames = {
  itc_register: 'itc_register',
  uuid: 'uuid',
  client_key: 'client_key',
  api_key: 'api_key',
  registered_itc: 'registered_itc',
  itc_consumers: 'itc_consumers',
  id_distro: 'id_distro',
  id_service: 'id_service',
  name_service: 'name_service',
};
export type RecordNames = typeof usualNames;

/** Maximum lengths of the usual columns, in characters. */
export const usualLengths = { client_key: 60, api_key: 72 } as const;

/** The only row of `itc_register`. */
export interface DeviceRow {
  uuid: string;
  client_key: string | null;
  api_key: string | null;
  /** The value that the column gives: PBXs keep the flag as 0/1, '0'/'1' or bits. */
  registered_itc: string | number | null;
}

/** A row of `itc_consumers`. */
export interface Consumer {
  id_distro: number;
  id_service: number;
  name_service: string;
}

export const usualConsumer: Consumer = { id_distro: 1, id_service: 1, name_service: 'intercomunexao' };

export interface RegistrationRecord {
  row: DeviceRow;
  consumers: Consumer[];
}

/** One atomic step from `before` to `after`, with at most one consumer added. */
export interface RecordChange {
  before: DeviceRow;
  after: DeviceRow;
  addedConsumer?: Consumer;
}

const keptColumns = ['client_key', 'api_key', 'registered_itc'] as const;

/** Compares as text: the flag may come back in another type than it was written. */
const isSameValue = (a: string | number | null, b: string | number | null): boolean =>
  a === null || b === null ? a === b : String(a) === String(b);

export function isSameRow(a: DeviceRow, b: DeviceRow): boolean {
  return a.uuid === b.uuid && keptColumns.every((column) => isSameValue(a[column], b[column]));
}

const hasSameIds = (a: Consumer, b: Consumer): boolean =>
  a.id_distro === b.id_distro && a.id_service === b.id_service;

export function hasConsumer({ consumers }: RegistrationRecord, wanted: Consumer): boolean {
  return consumers.some((one) => hasSameIds(one, wanted) && one.name_service === wanted.name_service);
}

/** Whether a record that was read back holds the change. */
export function isApplied({ after, addedConsumer }: RecordChange, record: RegistrationRecord): boolean {
  return isSameRow(record.row, after) && (addedConsumer === undefined || hasConsumer(record, addedConsumer));
}

/** @throws RegistrationError where a consumer with these ids has another name. */
export function planRegistration(
  record: RegistrationRecord,
  keys: { clientKey: string; apiKey: string },
  consumer: Consumer,
): RecordChange {
  const { row, consumers } = record;
  const isPresent = hasConsumer(record, consumer);
  const other = consumers.find((one) => hasSameIds(one, consumer));
  if (!isPresent && other !== undefined)
    throw new RegistrationError(
      `there is a consumer record ${other.id_distro}, ${other.id_service} already, named "${other.name_service}". ` +
        `Keep it with --consumer-name "${other.name_service}", or choose other ids`,
    );
  return {
    before: row,
    after: {
      uuid: row.uuid,
      client_key: keys.clientKey,
      api_key: keys.apiKey,
      registered_itc: isSameValue(row.registered_itc, 1) ? row.registered_itc : 1,
    },
    ...(isPresent ? {} : { addedConsumer: consumer }),
  };
}

/** @returns one line for each difference, with the PBX's own names and masked keys. Empty: nothing to change. */
export function describeChange({ before, after, addedConsumer }: RecordChange, names: RecordNames): string[] {
  const lines = keptColumns
    .filter((column) => !isSameValue(before[column], after[column]))
    .map((column) => {
      const show = column === 'registered_itc' ? (flag: unknown) => String(flag ?? '(empty)') : masked;
      return `${names[column]}: ${show(before[column])} -> ${show(after[column])}`;
    });
  if (addedConsumer === undefined) return lines;
  const { id_distro, id_service, name_service } = addedConsumer;
  return [
    ...lines,
    `${names.itc_consumers}: (no such record) -> ${id_distro}, ${id_service}, "${name_service}"`,
  ];
}

/** The first four characters and the length: enough to compare two keys, too little to use one. */
function masked(value: unknown): string {
  const key = String(value ?? '');
  if (key === '') return '(empty)';
  const length = `${key.length} characters`;
  return key.length < 12 ? `(${length})` : `${key.slice(0, 4)}… (${length})`;
}
