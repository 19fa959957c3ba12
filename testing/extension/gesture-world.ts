/** A hand and a clock at an imitated page: carries out what the gesture's state machine asks for, while the page interferes. */
import type { transition } from '../../extension/content/gesture.ts';
import {
  type Cover,
  type Effect,
  type Input,
  initialState,
  type State,
  type Subject,
} from '../../extension/content/gesture-state.ts';
import { type Change, createPage } from './gesture-page.ts';
import { createWatch } from './gesture-watch.ts';

export type Transition = typeof transition;
type Fed = Input<Subject> extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;
type EffectOf<Type extends Effect<Subject>['type']> = Extract<Effect<Subject>, { type: Type }>;

/** What may happen, by name. */
export interface Acts {
  wait: { ms: number };
  move: { slot: number };
  press: {
    pointer: 'mouse' | 'touch';
    isTrusted: boolean;
    isPrimary: boolean;
    drag: number;
    clicks: number;
    holdMs: number;
  };
  /** The page changes a number; `isSeen`: before the next frame. */
  interfere: { change: Change; which: number; slot: number; isSeen: boolean };
  /** The page changes a number between a press and its release. */
  pressAround: { pointer: 'mouse' | 'touch'; change: Change; which: number; slot: number };
  cover: { isCovered: boolean };
  /** The page opens a layer above the tip, which not every browser reports. */
  layer: { isReported: boolean };
  key: { key: string; isTrusted: boolean; isRepeat: boolean; isComposing: boolean };
  focus: { which: number; wasTab: boolean };
  blur: object;
  select: { text: string };
  step: { which: number };
  command: object;
  /** `isBrought`: the page has put the button under the resting pointer. */
  button: { isBrought: boolean };
  activate: { which: number };
  frame: object;
}
export type Action = { [Do in keyof Acts]: { do: Do } & Acts[Do] }[keyof Acts];

export function createWorld(step: Transition) {
  const page = createPage();
  const watch = createWatch();
  let state: State<Subject> = initialState();
  /** The clock that the machine reads. */
  let now = 1_000;
  let handSlot = 0;
  /** What the content script knows of the pointer: where it came to rest, and what was there then. */
  let pointer: { slot: number; content: string; text: string | undefined } | undefined;
  let selection = '';
  let isCovered = false;
  let layer: Cover = 'clear';
  let focus: object | undefined;
  let hasOurFocus = false;
  /** The element whose focus the agent moved there. */
  let focusByAgent: object | undefined;
  let isTabDown = false;
  let timers: { at: number; target: Subject }[] = [];

  const pointAt = (slot: number) => {
    pointer = { slot, content: page.contentAt(slot), text: page.textAt(slot) };
  };
  const isStill = () => pointer !== undefined && pointer.content === page.contentAt(pointer.slot);
  const isOnPage = (target: Subject) => page.slotOf(target) !== undefined;
  const cover = (): Cover => (isCovered ? 'covered' : layer);
  const isUncovered = () => cover() === 'clear';

  const queue: Fed[] = [];
  let isFeeding = false;
  const feed = (input: Fed): void => {
    queue.push(input);
    if (isFeeding) return;
    isFeeding = true;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const result = step(state, { at: now, ...next } as Input<Subject>);
      state = result.state;
      for (const effect of result.effects)
        (effects[effect.type] as (effect: Effect<Subject>) => void)(effect);
      watch.endStep();
    }
    isFeeding = false;
  };
  const frame = () => {
    const isFollowing = !state.pending && (!state.tip || state.tip.mode === 'pointer');
    const target = isFollowing ? page.at(pointer?.slot) : undefined;
    feed({ type: 'frame', target, isStill: isStill(), isCurrent: !!state.tip && isOnPage(state.tip.target) });
  };
  const position = (target: Subject) => {
    if (watch.position(page.slotOf(target))) feed({ type: 'moved' });
  };
  const check = (target: Subject) => {
    if (isOnPage(target)) position(target);
    feed({ type: 'check', isCurrent: isOnPage(target), selection });
  };
  const ignore = () => {};
  const effects: { [Type in Effect<Subject>['type']]: (effect: EffectOf<Type>) => void } = {
    show({ target, as }) {
      watch.show(target, as);
      layer = 'clear';
      feed({ type: 'raised' });
    },
    position: ({ target }) => position(target),
    hide({ isReleased }) {
      watch.hide(isReleased);
      if (isReleased) hasOurFocus = false;
    },
    check({ afterMs, target }) {
      if (afterMs <= 0) check(target);
      else timers.push({ at: now + afterMs, target });
    },
    verify: ({ target }) => feed({ type: 'verified', cover: cover(), isSeen: page.isSeen(target) }),
    retarget: frame,
    refresh: frame,
    hint: ({ hint }) => feed({ type: 'hint', hint }),
    focusOurs() {
      hasOurFocus = true;
    },
    resolveLink({ link, as: type }) {
      const target = page.byKey(link);
      if (target)
        feed(type === 'linkFocused' ? { type, target, isFocused: focus === target.key } : { type, target });
    },
    dial: ({ target }) => watch.dial(target, page.isSeen(target), !isUncovered()),
    consume: ignore,
    preventDefault: ignore,
    closeCard: ignore,
    askElsewhere: ignore,
  };

  const runTimers = () => {
    const due = timers.filter((timer) => timer.at <= now);
    timers = timers.filter((timer) => timer.at > now);
    for (const { target } of due) if (state.pending?.target === target) check(target);
  };
  const pass = (ms: number) => {
    now += ms;
    watch.pass(ms);
    runTimers();
  };
  const setFocus = (which: number, wasTab: boolean) => {
    const target = page.number(which);
    if (!target) return;
    focus = target.key;
    hasOurFocus = false;
    focusByAgent = wasTab && isTabDown ? target.key : undefined;
    isTabDown = false;
    const link = target.kind === 'link' ? target.key : undefined;
    feed({ type: 'focusIn', link, wasTab, isFocusVisible: true });
  };
  const interfere = ({ change, which, slot }: Omit<Acts['pressAround'], 'pointer'>) =>
    change === 'focused' ? setFocus(which, false) : page.change(which, change, slot);

  const ofPointer = (pointerType: string, isTrusted: boolean, slot: number) => ({
    x: slot * 100,
    y: 0,
    pointerType,
    isTrusted,
    isPlain: true,
    isOurs: false,
    isStill: isStill(),
    selection,
  });
  const press = (action: Acts['press'], meanwhile?: () => void) => {
    const { pointer: type, isTrusted, isPrimary, drag, clicks, holdMs } = action;
    const slot = handSlot;
    const isMouse = type === 'mouse';
    if (!isMouse) pointer = undefined;
    const pressed = page.at(slot);
    const wasShown = cover() !== 'covered' && !!pressed && watch.tip?.shown === pressed.source.text;
    const selectedBefore = selection;
    feed({
      type: 'down',
      ...ofPointer(type, isTrusted, slot),
      isPrimary,
      target: pressed,
      isOnTop: layer !== 'covered',
    });
    pass(holdMs);
    meanwhile?.();
    const clicked = page.at(slot);
    const isOne = clicked?.key === pressed?.key && clicked?.source.text === pressed?.source.text;
    if (!isMouse && isOne) pointAt(slot);
    // What the agent's hand did, whatever the machine makes of it.
    const isDeliberate = isTrusted && isPrimary && drag <= 5 && selectedBefore === selection;
    const isPress = isDeliberate && wasShown && isOne && pressed.kind !== 'control';
    const hasCome = !isMouse || pointer?.text === pressed?.source.text;
    if (isPress && hasCome && (isMouse ? clicks === 1 : holdMs < 500)) watch.press(type, holdMs);
    const link =
      clicked?.kind === 'link' ? { key: clicked.key, isInBox: true, isActivated: true } : undefined;
    const facts = ofPointer(type, isTrusted, slot);
    feed({ type: 'click', ...facts, x: facts.x + drag, clicks, target: clicked, link });
  };
  const pressKey = ({ key, isTrusted, isRepeat, isComposing }: Acts['key']) => {
    if (isTrusted) isTabDown = key === 'Tab';
    const focused = page.byKey(focus);
    const link = !hasOurFocus && focused?.kind === 'link' ? focused : undefined;
    const isOurLink = hasOurFocus && watch.tip?.as === 'link';
    const isTabbedLink =
      key === 'Enter' && !!link && focusByAgent === focus && watch.tip?.shown === link.source.text;
    const isPress = (key === 'Enter' || key === ' ') && isTrusted && !isRepeat && !isComposing;
    if (isPress && (isOurLink || isTabbedLink) && isUncovered() && watch.isReadable()) watch.press('key');
    const facts = { key, isTrusted, isRepeat, isComposing, hasModifier: false };
    feed({ type: 'keyDown', ...facts, isOurs: hasOurFocus, hasOurFocus, link: link?.key });
  };

  const acts: { [Do in keyof Acts]: (act: Acts[Do]) => void } = {
    wait({ ms }) {
      pass(ms);
      // A clock that is set back and on again between two inputs cannot be noticed.
      if (ms < 0) frame();
    },
    move({ slot }) {
      const isByHand = pointer?.slot !== slot;
      handSlot = slot;
      if (isByHand) pointAt(slot);
      const target = page.at(slot);
      feed({ type: 'move', x: slot * 100, y: 0, pointerType: 'mouse', isByHand, hasOurFocus, target });
    },
    press,
    interfere(act) {
      interfere(act);
      if (act.isSeen) frame();
    },
    pressAround: ({ pointer, ...act }) =>
      press({ pointer, isTrusted: true, isPrimary: true, drag: 0, clicks: 1, holdMs: 50 }, () =>
        interfere(act),
      ),
    cover(act) {
      if (isCovered && !act.isCovered) watch.restart();
      isCovered = act.isCovered;
      feed({ type: 'covered', isCovered });
    },
    layer({ isReported }) {
      layer = isReported ? 'covered' : 'unknown';
    },
    key: pressKey,
    focus: ({ which, wasTab }) => setFocus(which, wasTab),
    blur() {
      if (hasOurFocus) feed({ type: 'ourBlur' });
      else if (focus) feed({ type: 'focusOut', key: focus });
      focus = undefined;
      hasOurFocus = false;
    },
    select({ text }) {
      selection = text;
    },
    step({ which }) {
      const target = page.number(which);
      if (target && target.kind !== 'link') feed({ type: 'step', target });
    },
    command() {
      watch.press('command');
      feed({ type: 'command', focus: focus ?? null });
    },
    button({ isBrought }) {
      if (watch.tip?.as !== 'button' || !state.tip) return;
      if (!isBrought) watch.press('button');
      feed({ type: 'button', target: state.tip.target, isBrought });
    },
    activate({ which }) {
      const target = page.number(which);
      if (target?.kind === 'link') feed({ type: 'linkActivated', target });
    },
    frame,
  };

  return {
    act: (action: Action): void => (acts[action.do] as (act: Action) => void)(action),
    dialled: watch.dialled,
  };
}
