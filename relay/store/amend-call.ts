/**
 * Decides what an amendment changes. This file alone decides it, with pure functions, as `apply-change.ts` does for
 * facts.
 */
import type { Call } from '../../shared/call/call.ts';
import type { WrapUp } from '../../shared/record/call-parts.ts';
import { isSameRecord } from '../../shared/record/call-parts.ts';
import type { WrapUpRequest } from '../../shared/record/wrap-up.ts';
import {
  basisOf,
  type CallLog,
  claimEntry,
  confirmEntry,
  dropEntries,
  formatLog,
  hastenEntries,
  type LoggedEntry,
  parseLog,
  retryEntries,
  settleEntry,
  updateLog,
} from '../log/call-log.ts';
import { withStatus } from '../log/entry-status.ts';
import { moveByWrapUp } from '../sheets/item-move.ts';
import type { Amended, AmendedRules, Amendment } from './amendment.ts';
import type { CallState } from './call-state.ts';

/** @param logNow the time by the clock that all relays on one store share. */
export function amendCall(
  current: CallState,
  amendment: Amendment,
  now: number,
  logNow = now,
): { answer: Amended; next?: CallState; rules?: AmendedRules | undefined } {
  const call = JSON.parse(current.data) as Call;
  const log = parseLog(current.log);
  const made = decide(call, log, amendment, logNow);
  if (made === 'outdated') return { answer: { kind: 'outdated', call, outcomeLabel: log.outcomeLabel } };
  const changed = withoutUndefined({ ...call, ...made.fields });
  const data = withoutUndefined(withStatus(changed, made.log));
  const isSame = JSON.stringify(data) === current.data;
  const next = isSame ? call : { ...data, revision: call.revision + 1 };
  const effect = amendment.kind === 'wrapUp' ? (amendment.effect ?? {}) : {};
  const move = moveByWrapUp(call, next, effect, now);
  return {
    answer: {
      ...{ kind: 'amended', call: next, outcomeLabel: made.log.outcomeLabel },
      ...(made.claimed ? { claimed: made.claimed } : {}),
    },
    next: { ...current, data: isSame ? current.data : JSON.stringify(next), log: formatLog(made.log) },
    rules: move ? { entries: [], audit: [], ...amendment.rules, move } : amendment.rules,
  };
}

/** If a record is chosen again, its entries are tried again. */
const logOn = (call: Call, log: CallLog, now: number): CallLog =>
  updateLog(call, retryEntries(call, log, now), now);

interface Made {
  log: CallLog;
  fields?: { [K in keyof Call]?: Call[K] | undefined };
  claimed?: LoggedEntry | undefined;
}

function decide(call: Call, log: CallLog, amendment: Amendment, now: number): Made | 'outdated' {
  switch (amendment.kind) {
    case 'wrapUp': {
      if ((call.wrapUp?.revision ?? 0) !== amendment.revision) return 'outdated';
      const wrapUp = mergedWrapUp(call.wrapUp, amendment.request);
      const outcomeLabel = amendment.request.outcome ? amendment.effect?.label : log.outcomeLabel;
      return { log: updateLog({ ...call, wrapUp }, { ...log, outcomeLabel }, now), fields: { wrapUp } };
    }
    case 'closeCallback': {
      if (call.wrapUp?.callBackAt === undefined) return { log };
      return { log, fields: { wrapUp: mergedWrapUp(call.wrapUp, { callBackAt: null }) } };
    }
    case 'record': {
      const { record, systems } = amendment;
      const moved = { ...log, systems, lacksRecord: undefined };
      if (isSameRecord(call.record, record)) return { log: logOn(call, moved, now) };
      const { record: _before, ...rest } = call;
      return {
        log: logOn(record ? { ...rest, record } : rest, moved, now),
        fields: { record, entry: undefined },
      };
    }
    case 'claimEntry': {
      const { log: next, claimed } = claimEntry(log, amendment.system, now, amendment.until);
      return { log: next, claimed };
    }
    case 'confirmEntry': {
      const confirmed =
        amendment.basis === basisOf(call) &&
        confirmEntry(call, log, amendment.claim, amendment.basis, amendment.until);
      return confirmed ? { log: confirmed } : 'outdated';
    }
    case 'settleEntry':
      // If the call changed while its entry was sent, the change becomes a further part.
      return { log: updateLog(call, settleEntry(log, amendment.claim, amendment.outcome), now) };
    case 'hastenEntries':
      return { log: hastenEntries(log, amendment.system, now) };
    case 'retryEntries':
      return { log: retryEntries(call, log, now) };
    case 'dropEntries':
      return { log: dropEntries(log) };
  }
}

/** Absent fields stay; null removes. */
function mergedWrapUp(before: WrapUp | undefined, request: WrapUpRequest): WrapUp {
  const { outcome, note, callBackAt, callBackBy } = { ...before, ...withoutUndefined(request) };
  return {
    ...(outcome ? { outcome } : {}),
    ...(note ? { note } : {}),
    ...(callBackAt ? { callBackAt: new Date(callBackAt).toISOString() } : {}),
    ...(callBackAt && callBackBy ? { callBackBy } : {}),
    revision: (before?.revision ?? 0) + 1,
  };
}

/** Leaves out members that are undefined. For our types they are the same as absent ones. */
const withoutUndefined = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
