/** Operations on everything that a store keeps: deletion by age or by number, and whether it can be written. */
import type { LoggedEntry } from '../log/call-log.ts';

export interface Retention {
  callsBefore: number;
  eventsBefore: number;
  now: number;
  limit: number;
}

export interface CallsOfNumber {
  calls: {
    id: string;
    /** The digits of each number of the call that matches. */
    numbers: string[];
    /** The call's entries that may be in CRMs. */
    entries: readonly LoggedEntry[];
  }[];
  /** Absent at the end. */
  next?: string;
}

export interface MaintenanceOperations {
  /** Deletes at most `limit` rows of each kind. @returns how many it deleted. */
  prune(retention: Retention): number;
  /** Reads about `limit` calls, beginning at `cursor` (first ''), and returns those of a number, in any form. */
  findCallsOfNumber(forms: readonly string[], cursor: string, limit: number): CallsOfNumber;
  /** Deletes calls with all that belongs to them. @returns how many. */
  deleteCalls(ids: readonly string[]): number;
  /**
   * Reads about `limit` rows, beginning at `cursor` (first ''), and deletes counters, audit and items of a number. At
   * the end, it also deletes what deleted rows left in the engine's files.
   * @returns the next cursor, undefined at the end.
   */
  deleteTraces(forms: readonly string[], cursor: string, limit: number): string | undefined;
  /** Keyed hashes of numbers that no source may bring back. Their key is the first that was given to `forgottenKey`. */
  listForgotten(): string[];
  forgottenKey(offered: string): string;
  setForgotten(hash: string, isForgotten: boolean): void;
  /** Throws where the store cannot be written. */
  check(): void;
}
