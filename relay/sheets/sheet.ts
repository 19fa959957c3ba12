/**
 * Call sheets as the store keeps them. An item changes from `open` to `called` in the step that journals its call. So
 * two agents never call it, even if a process dies. After that, only a wrap-up, a call without an answer, or a command
 * changes its state (`item-move.ts`). Times are in milliseconds since the epoch.
 */
import { secondMs } from '../../shared/durations.ts';
import { type ItemKey, type ItemState, maxClaimSeconds } from '../../shared/protocol/sheets.ts';
import type { RecordKey } from '../../shared/record/template.ts';
import { type AuditRecord, auditRecord } from '../store/team-rules.ts';

export interface SheetHead {
  id: string;
  name: string;
  team: string;
  /** The id of a key, or `operator`. */
  by: string;
  /** ISO 8601 UTC. */
  createdAt: string;
}

export interface StoredSheet extends SheetHead {
  counts: Record<ItemState, number>;
}

/** @param by the id of a key, or `operator`. */
export const deletion = ({ id, team, name }: SheetHead, by: string): AuditRecord =>
  auditRecord('sheet.delete', by, id, { detail: `${name}, of ${team}` });

export interface NewItem {
  /** The key of its number, by which calls are compared (`shared/rules/callee.ts`). A sheet has each key only once. */
  key: string;
  number: string;
  name?: string | undefined;
  record?: RecordKey | undefined;
}

export interface StoredItem extends NewItem {
  /** Counted from 1. */
  id: number;
  state: ItemState;
  due: number;
  /** The caller who has it, or who called it last; '' for none. */
  caller: string;
  /** Until this time, only the caller gets the item; 0: every caller may get it. */
  leasedUntil: number;
  attempts: number;
  /** The outcome of its last call's wrap-up, or ''. */
  outcome: string;
}

/** The state of an item after its call. Does nothing if the item was claimed again since that call. */
export interface ItemMove extends Pick<StoredItem, 'state' | 'due' | 'caller' | 'leasedUntil' | 'outcome'> {
  item: ItemKey;
  callId: string;
}

export interface ItemClaim {
  sheet: string;
  caller: string;
  now: number;
  until: number;
}

/**
 * The latest time at which a claim made by now can end. A longer lease belongs to a callback, from before the claim.
 */
export const longestClaimUntil = (now: number): number => now + maxClaimSeconds * secondMs;

export interface ClaimedItem {
  item?: StoredItem;
  /** When the next item is due for this caller; absent where none is left. */
  next?: number;
}

/**
 * Each operation is one atomic step. A removed sheet cannot be found any more, though its items are deleted bit by bit.
 */
export interface SheetOperations {
  /** Makes the sheet where it is new. @returns how many items have a number that is new in it; 0 if it was removed. */
  add(sheet: SheetHead, items: readonly NewItem[], now: number): number;
  /** Newest first. @param team absent: all. */
  list(team?: string): StoredSheet[];
  find(id: string): StoredSheet | undefined;
  /** Reads items in their order. @param after the id of an item; first 0. */
  items(sheet: string, after: number, limit: number): StoredItem[];
  /**
   * Claims the caller's own item first, else the item that waits longest. If the caller has a longer lease, it stays.
   */
  claim(claim: ItemClaim): ClaimedItem;
  /**
   * Gives up a claim: the item is open again from `due`, or closed.
   * @param keepsLeaseAfter if the caller's lease on an open item ends later than this, it stays; absent: it ends.
   * @returns false where the caller has no claim on it.
   */
  release(
    item: ItemKey,
    caller: string,
    state: 'open' | 'doNotCall',
    due: number,
    keepsLeaseAfter?: number,
  ): boolean;
  /** Opens the items in a state again: all, or those that a caller called last. @returns how many. */
  reopen(sheet: string, state: 'called' | 'duplicate', caller: string | undefined, now: number): number;
  remove(id: string): boolean;
}
