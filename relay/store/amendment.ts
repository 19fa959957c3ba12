/**
 * What is changed in a call besides its facts: the agent's wrap-up, its record, and how far its entries in
 * CRMs are.
 */
import type { Call } from '../../shared/call/call.ts';
import type { LinkedRecord } from '../../shared/record/call-parts.ts';
import type { WrapUpRequest } from '../../shared/record/wrap-up.ts';
import type { CallLog, EntryClaim, EntryOutcome, LoggedEntry } from '../log/call-log.ts';
import type { OutcomeEffect } from '../sheets/item-move.ts';
import type { ItemMove } from '../sheets/sheet.ts';
import type { AuditRecord, ListedEntry } from './team-rules.ts';

/**
 * Changes of the team's rules and the call's sheet in the same commit. They are not made if an amendment is outdated.
 */
export interface AmendedRules {
  entries: readonly ListedEntry[];
  /** A do-not-call entry to remove, with its audit record. It is removed only if this call alone made it. */
  takenBack?: { key: string; callId: string; audit: AuditRecord } | undefined;
  audit: readonly AuditRecord[];
  move?: ItemMove | undefined;
  /** How the count of attempts changes. */
  attempt?: { bucket: string; by: number } | undefined;
}

export type Amendment =
  /** `revision`: of the wrap-up that the agent saw, 0 where there was none. */
  (
    | { kind: 'wrapUp'; request: WrapUpRequest; revision: number; effect?: OutcomeEffect | undefined }
    /** The number was reached: a call back is not needed. */
    | { kind: 'closeCallback' }
    /** `record` undefined: the call is not logged. */
    | { kind: 'record'; record: LinkedRecord | undefined; systems: readonly string[] }
    /** Takes the first due entry for this system. */
    | { kind: 'claimEntry'; system: string; until: number }
    /** Checks, just before an entry is sent, whether the claim holds and the text says what is known. */
    | { kind: 'confirmEntry'; claim: EntryClaim; basis: string; until: number }
    | { kind: 'settleEntry'; claim: EntryClaim; outcome: EntryOutcome }
    /** The system answers again after an outage. */
    | { kind: 'hastenEntries'; system: string }
    /** For the operator: dead entries, entries that ask an agent and waiting entries are tried at once. */
    | { kind: 'retryEntries' }
    /** The operator gives up entries that are not done. Nothing more of the call is logged. */
    | { kind: 'dropEntries' }
  ) & { rules?: AmendedRules | undefined };

export interface Amend {
  callId: string;
  amendment: Amendment;
  /** Milliseconds since the epoch. */
  now: number;
}

interface AmendedCall {
  call: Call;
  /** What the outcome of its wrap-up is called. */
  outcomeLabel?: CallLog['outcomeLabel'];
}

export type Amended =
  | ({ kind: 'amended'; claimed?: LoggedEntry } & AmendedCall)
  /** The wrap-up has another revision, or the claim does not hold. */
  | ({ kind: 'outdated' } & AmendedCall)
  | { kind: 'unknownCall' };
