/**
 * Decides how the end of a call, or its wrap-up, moves the item of the sheet that was called. The functions are pure.
 */
import type { Call } from '../../shared/call/call.ts';
import { neverRang, outcomeOf } from '../../shared/call/outcome.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import type { WrapUpOutcome } from '../../shared/record/wrap-up.ts';
import type { ItemMove } from './sheet.ts';

/** What the team's rules say of the outcome that was chosen. */
export type OutcomeEffect = Pick<WrapUpOutcome, 'againHours' | 'doNotCall'> &
  Partial<Pick<WrapUpOutcome, 'label'>>;

/** How long after its time the item of a callback stays with its agent. Then every agent may get it. */
const callbackLeaseMs = dayMs;

/**
 * How long after a call without an answer its number is due again. An outcome or a callback that its agent enters
 * decides instead.
 */
export const unansweredAgainMs = 4 * hourMs;

/** A number that did not ring is due again at once. A late fact may prove that somebody talked after all. */
export function moveByFact(before: Call, after: Call, now: number): ItemMove | undefined {
  const { item, wrapUp } = after;
  const [was, is] = [againMs(before), againMs(after)];
  if (!item || wrapUp?.outcome || wrapUp?.callBackAt || was === is) return undefined;
  const moved = basis(after, item);
  return is === undefined ? { ...moved, state: 'called' } : { ...moved, state: 'open', due: now + is };
}

/** Undefined if somebody may have talked, or may still talk. */
function againMs(call: Call): number | undefined {
  if (neverRang(call)) return 0;
  return ['busy', 'noAnswer'].includes(outcomeOf(call)) ? unansweredAgainMs : undefined;
}

export function moveByWrapUp(
  before: Call,
  after: Call,
  { againHours, doNotCall }: OutcomeEffect,
  now: number,
): ItemMove | undefined {
  const { item, wrapUp, from } = after;
  const [was, is] = [before, after].map(({ wrapUp: { outcome, callBackAt, callBackBy } = { revision: 0 } }) =>
    [outcome, callBackAt, callBackBy].join(' '),
  );
  if (!item || was === is) return undefined;
  const moved = basis(after, item);
  if (doNotCall) return { ...moved, state: 'doNotCall' };
  if (wrapUp?.callBackAt) {
    const due = Date.parse(wrapUp.callBackAt);
    const caller = wrapUp.callBackBy ?? from;
    return { ...moved, state: 'open', due, caller, leasedUntil: due + callbackLeaseMs };
  }
  if (againHours !== undefined && wrapUp?.outcome)
    return { ...moved, state: 'open', due: now + againHours * hourMs };
  return { ...moved, state: wrapUp?.outcome ? 'done' : 'called' };
}

const basis = ({ id: callId, from, wrapUp }: Call, item: ItemMove['item']) => ({
  item,
  callId,
  due: 0,
  caller: from,
  leasedUntil: 0,
  outcome: wrapUp?.outcome ?? '',
});
