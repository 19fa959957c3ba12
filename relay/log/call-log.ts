/**
 * What is logged of one call, kept with the call itself and changed by the pure functions below: so an
 * entry is durable in the commit of the call's end (Law 8), in every engine alike.
 *
 * Invariants:
 * - Marker, record and system of an entry never change; `part` counts the entries of one call on one record, from 1.
 * - `attempts` is stored before a request is sent. An entry of the second attempt or later may exist in the
 * CRM already.
 * - `basis` is what the sent text said. A call that says more gets a further part, never the same part twice.
 */
import { hash } from 'node:crypto';
import { type Call, isFinished } from '../../shared/call/call.ts';
import { outcomeOf, wasNotPlaced } from '../../shared/call/outcome.ts';
import {
  type EntryState,
  isPendingEntry,
  isSameRecord,
  type LinkedRecord,
} from '../../shared/record/call-parts.ts';
import type { WrapUpOutcome } from '../../shared/record/wrap-up.ts';

export interface LoggedEntry {
  system: string;
  record: LinkedRecord;
  part: number;
  /** `moved`: says on this record that the call belongs to another one. */
  kind: 'call' | 'moved';
  state: Exclude<EntryState, 'none'>;
  /** Milliseconds since the epoch: the next attempt, or the end of a claim. */
  due: number;
  attempts: number;
  basis: string;
  /**
   * `talkSeconds`: the talk in the entry's text, 0 if the call was moved. `secondsBefore`: the talk in earlier entries
   * on its record.
   */
  talkSeconds?: number;
  secondsBefore?: number;
  url?: string;
  reason?: string;
  /** True if the operator gave the entry up, or the call left its record. It is not sent, but may be in its CRM. */
  isDropped?: boolean;
}

export interface CallLog {
  /** The systems that log this call: its record's, and every webhook. Empty: the call is not logged. */
  systems: readonly string[];
  entries: readonly LoggedEntry[];
  /**
   * Why the call has no record yet. Several records fit, or no record is known. Or the click's record has no template,
   * or was not on the screen yet. An agent chooses.
   */
  lacksRecord?: 'severalRecords' | 'noRecord' | 'recordUnknown' | 'recordNotShown' | undefined;
  /** The label of the wrap-up's outcome, from the rules of the team that chose it. */
  outcomeLabel?: WrapUpOutcome['label'] | undefined;
}

/** How long an agent has for the wrap-up before the entry is sent without it. */
export const wrapUpWindowMs = 120_000;

/** The pause after a lost reply: more than twice the time that a request to a CRM can take (`maxRequestMs`). */
export const unsureMs = 45_000;

export const isGivenUp = ({ state, isDropped }: LoggedEntry): boolean =>
  isDropped === true && state !== 'done';

/** Whether an entry is neither in its CRM nor given up. */
export const isUnlogged = (entry: LoggedEntry): boolean => entry.state !== 'done' && !isGivenUp(entry);

/** Gives up entries that are not done, for the operator. An entry that may be in a CRM stays known. */
export const dropEntries = ({ entries }: CallLog): CallLog => ({
  systems: [],
  entries: entries
    .filter(mayRemain)
    .map((entry) => (entry.state === 'done' ? entry : { ...entry, state: 'dead', due: 0, isDropped: true })),
});

/** Whether an entry may be in its CRM. If its record refused the first attempt, it is not there. */
export const mayRemain = ({ state, attempts }: LoggedEntry): boolean =>
  state === 'done' || attempts > (state === 'needsAgent' ? 1 : 0);

/**
 * What an entry's text says, so that a later change is recognised. A callback counts once it is agreed. A CRM need not
 * know each time whether it is put off or done.
 */
export function basisOf(call: Call, hasCallback = call.wrapUp?.callBackAt !== undefined): string {
  const { wrapUp, talkSeconds, recordingUrl } = call;
  const said = [outcomeOf(call), talkSeconds, recordingUrl, wrapUp?.outcome, wrapUp?.note, hasCallback];
  return hash('sha256', JSON.stringify(said), 'base64url').slice(0, 16);
}

const saysAll = ({ basis }: LoggedEntry, call: Call): boolean =>
  ['', basisOf(call), basisOf(call, true)].includes(basis);

/** Refused and unsent calls are not logged: the number was not called. */
export const isLogged = (call: Call): boolean => isFinished(call) && !wasNotPlaced(call);

/**
 * Tries entries again that are not done: on the call's record, and `moved` entries on records that the call left. One
 * attempt stays counted, so that an entry that may exist is looked for first.
 */
export function retryEntries(call: Call, log: CallLog, now: number): CallLog {
  const entries = log.entries.map((entry): LoggedEntry => {
    if (!isWanted(entry, call) || entry.state === 'done' || entry.attempts === 0) return entry;
    if (isPendingEntry(entry)) return entry.state === 'waiting' ? { ...entry, due: now } : entry;
    const { isDropped: _byOperator, ...rest } = entry;
    // The last request may still be under way.
    return { ...rest, state: 'unsure', due: mayRemain(entry) ? now + unsureMs : now, attempts: 1 };
  });
  return hastenEntries({ ...log, entries }, undefined, now);
}

/** Brings the log up to what is known of the call by now. */
export function updateLog(call: Call, log: CallLog, now: number): CallLog {
  const { record } = call;
  const entries = abandoned(call, log, now);
  if (!record || !isLogged(call)) return { ...log, entries };
  const added = log.systems.flatMap((system): LoggedEntry[] => {
    const own = entries.filter((entry) => entry.system === system && isSameRecord(entry.record, record));
    const last = own.at(-1);
    // A pending entry is awaited: if it is created later, it says what is known by then. An unwanted `moved` entry is
    // looked for first.
    const isAwaited = last && (isPendingEntry(last) || (last.kind === 'call' && last.state === 'needsAgent'));
    if (isAwaited || (last?.kind === 'call' && saysAll(last, call))) return [];
    const first = { system, record, kind: 'call', state: 'waiting', attempts: 0, basis: '' } as const;
    return [{ ...first, part: (last?.part ?? 0) + 1, due: dueOf(call, last !== undefined, now) }];
  });
  const isSaved = call.wrapUp?.outcome !== undefined;
  const hastened = entries.map((entry) =>
    entry.state === 'waiting' && entry.attempts === 0 && isSaved
      ? { ...entry, due: Math.min(entry.due, now) }
      : entry,
  );
  return { ...log, entries: [...hastened, ...added] };
}

/** A later part does not wait. The first part waits for the outcome of the wrap-up. */
const dueOf = (call: Call, isLater: boolean, now: number): number =>
  isLater || call.wrapUp?.outcome !== undefined ? now : now + wrapUpWindowMs;

/**
 * Whether an entry belongs on its record. A call's entry belongs on the call's own record, a `moved` entry on a record
 * that the call has left.
 */
export const isWanted = ({ record, kind }: Pick<LoggedEntry, 'record' | 'kind'>, call: Call): boolean =>
  isSameRecord(record, call.record) === (kind === 'call');

/**
 * Gives up entries that are not wanted any more. An entry that may be sent already is looked for, but not created. A
 * record that has an entry gets a `moved` part.
 */
function abandoned(call: Call, { entries }: CallLog, now: number): LoggedEntry[] {
  const kept = entries
    .filter((entry) => isWanted(entry, call) || mayRemain(entry))
    .map((entry) =>
      isWanted(entry, call) || isPendingEntry(entry) || entry.state === 'done'
        ? entry
        : { ...entry, isDropped: true },
    );
  const amendments = kept
    .filter((entry) => !isWanted(entry, call) && entry.kind === 'call' && entry.state === 'done')
    .filter((entry) => kept.findLast((other) => isSamePlace(other, entry)) === entry)
    .map(
      ({ system, record, part }): LoggedEntry => ({
        ...{ system, record, part: part + 1, kind: 'moved', state: 'waiting' },
        ...{ due: now, attempts: 0, basis: '' },
      }),
    );
  return [...kept, ...amendments];
}

const isSamePlace = (a: LoggedEntry, b: LoggedEntry): boolean =>
  a.system === b.system && isSameRecord(a.record, b.record);

/** A row by which the store finds what is due: at most one for each system and record of a call. */
export interface DueEntry {
  system: string;
  /** Entries on one record are sent in the order of their calls. */
  lane: string;
  /** Milliseconds since the epoch. */
  due: number;
}

export function dueEntries({ entries }: CallLog): DueEntry[] {
  const rows = new Map<string, DueEntry>();
  for (const { system, record, due } of entries.filter(isPendingEntry)) {
    const lane = `${record.system}/${record.kind}/${record.id}`;
    const place = `${system} ${lane}`;
    // Only the first pending part has a row: later parts wait for it. A row due earlier would delay other calls.
    if (!rows.has(place)) rows.set(place, { system, lane, due });
  }
  return [...rows.values()];
}

const sameEntry = (a: LoggedEntry, b: Pick<LoggedEntry, 'system' | 'record' | 'part'>): boolean =>
  a.system === b.system && a.part === b.part && isSameRecord(a.record, b.record);

/** Names the entry and the attempt of a claim. */
export type EntryClaim = Pick<LoggedEntry, 'system' | 'record' | 'part' | 'attempts'>;

/** Claims the first due entry whose earlier parts on its record are settled. */
export function claimEntry(
  log: CallLog,
  system: string,
  now: number,
  until: number,
): { log: CallLog; claimed?: LoggedEntry } {
  const claimable = log.entries.find(
    (entry, index) =>
      entry.system === system &&
      isPendingEntry(entry) &&
      entry.due <= now &&
      !log.entries
        .slice(0, index)
        .some(
          (earlier) =>
            isPendingEntry(earlier) &&
            earlier.system === entry.system &&
            isSameRecord(earlier.record, entry.record),
        ),
  );
  if (!claimable) return { log };
  const said = log.entries.findLast((entry) => entry.state === 'done' && isSamePlace(entry, claimable));
  const claimed: LoggedEntry = {
    ...claimable,
    secondsBefore: said?.talkSeconds ?? 0,
    state: 'sending',
    due: until,
    attempts: claimable.attempts + 1,
  };
  return { log: replaced(log, claimed), claimed };
}

/** Returns the changed log; undefined if the claim ended, or the entry is unwanted. `basis`: what the text says. */
export function confirmEntry(
  call: Call,
  log: CallLog,
  claim: EntryClaim,
  basis: string,
  until: number,
): CallLog | undefined {
  const entry = log.entries.find((each) => sameEntry(each, claim));
  if (entry?.state !== 'sending' || entry.attempts !== claim.attempts || !isWanted(entry, call))
    return undefined;
  const talkSeconds = entry.kind === 'moved' ? 0 : (call.talkSeconds ?? 0);
  return replaced(log, { ...entry, basis, talkSeconds, due: until });
}

/** The CRM is back: failed entries are due at once. Entries that may have been created are due after their pause. */
export function hastenEntries(log: CallLog, system: string | undefined, now: number): CallLog {
  const soonest = { waiting: now, unsure: now + unsureMs } as const;
  return {
    ...log,
    entries: log.entries.map((entry) =>
      (entry.state === 'waiting' || entry.state === 'unsure') &&
      entry.attempts > 0 &&
      (system ?? entry.system) === entry.system
        ? { ...entry, due: Math.min(entry.due, soonest[entry.state]) }
        : entry,
    ),
  };
}

export type EntryOutcome =
  | { kind: 'done'; url?: string | undefined }
  /** The entry is not in the CRM, and must not be created any more. */
  | { kind: 'absent' }
  | { kind: 'waiting' | 'unsure'; due: number; reason: string }
  | { kind: 'needsAgent' | 'dead'; reason: string };

/** Settles a claim. Does nothing where another attempt was made meanwhile. */
export function settleEntry(log: CallLog, claim: EntryClaim, outcome: EntryOutcome): CallLog {
  const entry = log.entries.find((each) => sameEntry(each, claim));
  if (!entry || entry.attempts !== claim.attempts) return log;
  if (outcome.kind === 'absent')
    return { ...log, entries: log.entries.filter((each) => !sameEntry(each, claim)) };
  if (entry.isDropped && outcome.kind !== 'done') return log;
  const { reason: _earlier, ...rest } = entry;
  return replaced(log, {
    ...rest,
    state: outcome.kind,
    due: 'due' in outcome ? outcome.due : 0,
    ...('reason' in outcome ? { reason: outcome.reason } : {}),
    ...('url' in outcome && outcome.url ? { url: outcome.url } : {}),
  });
}

const replaced = (log: CallLog, entry: LoggedEntry): CallLog => ({
  ...log,
  entries: log.entries.map((each) => (sameEntry(each, entry) ? entry : each)),
});

const emptyLog: CallLog = { systems: [], entries: [] };

/** @param text as stored; empty: the call is logged nowhere. */
export const parseLog = (text: string): CallLog => (text === '' ? emptyLog : (JSON.parse(text) as CallLog));
export const formatLog = (log: CallLog): string => {
  const { systems, entries, lacksRecord, outcomeLabel } = log;
  return systems.length + entries.length > 0 || lacksRecord || outcomeLabel ? JSON.stringify(log) : '';
};
