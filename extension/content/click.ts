/**
 * Turns pointer and keyboard events into calls. Only trusted events count, only on what was shown long enough to be read, and
 * the page's text is read again at the click (Law 3). Nothing of ours lies under the pointer: the page gets every event but the
 * click that ends a plain press and release on one number.
 */
import type { ChipCall, JudgedNumber, OfferedReading, ShownNumber } from '../messages/views.ts';
import type { BackgroundConnection } from './background-connection.ts';
import {
  addressOf,
  elementUnder,
  isOnLink,
  isSameTarget,
  isSeen,
  judgeAddress,
  linkTarget,
  markUnder,
  type Target,
  telephoneLinkAround,
} from './click-target.ts';
import { listen } from './listen.ts';
import { deepActiveElement, type Overlay, withPlace } from './overlay.ts';
import type { Point } from './overlay-place.ts';
import type { Marks } from './paint-marks.ts';

/** A request is at the relay by then, or the background had to start first. */
const requestTimeMs = 50;
/** Farther, a press is a drag. */
const maxMovePx = 5;
const longPressMs = 500;
/** A number that is not still for so long after its click is not dialled. */
const maxWaitMs = 1_500;
/** Enter within this time after a typed key belongs to what was typed. */
const typingMs = 500;

export type ClickHandler = ReturnType<typeof handleClicks>;

/** The numbers in the page's own links, buttons and fields are there once the settings are. */
interface ControlsFrame {
  signal: AbortSignal;
  controls?: { targetAt(under: Element | undefined, at: Point | undefined): Target | undefined };
}

export function handleClicks(
  marks: Marks,
  overlay: Overlay,
  background: BackgroundConnection,
  frame: ControlsFrame,
) {
  const { signal } = frame;
  /** By address; null: the link is the page's alone. Without a value until the background has replied. */
  const judgedLinks = new Map<string, JudgedNumber | null | undefined>();
  /** Where the mouse rests. */
  let point: Point | undefined;
  /** What the tip shows. */
  let current: Target | undefined;
  /** What the tip follows: the pointer, or the target that the keyboard focused or a finger tapped. */
  let mode: 'pointer' | 'keyboard' | 'tap' = 'pointer';
  /** A press that began on what the tip showed then (`wasShown`), or on another number. */
  let press: { target: Target; wasShown: boolean; at: PointerEvent; selection: string } | undefined;
  let wasPressed = false;
  /** A click that waits until its number was shown for long enough. */
  let waiting: object | undefined;
  let focusBefore: Element | null = null;
  /** The page's link whose focus the agent knows of: by Tab, or because our tip has shown it after a first Enter. */
  let knownFocus: Element | undefined;
  /** Tab, while it is down and has not moved the focus: on a busy machine the focus comes late, but before the release. */
  let tab: KeyboardEvent | undefined;
  let typedAt = Number.NEGATIVE_INFINITY;
  let hand: Animation | undefined;
  let frameRequest = 0;
  /** The number that the context menu offers to call. */
  let offered: string | undefined;
  let isPlacing = false;
  /** The newest call that the card showed. */
  let lastShown: ChipCall | undefined;
  const { text } = overlay;

  const show = (target: Target | undefined, as: typeof mode = 'pointer', hint?: string) => {
    if (!target) {
      // Reset first: hiding the link blurs it, which calls this again.
      const shown = current;
      current = undefined;
      mode = 'pointer';
      if (shown) overlay.hide();
    } else {
      const isShown = isSameTarget(current, target) && mode === as && !hint;
      current = target;
      mode = as;
      if (!isShown) {
        const isByKeyboard = as === 'keyboard' && (target.around || !(target.key instanceof Element));
        const kind = isByKeyboard ? 'link' : target.around || as === 'tap' ? 'button' : 'tip';
        overlay.show(target.number, kind, hint, () => accept(target));
      }
      place(target);
    }
  };
  const place = (target: Target) => {
    const [boxes, avoid] = target.around?.() ?? [target.boxes()];
    overlay.place(boxes, mode === 'keyboard' || avoid ? undefined : point, avoid);
  };

  const targetAt = (at: Point | undefined): Target | undefined => {
    const under = at && elementUnder(at.x, at.y);
    const link = linkAround(under);
    if (link) return isOnLink(link, at!.x, at!.y) ? linkTargetOf(link, refresh) : undefined;
    return (under && markUnder(at!.x, at!.y, under, marks)) ?? frame.controls?.targetAt(under, at);
  };
  /** The `tel:` link at or around an element, unless its address has no number, or one that is excluded here. */
  const linkAround = (element: Element | undefined) => {
    const link = telephoneLinkAround(element);
    return link && judgedLinks.get(addressOf(link)) === null ? undefined : link;
  };
  const linkOf = (event: Event) => linkAround(event.composedPath()[0] as Element);
  /** Requests an unknown link's number from the background; `onJudged` runs when the reply came. */
  const linkTargetOf = (link: Element, onJudged: () => void): Target | undefined => {
    const href = addressOf(link);
    const number = judgedLinks.get(href);
    if (number) return linkTarget(link, number);
    if (judgedLinks.has(href)) return;
    judgedLinks.set(href, undefined);
    judgeAddress(href, background).then((judged) => {
      if (judged === undefined) return void judgedLinks.delete(href);
      judgedLinks.set(href, judged);
      onJudged();
    });
  };

  const look = () => {
    if (signal.aborted) return;
    // A click that waits keeps its tip, wherever the pointer is by now.
    if (waiting || mode !== 'pointer') {
      if (current?.isCurrent()) show(current, mode);
      else release();
      return;
    }
    const target = targetAt(point);
    show(target);
    // The page's links have menu and cursor of their own.
    const marked = target?.key instanceof Element ? undefined : target;
    offerInMenu(marked?.number.display);
    showHand(marked && elementUnder(point!.x, point!.y));
  };
  const refresh = () => {
    if (frameRequest) return;
    frameRequest = requestAnimationFrame(() => {
      frameRequest = 0;
      look();
    });
  };
  const offerInMenu = (number?: string) => {
    if (number === offered) return;
    offered = number;
    void background.send('content.pointAt', { number });
  };
  /** An animation is the one way to another cursor that changes no node and no sheet, and asks no element of ours under the pointer. */
  const showHand = (under?: Element) => {
    if (under === (hand?.effect as KeyframeEffect | undefined)?.target) return;
    hand?.cancel();
    hand = under?.animate({ cursor: ['pointer', 'pointer'] }, { duration: 1, fill: 'both' });
  };
  signal.addEventListener('abort', () => showHand());

  /** Places the call, or shows why not. The background's guard decides, and may require a confirmation first. */
  const dial = async (target: Target, isByKeyboard: boolean, confirmed?: ShownNumber): Promise<void> => {
    if (isPlacing) return;
    const { display, to } = confirmed ?? target.number;
    isPlacing = true;
    const request = background.send('content.dial', {
      click: clickId(),
      source: target.source,
      shown: { display, to },
      confirmed: !!confirmed,
    });
    // Drawn while the request is on its way, it would delay the call; and most questions and refusals come sooner.
    const showing = setTimeout(() => overlay.showCard('initiating', display, text('calling')), requestTimeMs);
    const reply = await request;
    clearTimeout(showing);
    isPlacing = false;
    if (signal.aborted) return;
    if (reply.ok) return showCall(reply.value);
    const { code, detail = '', readings = [target.number] } = reply.error;
    if (code !== 'confirmFirst') return overlay.showCard('error', display, overlay.error(code, detail));
    const chosen = await confirm(readings, detail, isByKeyboard);
    if (chosen) await dial(target, isByKeyboard, chosen);
  };
  /** Asks about the first of these numbers; each further one is a button of its own. @returns the chosen one */
  const confirm = async (
    numbers: readonly OfferedReading[],
    reason: string,
    isByKeyboard: boolean,
  ): Promise<ShownNumber | undefined> => {
    const names = numbers.map(withPlace);
    const choices = names[1] ? names.map((name) => text('call', name)) : [text('yes')];
    const chosen = await overlay.confirm(text('confirm', names[0]!), reason, choices, isByKeyboard);
    return numbers[chosen ?? -1];
  };
  const dialOrConfirm = async (target: Target, isByKeyboard: boolean) => {
    const { differentText, number } = target;
    if (
      !differentText ||
      (await confirm([number], text('linkDiffers', differentText, number.display), isByKeyboard))
    )
      await dial(target, isByKeyboard);
  };
  const showCall = (call: ChipCall) => {
    // Messages may arrive out of order: earlier states, and calls before the one shown, are outdated.
    const time = lastShown?.id === call.id ? 'changedAt' : 'createdAt';
    if (lastShown && call[time] < lastShown[time]) return;
    lastShown = call;
    const { id, state, display, sentence, connectedAt, canHangUp } = call;
    const hangUp = async () => {
      const reply = await background.send('content.hangUp', { id });
      if (!reply.ok && lastShown === call)
        overlay.showCard(state, display, overlay.error(reply.error.code, ''), true);
    };
    overlay.showCard(state, display, sentence, true, {
      connectedAt,
      onHangUp: canHangUp ? hangUp : undefined,
    });
  };

  /** Dials a target once the tip has shown it, unchanged, for long enough; shows it again where something changed meanwhile. */
  const accept = (target: Target, selection = selected()) => {
    const until = performance.now() + maxWaitMs;
    const accepted = {};
    waiting = accepted;
    const proceed = () => {
      if (waiting !== accepted || signal.aborted) return;
      const isShown = isSameTarget(current, target) && target.isCurrent();
      if (isShown) place(target);
      const left = overlay.settlesInMs();
      if (isShown && left > 0 && performance.now() < until) return void setTimeout(proceed, left);
      waiting = undefined;
      // A double click selects the number after its first click was taken.
      if (hasSelectedSince(selection)) return look();
      if (!isShown || left > 0 || !overlay.isTipVisible() || !isSeen(target, overlay.host)) {
        look();
        if (current) show(current, mode, text('again'));
        return;
      }
      const isByKeyboard = mode === 'keyboard';
      if (mode !== 'pointer') release();
      void dialOrConfirm(target, isByKeyboard);
      refresh();
    };
    proceed();
  };

  /** Removes what keyboard or finger chose, and gives back the focus that our link took. */
  const release = () => {
    const before = overlay.hasFocus() ? (focusBefore as HTMLElement | null) : null;
    waiting = undefined;
    focusBefore = null;
    show(undefined);
    before?.focus?.({ preventScroll: true });
  };

  const on = <Type extends keyof WindowEventMap>(
    types: Type | readonly Type[],
    handle: (event: WindowEventMap[Type]) => unknown,
  ) => listen(types, (event) => event.isTrusted && background.isAlive() && handle(event), signal);

  on('pointerdown', (event) => {
    if (event.target === overlay.host) return;
    wasPressed = true;
    press = tab = undefined;
    const target = event.isPrimary && isPlain(event) ? targetAt(event) : undefined;
    const wasShown = isSameTarget(current, target) && overlay.isOnTop();
    if (mode !== 'pointer' && !waiting && !(mode === 'tap' && wasShown)) {
      release();
      if (wasShown) show(target);
    }
    if (target && !target.around) press = { target, wasShown, at: event, selection: selected() };
  });
  // The browser takes over: it scrolls, or drags.
  on(['pointercancel', 'dragstart'], () => (press = undefined));

  on('click', (event) => {
    const began = press && isTap(press.at, event) ? press : undefined;
    const isByPointer = wasPressed;
    press = undefined;
    wasPressed = false;
    if (!isPlain(event) || event.target === overlay.host) return;
    const link = linkOf(event);
    if (!isByPointer) {
      // By a screen reader: no key, no pointer.
      if (link) {
        keep(event);
        activate(link);
      }
      return;
    }
    const target = targetAt(event);
    const isSame = began && isSameTarget(began.target, target);
    const isMouse = event.pointerType === 'mouse';
    const isRepeated = event.detail > 1;
    const isOurs = link
      ? isOnLink(link, event.x, event.y)
      : isSame && !hasSelectedSince(began.selection) && !(isMouse && (isRepeated || !began.wasShown));
    if (!isOurs) return;
    keep(event);
    if (!target || !began || isRepeated) return;
    if (isSame && began.wasShown && (isMouse || mode === 'tap')) accept(target, began.selection);
    else if (isMouse) show(target, 'pointer', text('again'));
    else {
      point = event;
      show(target, 'tap');
    }
  });
  // Firefox (153) opens a tab, and the system's telephone, for a middle click on a tel: link.
  on('auxclick', (event) => {
    if (event.button === 1 && linkOf(event)) event.preventDefault();
  });

  on('pointermove', (event) => {
    const { x, y, pointerType, buttons, movementX, movementY } = event;
    if (press && !isTap(press.at, event)) press = undefined;
    if (pointerType === 'touch') return;
    if (point?.x === x && point.y === y && mode !== 'pointer') return; // The page moved under a resting pointer.
    // What is dragged or selected is no number to be called.
    point = buttons && !press && event.target !== overlay.host ? undefined : { x, y };
    if (mode === 'tap' || waiting) return;
    // Our link keeps the focus until a hand moves the pointer onto a number: the page also moves under a resting one.
    if (overlay.hasFocus() && !((movementX || movementY) && point && targetAt(point))) return;
    if (mode !== 'pointer') release();
    look();
  });
  on(['scroll', 'resize'], () => current && refresh());
  on('pointerout', ({ relatedTarget }) => {
    if (relatedTarget) return;
    point = undefined;
    if (mode === 'pointer') refresh();
  });

  // A tel: link of the page that is focused by keyboard shows what it would dial.
  on('focusin', (event) => {
    refresh();
    const link = linkOf(event);
    // What the page focuses while it handles the key, in its place or after it has moved the focus, is not by Tab.
    knownFocus = tab?.eventPhase === 0 && !tab.defaultPrevented ? link : undefined;
    tab = undefined;
    if (!link?.matches(':focus-visible')) return;
    const proceed = () => {
      const target = linkTargetOf(link, proceed);
      if (target && deepActiveElement() === link) show(target, 'keyboard');
    };
    proceed();
  });
  on('focusout', (event) => {
    if (current?.key === event.composedPath()[0] && mode === 'keyboard' && !waiting) show(undefined);
  });
  listen(
    'blur',
    // A window that loses the focus keeps the focused element.
    () => mode === 'keyboard' && !overlay.isRaising() && document.hasFocus() && show(undefined),
    signal,
    overlay.link,
  );
  /** Enter on a page's link: dials what the agent knows to be focused and has seen, shows anything else. */
  const activate = (link: Element) => {
    const target = linkTargetOf(link, () => activate(link));
    // Excluded, as is known only now: the press was the page's.
    if (judgedLinks.get(addressOf(link)) === null) (link as Partial<HTMLElement>).click?.();
    if (!target) return;
    const isKnown = knownFocus === link && performance.now() - typedAt > typingMs;
    knownFocus = link;
    if (isKnown && mode === 'keyboard' && isSameTarget(current, target)) accept(target);
    else show(target, 'keyboard', text('again'));
  };
  on('keydown', (event) => {
    const { key, repeat } = event;
    if (key === 'Escape') {
      // One Escape closes one thing: a dialog of the page stays.
      if (closeOne()) keep(event);
      return;
    }
    tab = key === 'Tab' ? event : undefined;
    if (!tab && key !== 'Enter' && !hasModifier(event)) typedAt = performance.now();
    const isPress = (key === 'Enter' || key === ' ') && !hasModifier(event);
    if (!isPress) return;
    if (event.target === overlay.host) {
      if (overlay.hasFocus()) {
        keep(event);
        if (!repeat && current && !waiting) accept(current);
      } else if (repeat) keep(event); // A key that was held before is no answer to a question.
      return;
    }
    const link = key === 'Enter' && linkOf(event);
    if (!link) return;
    event.preventDefault();
    if (!repeat && !waiting) activate(link);
  });
  on('keyup', () => (tab = undefined));
  on('blur', ({ target }) => {
    if (target === window) tab = undefined;
  });
  const closeOne = (): boolean => {
    if (!waiting && !overlay.hasFocus() && mode !== 'tap') return overlay.hideCard();
    if (waiting && mode === 'pointer') {
      waiting = undefined;
      refresh();
    } else release();
    return true;
  };

  return {
    /** Focuses our link over a target for the keyboard. @returns false where no person can see the target now */
    focus(target: Target) {
      if (!isSeen(target, overlay.host)) return false;
      if (!overlay.hasFocus()) focusBefore = deepActiveElement();
      waiting = undefined;
      show(undefined);
      show(target, 'keyboard');
      mode = 'pointer'; // The link is about to move: its blur is to be ignored.
      overlay.link.focus({ preventScroll: true });
      mode = 'keyboard';
      return true;
    },
    get current() {
      return current;
    },
    /** Updates link and tip: the page may have moved or changed. */
    refresh,
    /** Judges the page's links once more: with new settings they may be other numbers, or none. */
    clearCache: () => judgedLinks.clear(),
    /** Dials the number that is focused, or in the focused control (keyboard command). */
    dialFocused() {
      if (!current || waiting || (mode !== 'keyboard' && current.key !== deepActiveElement())) return;
      mode = 'keyboard';
      accept(current);
    },
    showCall,
  };
}

/** Takes an event that is ours: the page and the browser do nothing with it. */
function keep(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

const hasModifier = (event: MouseEvent | KeyboardEvent) =>
  event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
const isPlain = (event: MouseEvent) => event.button === 0 && !hasModifier(event);

/** True where an event is at the place of a press, and by finger or pen before it becomes a long one. */
const isTap = (press: PointerEvent, { x, y, timeStamp }: MouseEvent) =>
  Math.hypot(x - press.x, y - press.y) <= maxMovePx &&
  (press.pointerType === 'mouse' || timeStamp - press.timeStamp < longPressMs);

/** The text that is selected; empty where none is. */
const selected = () => (getSelection()?.isCollapsed === false ? String(getSelection()) : '');
const hasSelectedSince = (before: string) => selected() !== '' && selected() !== before;

/** 128 random bits in the form that `content.dial` requires. TypeScript 7.0's library has no `toBase64` yet. */
const clickId = () =>
  (crypto.getRandomValues(new Uint8Array(16)) as Uint8Array & { toBase64(options: object): string }).toBase64(
    { alphabet: 'base64url', omitPadding: true },
  );
