/**
 * What the store keeps for the team's rules: numbers that must not be called, who is calling whom, and who
 * did what.
 */
import type { Call } from '../../shared/call/call.ts';
import type { DoNotCallEntry } from '../../shared/protocol/do-not-call.ts';
import type { Callee } from '../../shared/rules/callee.ts';

/** An entry with the key that calls are compared by (`callee.ts`). */
export interface ListedEntry {
  key: string;
  entry: DoNotCallEntry;
}

/** Reserves one number for one caller, from the dial to the end of the wrap-up's window. */
export interface Lease {
  caller: string;
  /** The name that others read. */
  by: string;
  team: string;
  /** ISO 8601 UTC. */
  since: string;
}

export type AuditAction =
  | 'override'
  | 'doNotCall.add'
  | 'doNotCall.remove'
  | 'record.move'
  | 'record.drop'
  | 'record.retry'
  | 'callback.move'
  | 'forward.drop'
  | 'forward.retry'
  | 'key.add'
  | 'key.revoke'
  | 'key.rotate'
  | 'sheet.delete';

export interface AuditRecord {
  /** ISO 8601 UTC. */
  at: string;
  action: AuditAction;
  /** A key's id, or `operator`. */
  by: string;
  /** The number, key or record that it was done to. */
  about: string;
  callId?: string | undefined;
  detail?: string | undefined;
}

/** The record of something that is done now. */
export const auditRecord = (
  action: AuditAction,
  by: string,
  about: string,
  more: Pick<AuditRecord, 'callId' | 'detail'> = {},
): AuditRecord => ({ at: new Date().toISOString(), action, by, about, ...more });

/** What is known of one number at a moment. */
export interface RulesStatus {
  doNotCall?: DoNotCallEntry;
  lease?: Lease;
}

export interface DoNotCallRows {
  rows: ListedEntry[];
  /** The `after` of the following page; absent at the end. */
  next?: string;
}

export interface AuditPage {
  /** Newest first. */
  records: AuditRecord[];
  /** The `before` of the following page; absent at the end. */
  next?: string;
}

/** Each operation is one atomic step, its audit records included. */
export interface RuleOperations {
  /**
   * A known entry that lasts longer stays, but loses its link to its call. If two calls made it, one cannot take it
   * back.
   * @returns how many are new or last longer now.
   */
  list(entries: readonly ListedEntry[], audit: readonly AuditRecord[]): number;
  /** @returns false where the key is not listed. */
  unlist(key: string, audit: AuditRecord): boolean;
  /** @param after a key; first ''. */
  listed(after: string, limit: number): DoNotCallRows;
  status(callees: readonly Callee[], now: number): RulesStatus[];
  /** How often each bucket was counted. */
  tallies(buckets: readonly string[]): number[];
  /** Finds the newest call of each number on these channels in which somebody talked. */
  lastTalks(keys: readonly string[], channels: readonly string[]): (Call | undefined)[];
  record(audit: readonly AuditRecord[]): void;
  /** @param since ISO 8601 UTC. @param before absent for the newest. */
  audit(since: string, limit: number, before?: string): AuditPage;
}

/** How many of a number's newest calls are searched for a talk. An older talk says little. */
export const talkDepth = 20;

/** When an entry ends, in milliseconds since the epoch; 0 where it stays. */
export const endOf = ({ until }: DoNotCallEntry): number => (until === undefined ? 0 : Date.parse(until));

/** Whether the new end is later. */
export const lastsLonger = (end: number, known: number): boolean => known !== 0 && (end === 0 || end > known);
