/** Decides purely how the end of a call, or what the agent says of it, moves the item of the sheet that was called. */
import type { Call } from '../../shared/call/call.ts';
import { neverRang } from '../../shared/call/outcome.ts';
import { dayMs, hourMs } from '../../shared/durations.ts';
import type { WrapUpOutcome } from '../../shared/record/wrap-up.ts';
import type { ItemMove } from './sheet.ts';

/** What the team's rules say of the outcome that was chosen. */
export type OutcomeEffect = Pick<WrapUpOutcome, 'againHours' | 'doNotCall'> &
  Partial<Pick<WrapUpOutcome, 'label'>>;

/** Whose callback an item is has it so long after its time; then anybody gets it. */
const callbackLeaseMs = dayMs;

/** A number that did not ring is due again, at once. */
export function moveByFact(before: Call, after: Call, now: number): ItemMove | undefined {
  if (!after.item || after.wrapUp?.outcome || neverRang(before) || !neverRang(after)) return undefined;
  return { ...basis(after, after.item), state: 'open', due: now };
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
