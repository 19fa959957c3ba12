/** The calls of this browser: intents, open calls and history in one place, each change one IndexedDB transaction. */
import { type Call, type Fact, isFinished } from '../../../shared/call/call.ts';
import { transition } from '../../../shared/call/transition.ts';
import type { Result } from '../../messages/result.ts';
import { database } from '../database.ts';
import { isUnfinished } from './after-call.ts';
import type { CallRecord } from './call-record.ts';
import { toOwnClock } from './relay-clock.ts';

type Listener = (record: CallRecord, before: CallRecord | undefined) => void;
const listeners = new Set<Listener>();

/** Called after a change is durable. */
export function onCallChanged(listener: Listener): void {
  listeners.add(listener);
}

/** The calls that a click is checked against. */
export interface CallsForClick {
  /** The calls in progress. */
  open: readonly CallRecord[];
  /** The calls since the time asked for, oldest first. */
  latest: readonly CallRecord[];
}

/**
 * Checks a click against the stored calls and stores its intent, in one transaction. A second transaction would delay
 * the click. The write is relaxed: `sending` is written strictly, and a request to the relay is idempotent.
 * @param since ISO 8601 UTC.
 * @param check returns the record to add, or the refusal. It is not called if a call with this id is stored already.
 * @returns the stored call with this id, or the result of `check`, after the transaction is done.
 */
export async function addCall<Added extends { record: CallRecord }>(
  id: string,
  since: string,
  check: (calls: CallsForClick) => Result<Added>,
): Promise<{ known: CallRecord; added?: never } | { known?: never; added: Result<Added> }> {
  const db = await database();
  const transaction = db.transaction('calls', 'readwrite', { durability: 'relaxed' });
  const { store } = transaction;
  const [known, open, latest] = await Promise.all([
    store.get(id),
    store.index('open').getAll(1),
    store.index('createdAt').getAll(IDBKeyRange.lowerBound(since)),
  ]);
  if (known) return { known };
  const added = check({ open, latest });
  if (added.ok) await store.add(added.value.record);
  await transaction.done;
  if (added.ok) for (const listener of listeners) listener(added.value.record, undefined);
  return { added };
}

/**
 * @param change a pure function. If it returns the same object, nothing is stored.
 * @param durability `strict` survives a power cut. It is for steps that must not happen twice.
 * @returns the record as it is now.
 */
export async function changeCall(
  id: string,
  change: (record: CallRecord) => CallRecord,
  durability: 'strict' | 'relaxed' = 'relaxed',
): Promise<CallRecord | undefined> {
  const db = await database();
  const transaction = db.transaction('calls', 'readwrite', { durability });
  const before = await transaction.store.get(id);
  if (!before) return undefined;
  const changed = change(before);
  const after = changed === before ? before : stamped(changed, before);
  if (after !== before) await transaction.store.put(after);
  await transaction.done;
  if (after !== before) for (const listener of listeners) listener(after, before);
  return after;
}

/**
 * Removes what agents wrote about calls; the calls themselves stay. The relay requests it with each reply to a revoked
 * key. So calls without notes are only read.
 */
export async function removeNotes(): Promise<void> {
  const records = await (await database()).getAll('calls');
  for (const record of records)
    if (withoutNotes(record) !== record) await changeCall(record.id, withoutNotes);
}

function withoutNotes(record: CallRecord): CallRecord {
  const { wrapUp } = record.call;
  if (record.note === '' && wrapUp?.note === undefined) return record;
  if (!wrapUp) return { ...record, note: '' };
  const { note: _, ...rest } = wrapUp;
  return { ...record, note: '', call: { ...record.call, wrapUp: rest } };
}

function stamped(changed: CallRecord, before: CallRecord): CallRecord {
  const changedAt = timeAfter(before);
  const isNewOutcome = isFinished(changed.call) && changed.call.state !== before.call.state;
  const after = { ...changed, changedAt, ...(isNewOutcome && { outcomeAt: changedAt }) };
  return { ...after, open: openness(after) };
}

/** Now, but not before the last change, also where the clock was set back. */
function timeAfter({ changedAt }: CallRecord): string {
  const now = new Date().toISOString();
  return now > changedAt ? now : changedAt;
}

/** If the reply to a call was lost, a phone may still ring. The call stays open as long as the relay may report it. */
function openness(record: CallRecord): CallRecord['open'] {
  const { phase, call, followed, relayRevision, followUntil } = record;
  const now = Date.now();
  if (phase !== 'placed' || !isFinished(call)) return 1;
  // The relay does not know of this end yet. Its own end of the call would replace it.
  if (record.report !== undefined && relayRevision !== undefined) return 1;
  const isAwaited = relayRevision !== undefined || followUntil > now;
  if (call.state === 'unknown' && call.reason === 'notAnswered' && followed === 'relay' && isAwaited)
    return 1;
  return isUnfinished(record, now) ? 2 : 0;
}

/** Recomputes `open` of calls whose wrap-up has taken too long. @returns those that stay unfinished. */
export async function unfinishedCalls(): Promise<CallRecord[]> {
  const now = Date.now();
  const finished = await (await database()).getAllFromIndex('calls', 'open', 2);
  for (const record of finished)
    if (!isUnfinished(record, now)) await changeCall(record.id, (current) => ({ ...current }));
  return finished.filter((record) => isUnfinished(record, now));
}

/** Applies a fact to a call. */
export function withFact(record: CallRecord, fact: Fact): CallRecord {
  const call = transition(record.call, fact);
  return call === record.call ? record : { ...record, call };
}

/** Converts the relay's times to this browser's clock. That clock sorts the history and counts the talk time. */
function withOwnTimes({ acceptedAt, connectedAt, ...call }: Call, createdAt: string): Call {
  return {
    ...call,
    createdAt,
    ...(acceptedAt && { acceptedAt: toOwnClock(acceptedAt) }),
    ...(connectedAt && { connectedAt: toOwnClock(connectedAt) }),
  };
}

/** Takes over the relay's Call, which is more complete than ours. An older revision is ignored. */
export function withRelayCall(record: CallRecord, relayCall: Call): CallRecord {
  if (record.relayRevision !== undefined && relayCall.revision <= record.relayRevision) return record;
  return {
    ...record,
    call: withOwnTimes(relayCall, record.createdAt),
    relayRevision: relayCall.revision,
    failure: undefined,
  };
}

export async function getCall(id: string): Promise<CallRecord | undefined> {
  return (await database()).get('calls', id);
}

export async function openCalls(): Promise<CallRecord[]> {
  return (await database()).getAllFromIndex('calls', 'open', 1);
}

/** Newest first. @param before `createdAt` of the last call on the previous page. */
export async function pastCalls(options: {
  limit: number;
  before?: string | undefined;
  matches?: ((record: CallRecord) => boolean) | undefined;
}): Promise<{ records: CallRecord[]; next?: string }> {
  const db = await database();
  const range = options.before === undefined ? null : IDBKeyRange.upperBound(options.before, true);
  const records: CallRecord[] = [];
  let cursor = await db.transaction('calls').store.index('createdAt').openCursor(range, 'prev');
  while (cursor) {
    if (!options.matches || options.matches(cursor.value)) {
      if (records.length === options.limit) return { records, next: records.at(-1)!.createdAt };
      records.push(cursor.value);
    }
    cursor = await cursor.continue();
  }
  return { records };
}

/** The calls from `since` on, oldest first. @param since ISO 8601 UTC. */
export async function recordsSince(since: string): Promise<CallRecord[]> {
  return (await database()).getAllFromIndex('calls', 'createdAt', IDBKeyRange.lowerBound(since));
}

/** Whether a call is not in progress. Its end may be unknown, and the relay may still report it (`openness`). */
const isPast = ({ phase, call }: CallRecord): boolean => phase === 'placed' && isFinished(call);

/** Removes a call that is not in progress. The others are not read: a history may be long, and a click would wait. */
export async function forgetPastCall(id: string): Promise<void> {
  const transaction = (await database()).transaction('calls', 'readwrite');
  const record = await transaction.store.get(id);
  if (record && isPast(record)) await transaction.store.delete(id);
  await transaction.done;
}

/** Removes every call that is not in progress. @returns how many are in progress and stay. */
export async function forgetPastCalls(): Promise<number> {
  const transaction = (await database()).transaction('calls', 'readwrite');
  let kept = 0;
  let cursor = await transaction.store.openCursor();
  while (cursor) {
    if (isPast(cursor.value)) await cursor.delete();
    else kept += 1;
    cursor = await cursor.continue();
  }
  await transaction.done;
  return kept;
}
