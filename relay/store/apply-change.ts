/**
 * Decides what a change does to a call. This file alone decides it, with pure functions: the engines read, call it, and
 * write what it returns.
 */
import { type Call, isFinished } from '../../shared/call/call.ts';
import { neverRang } from '../../shared/call/outcome.ts';
import { transition } from '../../shared/call/transition.ts';
import {
  type DueEntry,
  dueEntries,
  formatLog,
  isUnlogged,
  parseLog,
  updateLog,
  wrapUpWindowMs,
} from '../log/call-log.ts';
import { needsRecord, recordQueue, withStatus } from '../log/entry-status.ts';
import { moveByFact } from '../sheets/item-move.ts';
import type { AmendedRules } from './amendment.ts';
import type { CallState } from './call-state.ts';
import type { Applied, Arrival, CallChange, Intent } from './store.ts';

/**
 * The first notification of each kind of end is believed. A different one of the same kind is kept with its details,
 * and never shown.
 */
interface ArrivalRecord {
  event: string;
  digest: string;
  at?: number;
  details?: unknown;
}

export interface DecidedChange {
  answer: Applied;
  /** The state to be written. A new `data` adds one event, too. */
  next?: CallState;
  forward?: Arrival['forward'];
  rules?: AmendedRules | undefined;
}

/** The most contradicting notifications of one kind of end that are kept. They must not fill the store. */
const maxContradictions = 20;

export function newCallState({
  call,
  placedBy,
  deadline,
  lease,
  attempt,
  logSystems = [],
  lacksRecord,
}: Intent): CallState {
  return {
    data: JSON.stringify(call),
    isOpen: true,
    isDialling: placedBy === 'relay',
    deadline,
    arrivals: '[]',
    leasedUntil: lease ? deadline + wrapUpWindowMs : 0,
    attempt: attempt?.bucket ?? '',
    log: formatLog({ systems: logSystems, entries: [], lacksRecord }),
  };
}

/** @param logNow the time by the clock that all relays on one store share. */
export function applyChange(current: CallState, change: CallChange, logNow = change.now): DecidedChange {
  const { arrival, fact, now } = change;
  let { arrivals } = current;
  if (arrival) {
    const { event, digest } = arrival;
    const known = JSON.parse(arrivals) as ArrivalRecord[];
    const sameEnd = known.filter((each) => each.event === event);
    if (sameEnd.some((each) => each.digest === digest)) return { answer: { kind: 'repeat' } };
    if (sameEnd.length > maxContradictions) return { answer: { kind: 'conflict' } };
    if (sameEnd.length > 0) {
      const details = 'details' in fact ? fact.details : undefined;
      const contradiction: ArrivalRecord = { event, digest, at: now, details };
      const next = { ...current, arrivals: JSON.stringify([...known, contradiction]) };
      return { answer: { kind: 'conflict' }, next };
    }
    arrivals = JSON.stringify([...known, { event, digest }]);
  }
  const before = JSON.parse(current.data) as Call;
  const moved = transition(before, fact);
  const { call, log } =
    moved === before ? { call: before, log: current.log } : logged(moved, current.log, logNow);
  const data = call === before ? current.data : JSON.stringify(call);
  // A notification may come before the provider's answer. The journal's entry is then still undecided.
  const isDialling = arrival !== undefined && current.isDialling;
  const known = isDialling ? current.deadline : (change.deadline ?? current.deadline);
  const deadline = isFinished(call) && !isDialling ? undefined : known;
  const move = call === before ? undefined : moveByFact(before, call, now);
  const attempt = attemptCount(current, before, call);
  return {
    answer: {
      kind: call === before ? 'unchanged' : 'applied',
      state: call.state,
      reason: call.reason,
      ...(change.wantsCall ? { data } : {}),
    },
    next: {
      data,
      isOpen: !isFinished(call),
      isDialling,
      deadline,
      arrivals,
      attempt: current.attempt,
      leasedUntil: leaseEnd(current, before, call, known, now),
      log,
    },
    forward: arrival?.forward,
    rules: (move || attempt) && { entries: [], audit: [], move, attempt },
  };
}

/** After a call that may have rung, the lease lasts for the wrap-up's window: the agent may call once more. */
function leaseEnd(
  { leasedUntil }: CallState,
  before: Call,
  call: Call,
  deadline: number | undefined,
  now: number,
): number {
  if (leasedUntil === 0) return 0;
  if (!isFinished(call)) return (deadline ?? now) + wrapUpWindowMs;
  if (call === before) return leasedUntil;
  return neverRang(call) ? 0 : now + wrapUpWindowMs;
}

/**
 * A call counts as an attempt unless it is certain that the callee's phone did not ring. A late fact may prove that it
 * rang after all.
 */
function attemptCount({ attempt: bucket }: CallState, before: Call, call: Call): AmendedRules['attempt'] {
  const by = Number(neverRang(before)) - Number(neverRang(call));
  return bucket === '' || by === 0 ? undefined : { bucket, by };
}

/** A change that ends a call makes its entry due, in the same commit (Law 8). */
function logged(call: Call, current: string, now: number): { call: Call; log: string } {
  if (current === '') return { call, log: current };
  const log = updateLog(call, parseLog(current), now);
  return { call: withStatus(call, log), log: formatLog(log) };
}

/** What the engines index of a call beside its own fields. */
interface RecordIndex {
  due: readonly DueEntry[];
  /** When the call must be repeated, in milliseconds since the epoch, and by whom. */
  callback: { at: number; by: string } | undefined;
  /** Whether an entry is not in its CRM. */
  isUnlogged: boolean;
}

/** Most calls have neither an entry nor a callback: their index is not written. */
export const changesIndex = (current: Pick<CallState, 'log' | 'data'>, next: CallState): boolean =>
  next.log !== current.log || [current, next].some(({ data }) => /"(?:wrapUp|entry)"/.test(data));

export function indexOf({ data, log }: CallState): RecordIndex {
  const call = JSON.parse(data) as Call;
  const { id, wrapUp, from, createdAt } = call;
  const parsed = parseLog(log);
  return {
    // Each call that needs a record is in a lane of its own, due since its creation.
    due: needsRecord(call)
      ? [{ system: recordQueue, lane: id, due: Date.parse(createdAt) }]
      : dueEntries(parsed),
    isUnlogged: parsed.entries.some(isUnlogged),
    callback: wrapUp?.callBackAt
      ? { at: Date.parse(wrapUp.callBackAt), by: wrapUp.callBackBy ?? from }
      : undefined,
  };
}
