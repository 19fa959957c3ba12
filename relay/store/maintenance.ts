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
    /** What may be in CRMs of it. */
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
  /** Deletes the counters of a number, and what deleted rows left in the engine's files. */
  deleteTraces(forms: readonly string[]): void;
  /** Keyed hashes of numbers that no source may bring back. Their key is the first that was offered. */
  listForgotten(): string[];
  forgottenKey(offered: string): string;
  setForgotten(hash: string, isForgotten: boolean): void;
  /** Throws where the store cannot be written. */
  check(): void;
}
