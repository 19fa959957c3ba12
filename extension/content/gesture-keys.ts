/**
 * What keys and focus do. Enter counts only if the agent moved the focus to the number, and the number was readable.
 */
import {
  accept,
  askElsewhere,
  followedBy,
  type GestureStep,
  hide,
  type Inputs,
  isReadableTip,
  isSameTarget,
  release,
  type State,
  type Subject,
  same,
  showTip,
} from './gesture-state.ts';

/** How long after a typed key Enter still belongs to what was typed. */
const typingMs = 500;

type KeyInput =
  | 'keyDown'
  | 'keyUp'
  | 'focusIn'
  | 'focusOut'
  | 'ourBlur'
  | 'linkFocused'
  | 'linkEntered'
  | 'linkActivated'
  | 'step'
  | 'command';

export const keyInputs: Inputs<KeyInput> = {
  keyDown(state, { at, key, isRepeat, hasModifier, isComposing, isOurs, hasOurFocus, link }) {
    if (key === 'Escape') return closeOne({ ...state, isTabDown: false }, hasOurFocus);
    const isTabDown = key === 'Tab';
    const isTyped = !isTabDown && key !== 'Enter' && !hasModifier;
    const next = { ...state, wasPressed: false, isTabDown, typedAt: isTyped ? at : state.typedAt };
    const { tip, pending } = next;
    if ((key !== 'Enter' && key !== ' ') || hasModifier || isComposing) return same(next);
    if (isOurs) {
      if (!hasOurFocus && !isRepeat) return same(next);
      // If a key is still held from before, it does not answer a question.
      if (isRepeat || tip?.mode !== 'keyboard' || pending) return same(next, { type: 'consume' });
      if (!isReadableTip(next)) return consumed(showTip(next, tip.target, 'keyboard', 'again'));
      return consumed(next.isLed ? same(next, askElsewhere(tip.target)) : accept(next, tip.target, ''));
    }
    if (key !== 'Enter' || !link) return same(next);
    if (isRepeat || pending) return same(next, { type: 'preventDefault' });
    return same(next, { type: 'preventDefault' }, { type: 'resolveLink', link, as: 'linkEntered' });
  },
  keyUp: (state) => same({ ...state, isTabDown: false }),

  focusIn(state, { link, wasTab, isFocusVisible, isOurs }) {
    const isByTab = state.isTabDown && wasTab;
    const tabbedLink = isByTab ? link : undefined;
    const next = {
      ...state,
      tabbedLink,
      isLed: isOurs && !isByTab,
      enteredLink: undefined,
      isTabDown: false,
    };
    return link && isFocusVisible ? same(next, { type: 'resolveLink', link, as: 'linkFocused' }) : same(next);
  },
  focusOut(state, { key }) {
    const { tip, pending } = state;
    return tip?.mode === 'keyboard' && tip.target.key === key && !pending ? hide(state) : same(state);
  },
  ourBlur: (state) => (state.tip?.mode === 'keyboard' ? hide(state) : same(state)),

  linkFocused: (state, { target, isFocused }) =>
    isFocused && !state.pending ? showTip(state, target, 'keyboard') : same(state),
  linkEntered(state, { at, target }) {
    const { tip, tabbedLink, enteredLink, typedAt, pending } = state;
    if (pending) return same(state);
    const isRead =
      tip?.mode === 'keyboard' &&
      isSameTarget(tip.target, target) &&
      isReadableTip(state) &&
      at - typedAt > typingMs;
    if (isRead && tabbedLink === target.key) return accept(state, target, '');
    // Tab did not move the focus to the link. The agent has read the number by now, but may not know what Enter does.
    if (isRead && enteredLink === target.key) return same(state, askElsewhere(target));
    return showTip({ ...state, enteredLink: target.key }, target, 'keyboard', 'again');
  },
  /** A link was activated without pointer or key: anything may have done it. */
  linkActivated: (state, { target }) => same(state, askElsewhere(target)),

  step(state, { target }) {
    const step = showTip({ ...state, pending: undefined, tip: undefined }, target, 'keyboard');
    return followedBy(step, { type: 'focusOurs' });
  },
  command(state, { focus }) {
    const { tip, pending } = state;
    if (!tip || pending || (tip.mode !== 'keyboard' && tip.target.key !== focus)) return same(state);
    return accept({ ...state, tip: { ...tip, mode: 'keyboard' } }, tip.target, '');
  },
};

/** One Escape closes one thing of ours. A dialog of the page stays open. */
function closeOne<Target extends Subject>(state: State<Target>, hasOurFocus: boolean): GestureStep<Target> {
  const { tip, pending } = state;
  if (!pending && !hasOurFocus && tip?.mode !== 'tap') return same(state, { type: 'closeCard' });
  if (pending && (!tip || tip.mode === 'pointer'))
    return same({ ...state, pending: undefined }, { type: 'consume' }, { type: 'refresh' });
  return consumed(release(state));
}

/** The step, and the event is ours. */
const consumed = <Target extends Subject>({ state, effects }: GestureStep<Target>): GestureStep<Target> =>
  same(state, { type: 'consume' }, ...effects);
