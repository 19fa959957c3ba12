/** What the team's rules say of a call that is about to be journalled, decided here alone and purely, in the step of the journal. */
import type { Intent, PlaceResult } from './store.ts';
import type { AuditRecord, RulesStatus } from './team-rules.ts';

/** An override passes the list, never a lease: two agents at once do not help. A caller's own lease is asked about by the browser. */
export function refusalOnStatus(
  { call, lease: wanted, override, refusal }: Intent,
  { doNotCall, lease }: RulesStatus,
): PlaceResult | undefined {
  if (refusal) return refusal;
  if (doNotCall && !override) return { kind: 'doNotCall', entry: doNotCall };
  if (wanted && lease && lease.caller !== call.from) return { kind: 'leased', lease };
  return undefined;
}

export function overrideRecords({ call, callee, override, now }: Intent): AuditRecord[] {
  if (!override) return [];
  const { by, reason: detail } = override;
  const about = callee?.key ?? call.to;
  return [{ at: new Date(now).toISOString(), action: 'override', by, about, callId: call.id, detail }];
}
