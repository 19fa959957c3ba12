/** The registration record, wherever it is kept, and one change of it. */

/** A flag or id as its column gives it: PBXs keep booleans as 0/1, true/false or '1'. */
export type Cell = string | number | boolean | null;

export interface RegisterRow {
  uuid: string;
  clientKey: string | null;
  apiKey: string | null;
  registered: Cell;
}

export interface Consumer {
  idDistro: number;
  idService: number;
  nameService: string;
}

export interface RegistrationRecord {
  row: RegisterRow;
  consumers: Consumer[];
}

/** One atomic step from `before` to `after`, with at most one consumer record added or removed. */
export interface RecordChange {
  before: RegisterRow;
  after: RegisterRow;
  consumer?: { action: 'add' | 'remove'; record: Consumer };
}

/** A place that keeps the record. Every method throws RegisterError, and nothing else that a person could cause. */
export interface RecordStore {
  /** For people and the backup: which database or file. */
  readonly place: string;
  /** How the record's parts are called there. */
  readonly names: Record<keyof RegisterRow, string> & { consumers: string };
  read(): Promise<RegistrationRecord>;
  /** @throws RegisterError keyTooLong where a value would be cut, before anything is written. */
  checkFits(change: RecordChange): Promise<void>;
  /**
   * All of the change or nothing. Refuses when the record is no longer `before`; reads back what it wrote and compares.
   * @throws RegisterError changedMeanwhile, writeFailed (nothing changed), outcomeUnknown, readBackDiffers.
   */
  apply(change: RecordChange): Promise<void>;
  close(): Promise<void>;
}

/** `'1'`, `1` and `true` mean the same in a column; so do `'0'`, `0` and `false`. */
export function sameCell(a: Cell, b: Cell): boolean {
  const plain = (cell: Cell) =>
    cell === null ? null : String(typeof cell === 'boolean' ? Number(cell) : cell);
  return plain(a) === plain(b);
}

export function isRegistered(cell: Cell): boolean {
  return sameCell(cell, 1);
}

export function sameRow(a: RegisterRow, b: RegisterRow): boolean {
  return (
    a.uuid === b.uuid &&
    a.clientKey === b.clientKey &&
    a.apiKey === b.apiKey &&
    sameCell(a.registered, b.registered)
  );
}

export function sameConsumer(a: Consumer, b: Consumer): boolean {
  return a.idDistro === b.idDistro && a.idService === b.idService && a.nameService === b.nameService;
}

export function changesNothing(change: RecordChange): boolean {
  return sameRow(change.before, change.after) && change.consumer === undefined;
}

/** What must be read back after the change: the row, and how many such consumer records there are. */
export function isApplied(change: RecordChange, now: RegistrationRecord, consumersBefore: number): boolean {
  if (!sameRow(now.row, change.after)) return false;
  const { consumer } = change;
  if (consumer === undefined) return true;
  const count = now.consumers.filter((other) => sameConsumer(other, consumer.record)).length;
  return count === consumersBefore + (consumer.action === 'add' ? 1 : -1);
}
