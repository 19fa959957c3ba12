/**
 * What the relay keeps, and the one interface to it. Invariants, the same in every engine (`store-contract.test.ts`):
 *
 * - A promise resolves only when its change is as durable as the engine gives (`durability`); it rejects with
 *   `StoreError` when the change was not kept, and then nothing of it was.
 * - Every change of a Call appends one event; `seq` grows by at least one with each, over all channels, and is never
 *   used again while `epoch` stays the same. A store that lost its past has another `epoch`.
 * - Events reach `onEvents` after they are durable, in the order of `seq`.
 * - A channel is a caller's code: who may follow that caller may read the channel.
 */
import type { Call, Fact } from '../../shared/call/call.ts';
import type { Callee } from '../../shared/rules/callee.ts';
import type { DeliveryClaim, DeliveryOutcome } from '../../shared/server/delivery.ts';
import type { CallLog } from '../log/call-log.ts';
import type { SheetOperations } from '../sheets/sheet.ts';
import type { Amend, Amended } from './amendment.ts';
import type { MaintenanceOperations } from './maintenance.ts';
import type { KeyOperations } from './stored-key.ts';
import type { Lease, ListedEntry, RuleOperations } from './team-rules.ts';

export interface StoredEvent {
  seq: number;
  channel: string;
  callId: string;
  /** The Call as JSON on one line; a frame is made of it without parsing it again. */
  data: string;
}

/** A counter that limits calls: by key and minute, by destination and minute, by day, or by attempts. */
export interface Tally {
  bucket: string;
  max: number;
  /** Milliseconds since 1970; afterwards the counter may be deleted. */
  expires: number;
}

export type PlacedBy = 'relay' | 'client';

/** The journal's entry, durable before any byte goes to the provider (Law 1). */
export interface Intent {
  call: Call;
  placedBy: PlacedBy;
  /** The account that owns the Idempotency-Key. */
  owner: string;
  /** A repeated request with this key never dials again while its call is kept. */
  idempotencyKey: string;
  /** Digest of the whole request: the same key with another fingerprint is another request. */
  fingerprint: string;
  /** When the call is overdue, milliseconds since 1970. */
  deadline: number;
  tallies: readonly Tally[];
  /**
   * The team's count of calls to the callee. A call does not count if the callee's phone did not ring (`neverRang`).
   */
  attempt?: Tally;
  /** The CRMs that log the call; absent where none does. */
  logSystems?: readonly string[];
  /** Why an agent has to choose a record once the call is over. */
  lacksRecord?: CallLog['lacksRecord'];
  /** Whom the digits may reach. This step compares them with the numbers that must not be called. */
  callee?: Callee;
  /** The refusal by the hour, a large list or the caller's last call. A repeated request still gets its call. */
  refusal?: Extract<PlaceResult, { kind: 'doNotCall' | 'closed' | 'listTooOld' | 'outcomeRequired' }>;
  /** Who takes a lease on the callee; absent where the key has no team. */
  lease?: Lease;
  /** An agent with the right `override` passes the list of numbers that must not be called. */
  override?: { reason: string; by: string };
  now: number;
}

export type PlaceResult =
  | { kind: 'placed' }
  | { kind: 'same'; call: Call; placedBy: PlacedBy }
  | { kind: 'otherRequest' }
  /** Another call has this id; nothing was counted or kept. */
  | { kind: 'idTaken' }
  | { kind: 'doNotCall'; entry: ListedEntry['entry'] }
  /** The callee's clock says that it is too early or too late, or the wrong day. */
  | { kind: 'closed'; country: string; from: string; to: string }
  /** A large list was not renewed in time, and forbids calls until it is. */
  | { kind: 'listTooOld'; list: string }
  /** The caller's last call has no outcome. */
  | { kind: 'outcomeRequired' }
  /** Another caller has a lease on the callee. */
  | { kind: 'leased'; lease: Lease }
  /** The caller has no claim on the item of the call, or the item has another number. */
  | { kind: 'itemTaken' }
  | { kind: 'limited'; bucket: string };

/** A notification as kept for comparing it with its repetitions. */
export interface Arrival {
  /**
   * The kind of event, for ringing and answers with the party. For each kind, one notification per call is believed.
   */
  event: string;
  /** The digest of what was read, without `request` (Law 6). */
  digest: string;
  /** What must be forwarded. It is kept once, in the same commit, if the notification is believed. */
  forward?: { id: string; body: string };
}

export interface CallChange {
  callId: string;
  fact: Fact;
  arrival?: Arrival;
  /** Whether the answer shall hold the Call. */
  wantsCall?: boolean;
  /** A new deadline, where the call goes on. */
  deadline?: number;
  now: number;
}

export type Applied =
  | { kind: 'applied' | 'unchanged'; state: Call['state']; reason: Call['reason']; data?: string }
  /** The same notification again, or another one for an end that is already known. */
  | { kind: 'repeat' | 'conflict' }
  | { kind: 'unknownCall' };

export interface DueCalls {
  callIds: string[];
  /** Calls with an entry for this system that is neither done nor given up. */
  pending: number;
  /** When the next one is due, in milliseconds since the epoch; absent where none is pending. */
  next?: number;
}

/** A call whose entries the operator may have to look at. */
export type UnloggedCall = Pick<CallLog, 'entries'> & { call: Call };

export interface FoundCall {
  call: Call;
  channel: string;
  placedBy: PlacedBy;
}

export interface Overdue {
  callId: string;
  /** True while the relay itself is between journal and answer. */
  isDialling: boolean;
}

export interface History {
  /** Newest first. */
  calls: Call[];
  next?: string;
}

/** Events after a cursor, oldest first; `head` is the newest `seq` of any channel at that moment. */
export interface EventBatch {
  events: StoredEvent[];
  head: number;
  /** True where more events wait behind the limit. */
  more: boolean;
}

/** Each operation is one atomic step, here and below. */
export interface CallOperations {
  place(intent: Intent): PlaceResult;
  apply(change: CallChange): Applied;
  /** Changes wrap-up, record and log of a call. */
  amend(amend: Amend): Amended;
  /** Calls with a due entry for a system. A call waits while an earlier call has a pending entry on the same record. */
  listDueEntries(query: { system: string; now: number; limit: number }): DueCalls;
  /** Calls with an entry that is neither done nor given up, oldest first. */
  listUnlogged(limit: number): UnloggedCall[];
  /** Calls that one of these callers must repeat, in the order of their times. */
  listCallbacks(callers: readonly string[], limit: number): Call[];
  find(id: string): FoundCall | undefined;
  /** @param before a call's id; the result is undefined if the call is not in these channels. */
  history(channels: readonly string[], limit: number, before: string | undefined): History | undefined;
  /** The newest event of every call that is not finished, in order of `seq`. */
  listOpen(channels: readonly string[]): EventBatch;
  /** Undefined if `seq` is older than the kept events, or newer than any event so far. */
  eventsAfter(channels: readonly string[], seq: number, limit: number): EventBatch | undefined;
  listOverdue(now: number, limit: number): Overdue[];
  /** Every call between journal and answer, whatever its deadline: those of a process that is gone. */
  listInterrupted(): string[];
}

/** A notification on its way to a system of the operator's, claimed for one attempt. */
export interface Forward {
  id: string;
  callId: string;
  /** JSON, without the capability (Law 6). */
  body: string;
  /** Which attempt this is, from 1; `settle` names it again. */
  attempt: number;
}

/** A forward as the command line shows it. */
export interface ForwardState {
  id: string;
  callId: string;
  from: string;
  to: string;
  dead: boolean;
  attempts: number;
  /** The next attempt, or when it was given up; milliseconds since 1970. */
  at: number;
  /** How the last attempt ended; empty before the first one did. */
  note: string;
}

export interface ForwardOperations {
  /**
   * Takes due forwards, oldest first, and keeps them from other claims until `until`. If the process of a claim died,
   * the claim ends then. So a forward is delivered at least once, never lost. It is deleted with its call.
   */
  claim(claim: { now: number; until: number; limit: number }): DeliveryClaim<Forward>;
  /** Does nothing if the attempt is not the newest any more. A delivered forward is deleted in any case. */
  settle(id: string, attempt: number, outcome: DeliveryOutcome): void;
  /** Ends every claim, because its process is gone. @returns how many. */
  release(now: number): number;
  /** Pending forwards in the order of their due times, then dead forwards. */
  list(limit: number): ForwardState[];
  /**
   * Makes one forward, or (undefined) every dead one, due at once. Its attempts are counted from 0.
   * @returns how many.
   */
  retry(id: string | undefined, now: number): number;
  drop(id: string): boolean;
}

export interface Operations {
  calls: CallOperations;
  keys: KeyOperations;
  forwards: ForwardOperations;
  rules: RuleOperations;
  sheets: SheetOperations;
  maintenance: MaintenanceOperations;
}

export type Asynchronous<T> = {
  [K in keyof T]: T[K] extends (...input: infer I) => infer O ? (...input: I) => Promise<O> : never;
};

type Durability = 'disk' | 'engine' | 'none';

export type Store = { readonly [G in keyof Operations]: Asynchronous<Operations[G]> } & {
  readonly durability: Durability;
  /** True where several relays share the store. */
  readonly shared: boolean;
  /** Short ASCII; changes only when the past was lost. */
  readonly epoch: string;
  onEvents(listener: (events: readonly StoredEvent[]) => void): void;
  /** Something was changed by another process: keys may be revoked, calls forgotten. */
  onChanged(listener: () => void): void;
  /**
   * Doubts about the engine, one sentence each: settings that may lose data, and a clock that differs from this
   * machine's.
   */
  listDoubts(): Promise<string[]>;
  /** Called when the store lost its data while the relay runs. */
  onEpoch(listener: () => void): void;
  close(): Promise<void>;
};

/**
 * Codes of Redis and the relay for a store that an operator must mend. All codes of SQLite count, too, except those
 * that pass by themselves.
 */
const unwritableCodes = ['REPLACED', 'OOM', 'MISCONF', 'READONLY'];
const passingCodes = ['SQLITE_BUSY', 'SQLITE_LOCKED'];

/** The change was not kept. `code` is the engine's own, for the log. */
export class StoreError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }

  /**
   * True if the store is full, read-only, damaged or replaced. Otherwise, it may take the same change a moment later.
   */
  get isUnwritable(): boolean {
    const { code } = this;
    return unwritableCodes.includes(code) || (code.startsWith('SQLITE_') && !passingCodes.includes(code));
  }
}
