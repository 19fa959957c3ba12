/** What follows a call at the relay: its wrap-up, a callback, and its log entry. */
import { isFinished } from '../../../shared/call/call.ts';
import { wasNotPlaced } from '../../../shared/call/outcome.ts';
import { dayMs, minuteMs } from '../../../shared/durations.ts';
import { isPendingEntry } from '../../../shared/record/call-parts.ts';
import type { CallRecord } from './call-record.ts';

/** How long a call without an outcome is followed after its end. */
const outcomeMs = 10 * minuteMs;
/** How long a missed callback is followed after its due time. */
const missedCallbackMs = 7 * dayMs;
/** How long an unsent log entry is followed. The panel lists it, and the operator may still send it. */
const unsentEntryMs = 7 * dayMs;

/** Whether a call can have a wrap-up: the relay has it, and it was placed. Refused and unsent calls are not logged. */
export const canWrapUp = ({ call, relayRevision }: CallRecord): boolean =>
  relayRevision !== undefined && !wasNotPlaced(call);

/** Whether the agent has still to say how the call went. */
export const awaitsOutcome = (record: CallRecord): boolean =>
  canWrapUp(record) && isFinished(record.call) && !record.call.wrapUp?.outcome;

/** Whether the call's log entry waits for the agent to choose a record, or was given up. */
export const needsAgent = ({ call }: CallRecord): boolean =>
  call.entry?.state === 'needsAgent' || call.entry?.state === 'dead';

/** Whether wrap-up, callback or log entry of this call may still change here, at the relay or by a colleague. */
export function isUnfinished(record: CallRecord, now: number): boolean {
  const { call, outcomeAt, relayRevision } = record;
  if (relayRevision === undefined) return false;
  if (call.entry && isPendingEntry(call.entry)) return true;
  if (needsAgent(record) && outcomeAt !== undefined && now < Date.parse(outcomeAt) + unsentEntryMs)
    return true;
  const { callBackAt, callBackBy = call.from } = call.wrapUp ?? {};
  // A callback that a colleague took over is not followed here.
  if (callBackAt !== undefined && callBackBy === call.from)
    return now < Date.parse(callBackAt) + missedCallbackMs;
  return awaitsOutcome(record) && outcomeAt !== undefined && now < Date.parse(outcomeAt) + outcomeMs;
}
