/**
 * What pointer, keys, focus and time mean for the number in the tip (Law 3): a pure state machine. It sees no element:
 * `click.ts` feeds it what happened and what was there, and carries out the effects. A call needs three things, in this
 * order:
 *
 * 1. The tip shows the number.
 * 2. A trusted press and release, or a key, on that number.
 * 3. The tip has shown it for `minVisibleMs`: unchanged, at its place, under nothing.
 */
import { keyInputs } from './gesture-keys.ts';
import { pointerInputs } from './gesture-pointer.ts';
import {
  askElsewhere,
  followedBy,
  type GestureStep,
  type Hint,
  hasSelectedSince,
  type Input,
  type Inputs,
  type InputType,
  isReadableTip,
  isSameTarget,
  minVisibleMs,
  pointAt,
  position,
  readableFromNow,
  release,
  restarted,
  restOn,
  type State,
  type Subject,
  same,
  shownBy,
  showTip,
} from './gesture-state.ts';

/** How late a check may still dial. After sleep or in a hidden tab, the agent no longer expects the call. */
const maxLateMs = 5_000;

const inputs: Inputs<InputType> = {
  ...pointerInputs,
  ...keyInputs,

  frame(state, { target, isStill, isCurrent }) {
    const { tip, pending } = state;
    // A pending press keeps its tip, wherever the pointer is by now.
    if (pending || (tip && tip.mode !== 'pointer'))
      return tip && isCurrent ? same(state, position(tip)) : release(state);
    const next = restOn(state, target, isStill);
    return pointAt(next, target);
  },
  moved: (state) => same(readableFromNow(state)),
  raised: (state) => same(restarted(state)),
  covered: (state, { isCovered }) =>
    same({ ...(state.isCovered && !isCovered ? readableFromNow(state) : state), isCovered }),
  settings: (state, { tipDelayMs }) => same({ ...state, tipDelayMs }),

  check(state, { at, isCurrent, selection }) {
    const { tip, pending } = state;
    if (!pending) return same(state);
    const isShown = isCurrent && isSameTarget(tip?.target, pending.target);
    const leftMs = tip ? tip.readableSince + minVisibleMs - at : 0;
    if (isShown && leftMs > 0 && at < pending.until)
      return same(state, { type: 'check', afterMs: leftMs, target: pending.target });
    // A double click selects the number after its first click was taken.
    if (hasSelectedSince(pending.selection, selection)) return refuse(state, 'doubleClick');
    if (!isShown || !isReadableTip(state) || isTooLate(pending, at)) return refuse(state);
    return same(state, { type: 'verify', target: pending.target });
  },
  verified(state, { at, cover, isSeen }) {
    const { tip, pending } = state;
    if (!pending || !tip) return same(state);
    const { target } = pending;
    if (!isSeen || cover === 'covered' || !isReadableTip(state)) return refuse(state);
    if (!isSameTarget(tip.target, target) || isTooLate(pending, at)) return refuse(state);
    const isByKeyboard = tip.mode === 'keyboard';
    const act = cover === 'clear' ? ({ type: 'dial', target, isByKeyboard } as const) : askElsewhere(target);
    if (tip.mode !== 'pointer') return followedBy(release(state), act, { type: 'refresh' });
    const done = { ...state, tip: undefined, pending: undefined, dialled: shownBy(target) };
    return same(done, act, { type: 'hide', isReleased: false }, { type: 'refresh' });
  },
  hint: (state, { hint }) =>
    state.tip ? showTip(state, state.tip.target, state.tip.mode, hint) : same(state),
};

/** @returns the state and effects that follow from an input. The given state is not changed. */
export function gestureStep<Target extends Subject>(
  state: State<Target>,
  input: Input<Target>,
): GestureStep<Target> {
  if (input.isTrusted === false) return same(state);
  const { at } = input;
  // If the clock was set back, it is not known how long something was readable or when it was pressed.
  const before = at < state.at ? restarted({ ...state, at, press: undefined, pending: undefined }) : state;
  const handle = inputs[input.type] as (state: State<Target>, input: Input<Target>) => GestureStep<Target>;
  return handle({ ...before, at }, input);
}

/** True if the agent pressed too long ago. */
const isTooLate = (pending: { until: number }, at: number): boolean => at > pending.until + maxLateMs;

/** Shows a number again, because something changed meanwhile, and asks the agent to check it. */
const refuse = <Target extends Subject>(state: State<Target>, hint: Hint = 'again'): GestureStep<Target> =>
  same({ ...state, pending: undefined }, { type: 'retarget' }, { type: 'hint', hint });
