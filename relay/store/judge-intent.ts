/**
 * Decides whether the do-not-call list or a lease stops a call, in the transaction that journals it. SQLite uses this
 * file. Redis decides the same in `placeScript` (`redis/scripts.ts`): change both.
 */
import type { Intent, PlaceResult, Tally } from './store.ts';
import type { AuditRecord, RulesStatus } from './team-rules.ts';

/**
 * An override passes the list, never a lease: two agents must not call at once. If the caller has the lease, the
 * browser asks.
 * @param status with the lease of another caller, if the call takes part in leases.
 */
export function refusalOnStatus({ override, refusal }: Intent, status: RulesStatus): PlaceResult | undefined {
  const { doNotCall, lease } = status;
  if (refusal) return refusal;
  if (doNotCall && !override) return { kind: 'doNotCall', entry: doNotCall };
  if (lease) return { kind: 'leased', lease };
  return undefined;
}

/** Every counter that the call must fit under, the team's attempts first. */
export const talliesOf = ({ attempt, tallies }: Intent): readonly Tally[] =>
  attempt ? [attempt, ...tallies] : tallies;

export function overrideRecords({ call, callee, override, now }: Intent): AuditRecord[] {
  if (!override) return [];
  const { by, reason: detail } = override;
  const about = callee?.key ?? call.to;
  return [{ at: new Date(now).toISOString(), action: 'override', by, about, callId: call.id, detail }];
}
