/**
 * Call sheets as the store keeps them. An item goes `open` -> `called` in the step that journals its call, so that no
 * two agents call it, whatever dies. Only a wrap-up, a call without an answer, or a command moves it on from there
 * (`item-move.ts`). Times are in milliseconds since the epoch.
 */
import { secondMs } from '../../shared/durations.ts';
import { type ItemKey, type ItemState, maxClaimSeconds } from '../../shared/protocol/sheets.ts';
import type { RecordKey } from '../../shared/record/template.ts';
import type { AuditRecord } from '../store/team-rules.ts';

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
export const deletion = ({ id, team, name }: SheetHead, by: string): AuditRecord => ({
  at: new Date().toISOString(),
  action: 'sheet.delete',
  by,
  about: id,
  detail: `${name}, of ${team}`,
});

export interface NewItem {
  /** The key of its number, by which calls are compared (`shared/rules/callee.ts`). It is once in a sheet. */
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
  /** Only the caller gets the item until then; 0: anybody does. */
  leasedUntil: number;
  attempts: number;
  /** The outcome of its last call's wrap-up, or ''. */
  outcome: string;
}

/** What became of an item by its call. Does nothing where the item was claimed again since that call. */
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

/** No claim made by now lasts longer than this: a lease that does is a callback's, from before the claim. */
export const longestClaimUntil = (now: number): number => now + maxClaimSeconds * secondMs;

export interface ClaimedItem {
  item?: StoredItem;
  /** When the next item is due for this caller; absent where none is left. */
  next?: number;
}

/**
 * Each operation is one atomic step. A sheet that was removed is not there any more, though its items go bit
 * by bit.
 */
export interface SheetOperations {
  /** Makes the sheet where it is new. @returns how many items have a number that is new in it. */
  add(sheet: SheetHead, items: readonly NewItem[], now: number): number;
  /** Newest first. @param team absent: all. */
  list(team?: string): StoredSheet[];
  find(id: string): StoredSheet | undefined;
  /** Reads items in their order. @param after the id of an item; first 0. */
  items(sheet: string, after: number, limit: number): StoredItem[];
  /** The caller's own item first, then the one that waits longest. A longer lease that the caller has stays. */
  claim(claim: ItemClaim): ClaimedItem;
  /**
   * Gives up a claim: open again from `due`, or closed.
   * @param keepsLeaseAfter the caller keeps a lease on an open item that lasts longer; absent: none.
   * @returns false where the caller has no claim on it.
   */
  release(
    item: ItemKey,
    caller: string,
    state: 'open' | 'doNotCall',
    due: number,
    keepsLeaseAfter?: number,
  ): boolean;
  /** Items in a state are due again, all or those that a caller called last. @returns how many. */
  reopen(sheet: string, state: 'called' | 'duplicate', caller: string | undefined, now: number): number;
  remove(id: string): boolean;
}
