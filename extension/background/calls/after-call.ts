/** What follows a call at the relay: its wrap-up, a callback, and its log entry. */
import { isFinished } from '../../../shared/call/call.ts';
import { wasNotPlaced } from '../../../shared/call/outcome.ts';
import { dayMs, minuteMs } from '../../../shared/durations.ts';
import { isPendingEntry } from '../../../shared/record/call-parts.ts';
import type { CallRecord } from './call-record.ts';

/** How long a call without an outcome is followed after its end. */
const outcomeMs = 10 * minuteMs;
/** How long a callback that is not made is followed. */
const missedCallbackMs = 7 * dayMs;
/** How long an entry that is not sent is followed: the panel lists it, and the operator may send it meanwhile. */
const unsentEntryMs = 7 * dayMs;

/** Whether the relay has it, and it was a call: what was refused or not sent is not logged. */
export const canWrapUp = ({ call, relayRevision }: CallRecord): boolean =>
  relayRevision !== undefined && !wasNotPlaced(call);

/** Whether the agent has still to say how the call went. */
export const awaitsOutcome = (record: CallRecord): boolean =>
  canWrapUp(record) && isFinished(record.call) && !record.call.wrapUp?.outcome;

/** Whether its entry waits for the agent to choose a record, or was given up. */
export const needsAgent = ({ call }: CallRecord): boolean =>
  call.entry?.state === 'needsAgent' || call.entry?.state === 'dead';

/** Whether anything of this may still change here, at the relay or by a colleague. */
export function isUnfinished(record: CallRecord, now: number): boolean {
  const { call, outcomeAt, relayRevision } = record;
  if (relayRevision === undefined) return false;
  if (call.entry && isPendingEntry(call.entry)) return true;
  if (needsAgent(record) && outcomeAt !== undefined && now < Date.parse(outcomeAt) + unsentEntryMs)
    return true;
  const { callBackAt, callBackBy = call.from } = call.wrapUp ?? {};
  // A colleague's callback is no longer ours.
  if (callBackAt !== undefined && callBackBy === call.from)
    return now < Date.parse(callBackAt) + missedCallbackMs;
  return awaitsOutcome(record) && outcomeAt !== undefined && now < Date.parse(outcomeAt) + outcomeMs;
}
