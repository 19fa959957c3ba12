/** The state, inputs and effects of the gesture's state machine, and the steps that several inputs share. */

/** How long something must be on the screen before a press on it counts. */
export const minVisibleMs = 300;
/** How long a number may keep moving after its press. If it moves longer, it is not dialled. */
const maxWaitMs = 1_500;

/** What the machine has to know of a number on the page. Equal keys mean the same place. */
export interface Subject {
  readonly kind: 'mark' | 'link' | 'control';
  readonly key: object;
  readonly source: { readonly text: string };
  readonly number: { readonly display: string; readonly to: string };
}

/** Why a press did not call: it must be repeated on the changed number, or it was a double click, which selects. */
export type Hint = 'again' | 'doubleClick';

/** What the tip belongs to: the pointer, or the number that the keyboard focused or a finger tapped. */
export type Mode = 'pointer' | 'keyboard' | 'tap';

export interface ShownTip<Target extends Subject> {
  target: Target;
  mode: Mode;
  /** Since when the number is visible, unchanged and at its place. In the future while a tip is delayed. */
  readableSince: number;
  delayMs: number;
}

export interface PointerPlace {
  x: number;
  y: number;
}

export interface State<Target extends Subject> {
  /** Time of the newest input. */
  at: number;
  tip?: ShownTip<Target> | undefined;
  /** A press on a number. `wasShown`: the tip showed this number at that time. */
  press?:
    | (PointerPlace & { target: Target; wasShown: boolean; at: number; isMouse: boolean; selection: string })
    | undefined;
  /** True from a pointer's press to its click. A click is by pointer only while this is true. */
  wasPressed: boolean;
  /** The press that is to dial once its number was readable for long enough. */
  pending?: { target: Target; selection: string; until: number } | undefined;
  /**
   * The number that the mouse or pen entered. If the page put a number under the pointer, the pointer must leave and
   * enter it.
   */
  cameTo?: string | undefined;
  /** What was shown of the dialled number. Its tip stays hidden until the mouse or pen has left the number. */
  dialled?: string | undefined;
  /** The page covers the tip. */
  isCovered: boolean;
  /** The link of the page that the agent has focused by Tab. */
  tabbedLink?: object | undefined;
  /** The focus came to our skip link without Tab: the page may have put it there. */
  isLed?: boolean;
  /** The focused link of the page whose number was shown by an Enter. */
  enteredLink?: object | undefined;
  isTabDown: boolean;
  typedAt: number;
  /** How long a tip under the pointer stays hidden at first. */
  tipDelayMs: number;
}

interface Common {
  /** Milliseconds of a clock that should not run backwards. */
  at: number;
  /** False for events that a script made. Missing in inputs of our own code. */
  isTrusted?: boolean;
}
interface OfPointer extends PointerPlace {
  pointerType: string;
  /** The primary button without a modifier key. */
  isPlain: boolean;
  /** The event is on our own element. */
  isOurs: boolean;
  /** What is under the pointer was already there when the pointer last moved. */
  isStill: boolean;
  selection: string;
}
/** A telephone link of the page around an event. */
export interface LinkAtEvent {
  key: object;
  /** The event is inside a box of the link. */
  isInBox: boolean;
  /** The link itself is activated, not a button in it. */
  isActivated: boolean;
}

interface InputFields<Target> {
  down: OfPointer & { isPrimary: boolean; target: Target | undefined; isOnTop: boolean };
  click: OfPointer & { clicks: number; target: Target | undefined; link: LinkAtEvent | undefined };
  /** `isByHand`: the pointer is at another place than before. */
  move: PointerPlace & {
    pointerType: string;
    isByHand: boolean;
    hasOurFocus: boolean;
    target: Target | undefined;
  };
  /** The browser scrolls or drags instead. */
  cancel: object;
  /** The page may have changed. */
  frame: { target: Target | undefined; isStill: boolean; isCurrent: boolean };
  /** `wasTab`: Tab moved the focus, and the page did not handle the key. `isOurs`: to our skip link. */
  focusIn: { link: object | undefined; wasTab: boolean; isFocusVisible: boolean; isOurs: boolean };
  focusOut: { key: object };
  /** Our link over a number has lost the focus. */
  ourBlur: object;
  keyDown: {
    key: string;
    isRepeat: boolean;
    hasModifier: boolean;
    isComposing: boolean;
    isOurs: boolean;
    /** Our link over a number has the focus. */
    hasOurFocus: boolean;
    link: object | undefined;
  };
  /** A key was released, or its release will not be reported because the window has lost the focus. */
  keyUp: object;
  /** The number of a link that `resolveLink` asked for. */
  linkFocused: { target: Target; isFocused: boolean };
  linkEntered: { target: Target };
  linkActivated: { target: Target };
  /** The button in the tip. `isBrought`: the page has put it under the resting pointer. */
  button: { target: Target; isBrought: boolean };
  /**
   * Commands of the browser: `step` focuses another number, `command` dials the focused number. `focus` is the page's
   * active element.
   */
  step: { target: Target };
  command: { focus: object | null };
  /** The boxes of the tip's number have changed. */
  moved: object;
  /** Our element was put on top again. */
  raised: object;
  covered: { isCovered: boolean };
  settings: { tipDelayMs: number };
  check: { isCurrent: boolean; selection: string };
  verified: { cover: Cover; isSeen: boolean };
  hint: { hint: Hint };
}
/** Whether something of the page lies over the tip. Unknown if the browser cannot say. */
export type Cover = 'clear' | 'covered' | 'unknown';
export type InputType = keyof InputFields<Subject>;
type InputOf<Type extends InputType, Target> = Common & { type: Type } & InputFields<Target>[Type];
export type Input<Target> = { [Type in InputType]: InputOf<Type, Target> }[InputType];

export type Effect<Target> =
  | { type: 'show'; target: Target; as: 'tip' | 'link' | 'button'; hint: Hint | undefined }
  /** Moves the tip to its number. */
  | { type: 'position'; target: Target }
  /** `isReleased`: gives back the focus that our link took. */
  | { type: 'hide'; isReleased: boolean }
  /** The event is ours: neither page nor browser acts on it. */
  | { type: 'consume' }
  | { type: 'preventDefault' }
  /** Feeds `check` after `afterMs`. If that is 0, at once. */
  | { type: 'check'; afterMs: number; target: Target }
  /** Feeds `verified`. */
  | { type: 'verify'; target: Target }
  /** Both feed `frame`: `retarget` at once, `refresh` in the next frame. */
  | { type: 'retarget' }
  | { type: 'refresh' }
  /** Feeds `hint`. */
  | { type: 'hint'; hint: Hint }
  | { type: 'resolveLink'; link: object; as: 'linkFocused' | 'linkEntered' | 'linkActivated' }
  | { type: 'focusOurs' }
  | { type: 'closeCard' }
  | { type: 'dial'; target: Target; isByKeyboard: boolean }
  /** Asks on a page of our own. */
  | { type: 'askElsewhere'; target: Target };

export interface GestureStep<Target extends Subject> {
  state: State<Target>;
  effects: readonly Effect<Target>[];
}
export type Inputs<Types extends InputType> = {
  [Type in Types]: <Target extends Subject>(
    state: State<Target>,
    input: InputOf<Type, Target>,
  ) => GestureStep<Target>;
};

export const initialState = <Target extends Subject>(): State<Target> => ({
  at: Number.NEGATIVE_INFINITY,
  wasPressed: false,
  isCovered: false,
  isTabDown: false,
  typedAt: Number.NEGATIVE_INFINITY,
  tipDelayMs: 0,
});

export const same = <Target extends Subject>(
  state: State<Target>,
  ...effects: Effect<Target>[]
): GestureStep<Target> => ({ state, effects });
/** The step, with these effects after its own effects. */
export const followedBy = <Target extends Subject>(
  { state, effects }: GestureStep<Target>,
  ...more: Effect<Target>[]
): GestureStep<Target> => same(state, ...effects, ...more);

/** True if both are at the same place, show the same and would dial the same. */
export const isSameTarget = (one: Subject | undefined, other: Subject | undefined): boolean =>
  one?.key === other?.key && shownBy(one) === shownBy(other);
export const shownBy = (target: Subject | undefined) =>
  target && [target.source.text, target.number.display, target.number.to].join('\n');

/** A hand moved the pointer onto a number, or a finger pressed it. */
export const comeTo = <Target extends Subject>(
  state: State<Target>,
  target: Target | undefined,
): State<Target> => ({ ...state, cameTo: shownBy(target) });
/**
 * The page has put a number under the resting pointer, or left it there. If its row is rendered again, or it is marked
 * late, the pointer has still come to it.
 */
export const restOn = <Target extends Subject>(
  state: State<Target>,
  target: Target | undefined,
  isStill: boolean,
): State<Target> => comeTo(state, isStill || hasComeTo(state, target) ? target : undefined);
export const hasComeTo = (state: State<Subject>, target: Subject | undefined): boolean =>
  state.cameTo === shownBy(target);

/** True if text was selected since the press. A selection that was made before does not count. */
export const hasSelectedSince = (before: string, now: string): boolean => now !== '' && now !== before;

export const isReadableTip = ({ tip, at }: State<Subject>): boolean =>
  tip !== undefined && at - tip.readableSince >= minVisibleMs;

/** The tip is readable from now on, or from when its delay ends. */
export const readableFromNow = <Target extends Subject>(state: State<Target>): State<Target> => {
  const { tip, at } = state;
  return tip ? { ...state, tip: { ...tip, readableSince: Math.max(tip.readableSince, at) } } : state;
};
/** The tip is shown again, and its delay starts again. */
export const restarted = <Target extends Subject>(state: State<Target>): State<Target> => {
  const { tip, at } = state;
  return tip ? { ...state, tip: { ...tip, readableSince: at + tip.delayMs } } : state;
};

export const position = <Target extends Subject>({ target }: ShownTip<Target>): Effect<Target> => ({
  type: 'position',
  target,
});
export const askElsewhere = <Target extends Subject>(target: Target): Effect<Target> => ({
  type: 'askElsewhere',
  target,
});

/** Shows a number in the tip. If the number is shown already, the tip is only positioned. */
export function showTip<Target extends Subject>(
  state: State<Target>,
  target: Target,
  mode: Mode,
  hint?: Hint,
): GestureStep<Target> {
  const { tip, at, tipDelayMs } = state;
  if (tip && isSameTarget(tip.target, target) && tip.mode === mode && !hint)
    return same({ ...state, tip: { ...tip, target } }, position(tip));
  const isControl = target.kind === 'control';
  const as =
    mode === 'keyboard' && target.kind !== 'link' ? 'link' : isControl || mode === 'tap' ? 'button' : 'tip';
  const delayMs = as === 'tip' ? tipDelayMs : 0;
  const shown = { target, mode, delayMs, readableSince: at + delayMs };
  const next = { ...state, tip: shown, dialled: undefined };
  return same(next, { type: 'show', target, as, hint }, position(shown));
}

/** Shows the number under the pointer, but not the one that was just dialled. */
export function pointAt<Target extends Subject>(
  state: State<Target>,
  target: Target | undefined,
): GestureStep<Target> {
  if (!target || state.dialled === shownBy(target)) return hide(state);
  return showTip(state, target, 'pointer');
}

export const hide = <Target extends Subject>(state: State<Target>): GestureStep<Target> =>
  state.tip ? same({ ...state, tip: undefined }, { type: 'hide', isReleased: false }) : same(state);

/** Hides the tip that keyboard or finger chose, and gives back the focus. */
export const release = <Target extends Subject>(state: State<Target>): GestureStep<Target> =>
  same({ ...state, tip: undefined, pending: undefined }, { type: 'hide', isReleased: true });

/** Accepts a press on the number in the tip. It dials as soon as the number was readable for long enough. */
export const accept = <Target extends Subject>(
  state: State<Target>,
  target: Target,
  selection: string,
): GestureStep<Target> =>
  same(
    { ...state, pending: { target, selection, until: state.at + maxWaitMs } },
    { type: 'check', afterMs: 0, target },
  );
