/**
 * Feeds the gesture's state machine what pointer, keys and focus do, and carries out what follows (Law 3). Only trusted events
 * count. Nothing of ours lies under the pointer: the page gets every event but the click that ends a press on one number.
 */
import type { ContentSettings } from '../messages/content.ts';
import type { BackgroundConnection } from './background-connection.ts';
import { elementUnder, isOnLink, markUnder, type Target } from './click-target.ts';
import { isSeen } from './cover.ts';
import { createDialler } from './dial-target.ts';
import { deepActiveElement } from './elements.ts';
import { transition } from './gesture.ts';
import {
  type Effect,
  type Input,
  initialState,
  isSameTarget,
  type LinkAtEvent,
  type State,
} from './gesture-state.ts';
import { listen } from './listen.ts';
import type { PageOverlay } from './overlay.ts';
import type { Point } from './overlay-place.ts';
import { createPageLinks } from './page-links.ts';
import type { Marks } from './paint-marks.ts';
import { createPointedNumber } from './pointed-number.ts';
import { createRestingPointer } from './resting-pointer.ts';
import { createTeamLine } from './team-line.ts';
import { parentOf } from './tree.ts';

export type ClickHandler = ReturnType<typeof handleClicks>;

/** The numbers in the page's own links, buttons and fields are there once the settings are. */
interface ControlsFrame {
  signal: AbortSignal;
  controls?: { targetAt(under: Element | undefined, at: Point | undefined): Target | undefined };
}
/** An input without its time. */
type Fed = Input<Target> extends infer Each ? (Each extends unknown ? Omit<Each, 'at'> : never) : never;
type EffectOf<Type extends Effect<Target>['type']> = Extract<Effect<Target>, { type: Type }>;
type Effects = { [Type in Effect<Target>['type']]: (effect: EffectOf<Type>, event?: Event) => void };

export function handleClicks(
  marks: Marks,
  overlay: PageOverlay,
  background: BackgroundConnection,
  frame: ControlsFrame,
) {
  const { signal } = frame;
  const links = createPageLinks(background);
  const pointer = createRestingPointer();
  const pointed = createPointedNumber(background, signal);
  const teamLine = createTeamLine(overlay, background);
  const dialler = createDialler(overlay, background, signal);
  let state: State<Target> = initialState();
  /** Effects that are carried out cause inputs, which are handled after them. */
  let waiting: (() => void)[] | undefined;
  let focusBefore: Element | null = null;
  let isMovingFocus = false;
  let frameRequest = 0;
  /** Tab, while it is down: the page may have handled it by the time the focus moves. */
  let tab: KeyboardEvent | undefined;

  const feed = (input: Fed, event?: Event): void => {
    if (signal.aborted) return;
    const handle = () => {
      const step = transition(state, { at: performance.now(), ...input } as Input<Target>);
      state = step.state;
      for (const effect of step.effects)
        (effects[effect.type] as (effect: Effect<Target>, event?: Event) => void)(effect, event);
    };
    if (waiting) return void waiting.push(handle);
    waiting = [handle];
    try {
      for (const next of waiting) next();
    } finally {
      waiting = undefined;
    }
  };

  const targetAt = (at: Point | undefined): Target | undefined => {
    const under = at && elementUnder(at.x, at.y);
    const link = links.around(under);
    if (link) return isOnLink(link, at!.x, at!.y) ? links.targetOf(link, refresh) : undefined;
    return (under && markUnder(at!.x, at!.y, under, marks)) ?? frame.controls?.targetAt(under, at);
  };
  const linkOf = (event: Event) => links.around(event.composedPath()[0] as Element);
  const linkAt = (event: MouseEvent): LinkAtEvent | undefined => {
    const link = linkOf(event);
    if (!link) return undefined;
    const isActivated = activatedBy(event.composedPath()[0] as Element, link);
    return { key: link, isInBox: isOnLink(link, event.x, event.y), isActivated };
  };
  const position = (target: Target) => {
    const [boxes, avoid] = target.kind === 'control' ? target.around() : [target.boxes()];
    overlay.position(boxes, state.tip?.mode === 'keyboard' || avoid ? undefined : pointer.point, avoid);
  };

  const retarget = () => {
    const { tip, pending } = state;
    const isFollowing = !pending && (!tip || tip.mode === 'pointer');
    const target = isFollowing ? targetAt(pointer.point) : undefined;
    feed({
      type: 'frame',
      target,
      isStill: !!target && pointer.isStill(),
      isCurrent: !!tip?.target.isCurrent(),
    });
    if (isFollowing) pointed.show(target, pointer.point);
  };
  const refresh = () => {
    if (frameRequest || signal.aborted) return;
    frameRequest = requestAnimationFrame(() => {
      frameRequest = 0;
      retarget();
    });
  };
  const check = (target: Target) => {
    if (state.pending?.target !== target) return;
    const isCurrent = target.isCurrent();
    if (isCurrent) position(target);
    feed({ type: 'check', isCurrent, selection: selected() });
  };

  const effects: Effects = {
    show({ target, as, isHinted }) {
      overlay.show(target.number, as, isHinted, () => feed({ type: 'button', target }));
      teamLine.show(target);
    },
    position: ({ target }) => position(target),
    hide({ isReleased }) {
      const before = isReleased && overlay.hasFocus() ? (focusBefore as HTMLElement | null) : null;
      if (isReleased) focusBefore = null;
      overlay.hide();
      teamLine.hide();
      before?.focus?.({ preventScroll: true });
    },
    consume: (_, event) => consume(event!),
    preventDefault: (_, event) => event!.preventDefault(),
    check({ afterMs, target }) {
      if (afterMs <= 0) check(target);
      else setTimeout(() => check(target), afterMs);
    },
    verify: ({ target }) =>
      feed({
        type: 'verified',
        isSeen: overlay.isLegible() && isSeen(target, overlay.host),
        cover: overlay.coverOfTip(),
      }),
    retarget,
    refresh,
    hint: () => feed({ type: 'hint' }),
    resolveLink: ({ link, as }) => resolveLink(link as Element, as),
    focusOurs() {
      if (!overlay.hasFocus()) focusBefore = deepActiveElement();
      isMovingFocus = true;
      overlay.link.focus({ preventScroll: true });
      isMovingFocus = false;
    },
    closeCard: (_, event) => overlay.hideCard() && consume(event!),
    dial: ({ target, isByKeyboard }) => void dialler.dial(target, isByKeyboard, teamLine.recordOf(target)),
    askElsewhere: ({ target }) => void dialler.askElsewhere(target),
  };
  const resolveLink = (link: Element, as: EffectOf<'resolveLink'>['as']) => {
    const target = links.targetOf(link, () => resolveLink(link, as));
    if (target)
      return as === 'linkFocused'
        ? feed({ type: as, target, isFocused: deepActiveElement() === link })
        : feed({ type: as, target });
    // Excluded, as is known only now: the press was the page's.
    if (links.isExcluded(link) && as !== 'linkFocused') (link as Partial<HTMLElement>).click?.();
  };

  const on = <Type extends keyof WindowEventMap>(
    types: Type | readonly Type[],
    handle: (event: WindowEventMap[Type]) => unknown,
  ) => listen(types, (event) => event.isTrusted && background.isAlive() && handle(event), signal);
  const ofPointer = (event: MouseEvent) => ({
    x: event.x,
    y: event.y,
    pointerType: (event as PointerEvent).pointerType,
    isPlain: event.button === 0 && !hasModifier(event),
    isOurs: event.target === overlay.host,
    isStill: pointer.isStill(),
    selection: selected(),
    isTrusted: event.isTrusted,
  });

  on('pointerdown', (event) => {
    tab = undefined;
    const { isPrimary } = event;
    const facts = ofPointer(event);
    const target = isPrimary && facts.isPlain && !facts.isOurs ? targetAt(event) : undefined;
    feed({ type: 'down', ...facts, isPrimary, target, isOnTop: overlay.isOnTop() });
  });
  // The browser takes over: it scrolls, or drags.
  on(['pointercancel', 'dragstart'], () => feed({ type: 'cancel' }));
  on('click', (event) => {
    const facts = ofPointer(event);
    const isRead = facts.isPlain && !facts.isOurs;
    const target = isRead && state.wasPressed ? targetAt(event) : undefined;
    // A finger comes to what it pressed, not to what the page puts under it before it is lifted.
    if (facts.pointerType !== 'mouse' && isRead && state.wasPressed)
      pointer.moveTo(isSameTarget(state.press?.target, target) ? { x: event.x, y: event.y } : undefined);
    const link = isRead ? linkAt(event) : undefined;
    feed({ type: 'click', ...facts, clicks: event.detail, target, link }, event);
  });
  // Firefox (153) opens a tab, and the system's telephone, for a middle click on a tel: link.
  on('auxclick', (event) => {
    if (event.button === 1 && linkOf(event)) event.preventDefault();
  });
  on('pointermove', (event) => {
    const { x, y, pointerType, buttons, movementX, movementY, target: over } = event;
    const { point } = pointer;
    const isByHand = !!(movementX || movementY) || point?.x !== x || point.y !== y;
    if (pointerType !== 'touch') {
      // A drag or a selection never dials.
      const isDragging = buttons && !state.press && over !== overlay.host;
      if (isDragging) pointer.moveTo(undefined);
      else if (isByHand) pointer.moveTo({ x, y });
    }
    const target = pointerType === 'touch' ? undefined : targetAt(pointer.point);
    feed({ type: 'move', x, y, pointerType, isByHand, hasOurFocus: overlay.hasFocus(), target });
    if (pointerType !== 'touch' && state.tip?.mode !== 'tap') pointed.show(target, pointer.point);
  });
  on(['scroll', 'resize'], () => state.tip && refresh());
  on('pointerout', ({ relatedTarget }) => {
    if (relatedTarget) return;
    pointer.moveTo(undefined);
    refresh();
  });

  on('focusin', (event) => {
    refresh();
    const link = linkOf(event);
    // What the page focuses while it handles the key, in its place or after it has moved the focus, is not by Tab.
    const wasTab = tab?.eventPhase === 0 && !tab.defaultPrevented;
    tab = undefined;
    feed({ type: 'focusIn', link, wasTab, isFocusVisible: !!link?.matches(':focus-visible') });
  });
  on('focusout', (event) => feed({ type: 'focusOut', key: event.composedPath()[0]! }));
  // A window that loses the focus keeps the focused element.
  const onOurBlur = () =>
    !isMovingFocus && !overlay.isRaising() && document.hasFocus() && feed({ type: 'ourBlur' });
  listen('blur', onOurBlur, signal, overlay.link);
  on('keydown', (event) => {
    const { key, repeat, isComposing, isTrusted } = event;
    tab = key === 'Tab' ? event : undefined;
    const facts = { key, isRepeat: repeat, isComposing, isTrusted, hasModifier: hasModifier(event) };
    const isOurs = event.target === overlay.host;
    const hasOurFocus = overlay.hasFocus();
    feed({ type: 'keyDown', ...facts, isOurs, hasOurFocus, link: linkOf(event) }, event);
  });
  on('keyup', () => {
    tab = undefined;
    feed({ type: 'keyUp' });
  });
  on('blur', ({ target }) => {
    if (!(target instanceof Node)) feed({ type: 'windowBlur' });
  });
  overlay.listen({
    onMoved: () => feed({ type: 'moved' }),
    onRaised: () => feed({ type: 'raised' }),
    onCover: (isCovered) => feed({ type: 'covered', isCovered }),
  });

  return {
    /** Focuses our link over a target for the keyboard. @returns false where no person can see the target now */
    focus(target: Target) {
      if (!isSeen(target, overlay.host)) return false;
      feed({ type: 'step', target });
      return true;
    },
    get current() {
      return state.tip?.target;
    },
    /** Updates link and tip: the page may have moved or changed. */
    refresh,
    /** Judges the page's links once more: with new settings they may be other numbers, or none. */
    clearCache: links.clearCache,
    applySettings(settings: ContentSettings) {
      teamLine.applySettings(settings);
      feed({ type: 'settings', tipDelayMs: settings.tipDelayMs });
    },
    /** Dials the number that is focused, or in the focused control (keyboard command). */
    dialFocused: () => feed({ type: 'command', focus: deepActiveElement() }),
    showCall: dialler.showCall,
  };
}

/** The element that a click on another one activates is this link itself, not a button or field inside it. */
function activatedBy(clicked: Element, link: Element): boolean {
  for (let at: Element | null = clicked; at && at !== link; at = parentOf(at))
    if (at.matches('button,input,select,textarea,summary,label')) return false;
  return true;
}

/** Neither the page nor the browser does anything with the event. */
function consume(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

const hasModifier = (event: MouseEvent | KeyboardEvent) =>
  event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** The text that is selected; empty where none is. */
const selected = () => (getSelection()?.isCollapsed === false ? String(getSelection()) : '');
