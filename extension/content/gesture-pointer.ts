/** What a pointer does to the tip. A press and release in one place counts; a drag or a selection never does. */
import {
  accept,
  comeTo,
  type GestureStep,
  hasComeTo,
  hasSelectedSince,
  type Inputs,
  isSameTarget,
  type PointerPlace,
  pointAt,
  release,
  restOn,
  type State,
  type Subject,
  same,
  shownBy,
  showTip,
} from './gesture-state.ts';

/** How far the pointer may move during a press. If it moves farther, the press is a drag. */
const maxMovePx = 5;
const longPressMs = 500;

export const pointerInputs: Inputs<'down' | 'click' | 'move' | 'cancel' | 'button'> = {
  down(state, { at, x, y, pointerType, isPlain, isPrimary, isOurs, isOnTop, selection, ...input }) {
    if (isOurs) return same(state);
    const target = isPrimary && isPlain ? input.target : undefined;
    const { tip, pending, isCovered } = state;
    const wasShown = !!target && isOnTop && !isCovered && isSameTarget(tip?.target, target);
    let step = same<(typeof tip & object)['target']>({
      ...state,
      wasPressed: true,
      isTabDown: false,
      press: undefined,
    });
    if (tip && tip.mode !== 'pointer' && !pending && !(tip.mode === 'tap' && wasShown)) {
      step = release(step.state);
      if (wasShown) step = chain(step, (released) => showTip(released, target, 'pointer'));
    }
    if (!target || target.kind === 'control') return step;
    const press = { target, wasShown, at, x, y, isMouse: pointerType === 'mouse', selection };
    return { ...step, state: { ...step.state, press } };
  },

  click(state, input) {
    const { isPlain, isOurs, isStill, link, selection, target } = input;
    const { tip, wasPressed } = state;
    const press = state.press && isTap(state.press, input) ? state.press : undefined;
    let next: typeof state = { ...state, press: undefined, wasPressed: false };
    if (!isPlain || isOurs) return same(next);
    if (!wasPressed) {
      // A screen reader, an access key or a voice made the click. If it activates a button inside the link, the page
      // keeps it, as after Enter in a form.
      if (!link?.isActivated) return same(next);
      return same(next, { type: 'consume' }, { type: 'resolveLink', link: link.key, as: 'linkActivated' });
    }
    const isSame = press && isSameTarget(press.target, target);
    const isMouse = input.pointerType === 'mouse';
    next = isMouse ? restOn(next, target, isStill) : comeTo(next, isSame ? target : undefined);
    const isRepeated = input.clicks > 1;
    const isForUs = link
      ? link.isInBox
      : isSame &&
        !hasSelectedSince(press.selection, selection) &&
        !(isMouse && (isRepeated || !press.wasShown));
    if (!isForUs) {
      // The tip was hidden when the number was dialled. A click there shows the number again.
      const isRedial = isSame && !!target && !isRepeated && state.dialled === shownBy(target);
      return isRedial ? showTip(next, target, 'pointer', 'again') : same(next);
    }
    const consumed = same(next, { type: 'consume' });
    if (!target || !press || isRepeated) return consumed;
    const isRead = isSame && press.wasShown && (isMouse ? hasComeTo(next, target) : tip?.mode === 'tap');
    return chain(consumed, (after) => {
      if (isRead) return accept(after, target, press.selection);
      const released = { ...after, pending: undefined };
      return isMouse ? showTip(released, target, 'pointer', 'again') : showTip(released, target, 'tap');
    });
  },

  move(state, { pointerType, isByHand, hasOurFocus, target, ...at }) {
    const isTouch = pointerType === 'touch';
    const moved = isTouch ? state : isByHand ? comeTo(state, target) : restOn(state, target, false);
    const hasLeft = isByHand && !isTouch && moved.dialled !== shownBy(target);
    const came = hasLeft ? { ...moved, dialled: undefined } : moved;
    const next = came.press && !isTap(came.press, at) ? { ...came, press: undefined } : came;
    const { tip, pending } = next;
    if (isTouch || tip?.mode === 'tap' || pending) return same(next);
    // The page moved under a resting pointer.
    if (!isByHand && tip && tip.mode !== 'pointer') return same(next);
    // Our link keeps the focus until a hand moves the pointer onto a number.
    if (hasOurFocus && !(isByHand && target)) return same(next);
    const released = tip && tip.mode !== 'pointer' ? release(next) : same(next);
    return chain(released, (after) => pointAt(after, target));
  },

  cancel: (state) => same({ ...state, press: undefined }),

  button(state, { target, isBrought }) {
    const { tip, pending } = state;
    if (!tip || pending || !isSameTarget(tip.target, target)) return same(state);
    return isBrought ? showTip(state, target, tip.mode, 'again') : accept(state, target, '');
  },
};

/** Does `next` after `step`, and keeps the effects of both. */
function chain<Target extends Subject>(
  step: GestureStep<Target>,
  next: (state: State<Target>) => GestureStep<Target>,
): GestureStep<Target> {
  const { state, effects } = next(step.state);
  return same(state, ...step.effects, ...effects);
}

/** True if an input is at the place of a press. With finger or pen, it must follow before the press is a long press. */
const isTap = (
  press: PointerPlace & { isMouse: boolean; at: number },
  { x, y, at }: PointerPlace & { at: number },
) => Math.hypot(x - press.x, y - press.y) <= maxMovePx && (press.isMouse || at - press.at < longPressMs);
