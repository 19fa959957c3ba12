/** The registration record of a PBX, and the one change that registers the device (interface section 4.2, step 4). */
import type { Registration } from '../shared/service/registration.ts';
import { RegisterError } from './outcome.ts';

interface RegisterRow {
  uuid: string;
  clientKey: string | null;
  apiKey: string | null;
  /** As its column gives it: PBXs keep the flag as 0/1, '0'/'1' or bits. */
  registered: string | number | null;
}

interface Consumer {
  idDistro: number;
  idService: number;
  nameService: string;
}

export interface RegistrationRecord {
  row: RegisterRow;
  consumers: Consumer[];
}

/** One atomic step from `before` to `after`, with at most one consumer record added. */
export interface RecordChange {
  before: RegisterRow;
  after: RegisterRow;
  addedConsumer?: Consumer;
}

const sameFlag = (a: RegisterRow['registered'], b: RegisterRow['registered']): boolean =>
  a === null || b === null ? a === b : String(a) === String(b);

export function sameRow(a: RegisterRow, b: RegisterRow): boolean {
  const { uuid, clientKey, apiKey, registered } = a;
  return (
    uuid === b.uuid && clientKey === b.clientKey && apiKey === b.apiKey && sameFlag(registered, b.registered)
  );
}

export function hasConsumer({ consumers }: RegistrationRecord, wanted: Consumer): boolean {
  return consumers.some(
    ({ idDistro, idService, nameService }) =>
      idDistro === wanted.idDistro && idService === wanted.idService && nameService === wanted.nameService,
  );
}

/** Whether a record that was read back is what the change leaves. */
export function isApplied({ after, addedConsumer }: RecordChange, record: RegistrationRecord): boolean {
  return sameRow(record.row, after) && (addedConsumer === undefined || hasConsumer(record, addedConsumer));
}

/** @throws RegisterError otherConsumer where a record with these ids has another name. */
export function planRegistration(
  record: RegistrationRecord,
  { clientKey, apiKey }: Pick<Registration, 'clientKey' | 'apiKey'>,
  consumer: Consumer,
): RecordChange {
  const { row, consumers } = record;
  const isPresent = hasConsumer(record, consumer);
  const other = consumers.find(
    ({ idDistro, idService }) => idDistro === consumer.idDistro && idService === consumer.idService,
  );
  if (!isPresent && other !== undefined)
    throw new RegisterError(
      'otherConsumer',
      `there is a consumer record ${other.idDistro}, ${other.idService} already, named "${other.nameService}". ` +
        `Keep it with --consumer-name "${other.nameService}", or choose other ids.`,
    );
  const registered = sameFlag(row.registered, 1) ? row.registered : 1;
  return {
    before: row,
    after: { uuid: row.uuid, clientKey, apiKey, registered },
    ...(isPresent ? {} : { addedConsumer: consumer }),
  };
}

/** One line of what will change, keys masked. */
export interface ShownChange {
  what: string;
  from: string;
  to: string;
}

/** A change in the record's own column and table names. Empty where there is nothing to change. */
export function showChange(
  { before, after, addedConsumer }: RecordChange,
  names: Record<keyof RegisterRow | 'consumers', string>,
): ShownChange[] {
  const shown: ShownChange[] = [];
  for (const field of ['clientKey', 'apiKey'] as const)
    if (before[field] !== after[field])
      shown.push({ what: names[field], from: masked(before[field]), to: masked(after[field]) });
  if (!sameFlag(before.registered, after.registered))
    shown.push({
      what: names.registered,
      from: String(before.registered ?? '(empty)'),
      to: String(after.registered),
    });
  if (addedConsumer !== undefined) {
    const { idDistro, idService, nameService } = addedConsumer;
    shown.push({
      what: names.consumers,
      from: '(no such record)',
      to: `${idDistro}, ${idService}, "${nameService}"`,
    });
  }
  return shown;
}

/** Enough of a key to distinguish two, too little to use: its first four characters and its length. */
function masked(key: string | null): string {
  if (key === null || key === '') return '(empty)';
  const length = `${key.length} characters`;
  return key.length < 12 ? `(${length})` : `${key.slice(0, 4)}… (${length})`;
}
