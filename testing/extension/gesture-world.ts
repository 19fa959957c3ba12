/**
 * A page, a hand and a clock without a browser: carries out what the gesture's state machine asks for, lets the page interfere, and
 * watches that no call breaks Law 3. The watch has its own record of what was shown and pressed, apart from the machine's.
 */
import type { transition } from '../../extension/content/gesture.ts';
import {
  type Effect,
  type Input,
  initialState,
  minVisibleMs,
  type State,
  type Subject,
} from '../../extension/content/gesture-state.ts';

export type Transition = typeof transition;
type Fed = Input<Subject> extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;

/** One of the page's numbers. What the page does to it makes it another subject, as in the real page. */
interface OnPage {
  kind: Subject['kind'];
  key: object;
  digits: number;
  slot: number;
}
/** The newest press that may dial, as the watch saw it. */
interface Press {
  shown: string;
  at: number;
  by: 'mouse' | 'touch' | 'key' | 'button' | 'command';
}
const maxDialDelayMs = 7_000;

export type Action =
  | { do: 'wait'; ms: number }
  | { do: 'move'; slot: number }
  | {
      do: 'press';
      pointer: 'mouse' | 'touch';
      isTrusted: boolean;
      isPrimary: boolean;
      drag: number;
      clicks: number;
      holdMs: number;
    }
  | {
      do: 'interfere';
      between: 'moved' | 'changed' | 'vanished' | 'again';
      which: number;
      slot: number;
      isSeen: boolean;
    }
  | { do: 'pressAround'; between: 'moved' | 'changed' | 'vanished' | 'again'; which: number; slot: number }
  | { do: 'cover'; isCovered: boolean }
  | { do: 'layer' }
  | { do: 'key'; key: string; isTrusted: boolean; isRepeat: boolean; isComposing: boolean }
  | { do: 'focus'; which: number; wasTab: boolean }
  | { do: 'blur' }
  | { do: 'select'; text: string }
  | { do: 'step'; which: number }
  | { do: 'command' }
  | { do: 'button' }
  | { do: 'activate'; which: number }
  | { do: 'frame' };

export const slots = 5;

export function createWorld(step: Transition) {
  let state: State<Subject> = initialState();
  /** What the machine is told, and time itself, which is never set back. */
  let now = 1_000;
  let passedMs = 0;
  const pass = (ms: number) => {
    now += ms;
    passedMs += Math.max(0, ms);
  };
  const page: (OnPage | undefined)[] = (['mark', 'link', 'control'] as const).map((kind, slot) => ({
    kind,
    key: {},
    digits: slot,
    slot,
  }));
  let pointer: { slot: number; found: string } | undefined;
  let selection = '';
  let isCovered = false;
  let isOnTop = true;
  let focus: object | undefined;
  let hasOurFocus = false;
  let byAgent: object | undefined;
  let isTabDown = false;
  let timers: { at: number; target: Subject }[] = [];
  /** What the tip has shown, at one place and under nothing, since when. */
  let tip:
    | { shown: string; slot: number | undefined; since: number; as: string; isByHand: boolean }
    | undefined;
  let released: typeof tip;
  let presses: Press[] = [];
  const dialled: string[] = [];

  const subjectOf = ({ kind, key, digits }: OnPage): Subject => ({
    kind,
    key,
    source: { text: `n${digits}` },
    number: { display: `n${digits}`, to: `${digits}` },
  });
  const find = (target: Subject) =>
    page.find((each) => each?.key === target.key && shownOf(each) === target.source.text);
  const shownOf = (each: OnPage) => `n${each.digits}`;
  const at = (slot: number | undefined) => {
    const found = page.find((each) => each && each.slot === slot);
    return found && subjectOf(found);
  };
  const contentAt = (slot: number) => JSON.stringify(at(slot)?.source.text);
  const isStill = () => pointer !== undefined && pointer.found === contentAt(pointer.slot);
  const again = () => {
    if (tip) tip.since = Math.max(tip.since, passedMs);
  };

  const queue: Fed[] = [];
  let isFeeding = false;
  const feed = (input: Fed): void => {
    queue.push(input);
    if (isFeeding) return;
    isFeeding = true;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const result = step(state, { at: now, ...next } as Input<Subject>);
      state = result.state;
      for (const effect of result.effects) carryOut(effect);
      released = undefined;
    }
    isFeeding = false;
  };
  const frame = () => {
    const isFollowing = !state.pending && (!state.tip || state.tip.mode === 'pointer');
    feed({
      type: 'frame',
      target: isFollowing ? at(pointer?.slot) : undefined,
      isStill: isStill(),
      isCurrent: !!state.tip && !!find(state.tip.target),
    });
  };
  const position = (target: Subject) => {
    const slot = find(target)?.slot;
    if (!tip || tip.slot === slot) return;
    tip.slot = slot;
    again();
    feed({ type: 'moved' });
  };
  const check = (target: Subject) => {
    const isCurrent = !!find(target);
    if (isCurrent) position(target);
    feed({ type: 'check', isCurrent, selection });
  };
  const carryOut = (effect: Effect<Subject>): void => {
    if (effect.type === 'show') {
      const { target, as } = effect;
      const isSame = tip?.shown === target.source.text;
      const isByHand = as !== 'tip' || (isSame && tip ? tip.isByHand : isStill());
      tip = { shown: target.source.text, slot: undefined, since: passedMs, as, isByHand };
      isOnTop = true;
      feed({ type: 'raised' });
    } else if (effect.type === 'position') position(effect.target);
    else if (effect.type === 'hide') {
      // A call gives the focus back first.
      released = effect.isReleased ? tip : undefined;
      tip = undefined;
      if (effect.isReleased) hasOurFocus = false;
    } else if (effect.type === 'check') {
      if (effect.afterMs <= 0) check(effect.target);
      else timers.push({ at: now + effect.afterMs, target: effect.target });
    } else if (effect.type === 'verify')
      feed({
        type: 'verified',
        cover: isCovered || !isOnTop ? 'covered' : 'clear',
        isSeen: !!find(effect.target),
        isCurrent: !!find(effect.target),
      });
    else if (effect.type === 'retarget' || effect.type === 'refresh') frame();
    else if (effect.type === 'hint') feed({ type: 'hint' });
    else if (effect.type === 'focusOurs') hasOurFocus = true;
    else if (effect.type === 'resolveLink') {
      const found = page.find((each) => each?.key === effect.link);
      const target = found && subjectOf(found);
      if (!target) return;
      if (effect.as === 'linkFocused') feed({ type: effect.as, target, isFocused: focus === target.key });
      else feed({ type: effect.as, target });
    } else if (effect.type === 'dial') watch(effect.target);
  };
  /** Law 3. */
  const watch = (target: Subject): void => {
    const fail = (why: string) => {
      throw new Error(`dialled ${target.source.text}: ${why}`);
    };
    dialled.push(target.source.text);
    const was = tip ?? released;
    if (was?.shown !== target.source.text) fail(`the tip shows ${was?.shown}`);
    if (!find(target)) fail('the page shows something else');
    if (isCovered || !isOnTop) fail('the tip is covered');
    if (passedMs - was!.since < minVisibleMs) fail(`readable for ${passedMs - was!.since} ms`);
    const counts = ({ shown, at, by }: Press) =>
      shown === target.source.text && passedMs - at <= maxDialDelayMs && (by !== 'mouse' || was!.isByHand);
    if (!presses.some(counts)) fail(`none of these presses counts: ${JSON.stringify(presses)}`);
    presses = [];
  };

  const runTimers = () => {
    const due = timers.filter((timer) => timer.at <= now);
    timers = timers.filter((timer) => timer.at > now);
    for (const { target } of due) if (state.pending?.target === target) check(target);
  };
  const isReadable = () => !!tip && !isCovered && isOnTop && passedMs - tip.since >= minVisibleMs;
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
  const interfere = ({
    between,
    which,
    slot,
  }: Pick<Action & { do: 'pressAround' }, 'between' | 'which' | 'slot'>) => {
    const each = page[which];
    if (!each) page[which] = { kind: 'mark', key: {}, digits: which, slot };
    else if (between === 'moved') each.slot = slot;
    else if (between === 'changed') page[which] = { ...each, digits: each.digits + 10 };
    else if (between === 'vanished') page[which] = undefined;
    else page[which] = { ...each, key: {} };
  };
  const pressPointer = (
    { pointer: type, isTrusted, isPrimary, drag, clicks, holdMs }: Action & { do: 'press' },
    between?: () => void,
  ) => {
    const slot = pointer?.slot ?? 0;
    if (type === 'touch') pointer = undefined;
    const target = at(slot);
    const wasShown = !!tip && !isCovered && isOnTop && tip.shown === target?.source.text;
    const isSelected = selection;
    feed({ type: 'down', ...ofPointer(type, isTrusted, slot), isPrimary, target, isOnTop });
    pass(holdMs);
    runTimers();
    between?.();
    const now2 = at(slot);
    if (type === 'touch') pointer = { slot, found: contentAt(slot) };
    const isOne = now2?.key === target?.key && now2?.source.text === target?.source.text;
    // What the agent's hand did, whatever the machine makes of it.
    const isPress = isTrusted && isPrimary && wasShown && isOne && drag <= 5 && target?.kind !== 'control';
    const isShort = type === 'mouse' ? clicks === 1 : holdMs < 500;
    if (isPress && isShort && isSelected === selection)
      presses.push({ shown: target!.source.text, at: passedMs - holdMs, by: type });
    const link = now2?.kind === 'link' ? { key: now2.key, isInBox: true, isActivated: true } : undefined;
    const event = ofPointer(type, isTrusted, slot);
    feed({ type: 'click', ...event, x: event.x + drag, clicks, target: now2, link });
  };
  const pressKey = ({ key, isTrusted, isRepeat, isComposing }: Action & { do: 'key' }) => {
    if (key === 'Tab') isTabDown = isTrusted;
    const isOursKnown = hasOurFocus && tip?.as === 'link';
    const focused = page.find((each) => each?.key === focus);
    const isLinkKnown =
      key === 'Enter' && byAgent === focus && focused?.kind === 'link' && tip?.shown === shownOf(focused);
    if (/Enter| /.test(key) && isTrusted && !isRepeat && !isComposing && isReadable())
      if (isOursKnown || (isLinkKnown && !hasOurFocus))
        presses.push({ shown: tip!.shown, at: passedMs, by: 'key' });
    const isLink = !hasOurFocus && focused?.kind === 'link';
    const link = isLink ? focused.key : undefined;
    feed({
      type: 'keyDown',
      key,
      isTrusted,
      isRepeat,
      isComposing,
      hasModifier: false,
      isOurs: hasOurFocus,
      hasOurFocus,
      link,
    });
  };
  const act = (action: Action): void => {
    const each = 'which' in action ? page[action.which] : undefined;
    if (action.do === 'wait') {
      pass(action.ms);
      runTimers();
    } else if (action.do === 'move') {
      const isByHand = pointer?.slot !== action.slot;
      if (isByHand) pointer = { slot: action.slot, found: contentAt(action.slot) };
      feed({
        type: 'move',
        x: action.slot * 100,
        y: 0,
        pointerType: 'mouse',
        isByHand,
        hasOurFocus,
        target: at(action.slot),
      });
    } else if (action.do === 'press') pressPointer(action);
    else if (action.do === 'pressAround')
      pressPointer(
        { do: 'press', pointer: 'mouse', isTrusted: true, isPrimary: true, drag: 0, clicks: 1, holdMs: 50 },
        () => interfere(action),
      );
    else if (action.do === 'interfere') {
      interfere(action);
      if (action.isSeen) frame();
    } else if (action.do === 'cover') {
      if (isCovered && !action.isCovered) again();
      isCovered = action.isCovered;
      feed({ type: 'covered', isCovered });
    } else if (action.do === 'layer') isOnTop = false;
    else if (action.do === 'key') pressKey(action);
    else if (action.do === 'focus' && each) {
      focus = each.key;
      hasOurFocus = false;
      byAgent = action.wasTab && isTabDown ? each.key : undefined;
      isTabDown = false;
      const link = each.kind === 'link' ? each.key : undefined;
      feed({ type: 'focusIn', link, wasTab: action.wasTab, isFocusVisible: true });
    } else if (action.do === 'blur') {
      if (hasOurFocus) feed({ type: 'ourBlur' });
      else if (focus) feed({ type: 'focusOut', key: focus });
      focus = undefined;
      hasOurFocus = false;
    } else if (action.do === 'select') selection = action.text;
    else if (action.do === 'step' && each && each.kind !== 'link')
      feed({ type: 'step', target: subjectOf(each) });
    else if (action.do === 'command') {
      if (tip) presses.push({ shown: tip.shown, at: passedMs, by: 'command' });
      feed({ type: 'command', focus: focus ?? null });
    } else if (action.do === 'button' && tip?.as === 'button' && state.tip) {
      presses.push({ shown: tip.shown, at: passedMs, by: 'button' });
      feed({ type: 'button', target: state.tip.target });
    } else if (action.do === 'activate' && each?.kind === 'link')
      feed({ type: 'linkActivated', target: subjectOf(each) });
    else if (action.do === 'frame') frame();
  };
  return { act, dialled };
}
