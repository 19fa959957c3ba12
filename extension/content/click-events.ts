/** Passes the events of pointer, keys and focus to the gesture's state machine. Only trusted events count. */
import type { BackgroundConnection } from './background-connection.ts';
import { isOnLink, type Target } from './click-target.ts';
import { deepActiveElement } from './elements.ts';
import type { GestureRunner } from './gesture-runner.ts';
import { isSameTarget, type LinkAtEvent } from './gesture-state.ts';
import { listen } from './listen.ts';
import type { PageOverlay } from './overlay.ts';
import type { Point } from './overlay-place.ts';
import type { PageLinks } from './page-links.ts';
import type { PointedNumber } from './pointed-number.ts';
import type { RestingPointer } from './resting-pointer.ts';
import { parentOf } from './tree.ts';

interface EventParts {
  gestures: GestureRunner;
  overlay: PageOverlay;
  background: BackgroundConnection;
  links: PageLinks;
  pointer: RestingPointer;
  pointed: PointedNumber;
  signal: AbortSignal;
  targetAt(at: Point | undefined): Target | undefined;
  refresh(): void;
}
/** The event of the Tab key, while the key is down. The page may have handled it before the focus moves. */
interface TabKey {
  event?: KeyboardEvent | undefined;
  /** Where the focus went first since the last key. The page may move it on. */
  to?: EventTarget | null | undefined;
}

export function feedEvents(parts: EventParts): void {
  const tab: TabKey = {};
  feedPresses(parts, tab);
  feedMoves(parts);
  feedKeysAndFocus(parts, tab);
}

function trustedListener({ background, signal }: EventParts) {
  return <Type extends keyof WindowEventMap>(
    types: Type | readonly Type[],
    handle: (event: WindowEventMap[Type]) => unknown,
  ) => listen(types, (event) => event.isTrusted && background.isAlive() && handle(event), signal);
}

function feedPresses(parts: EventParts, tab: TabKey): void {
  const { gestures, overlay, links, pointer, targetAt } = parts;
  const on = trustedListener(parts);
  const factsOf = (event: MouseEvent) => ({
    x: event.x,
    y: event.y,
    pointerType: (event as PointerEvent).pointerType,
    isPlain: event.button === 0 && !hasModifier(event),
    isOurs: event.target === overlay.host,
    isStill: pointer.isStill(),
    selection: selectedText(),
    isTrusted: event.isTrusted,
  });
  const linkAt = (event: MouseEvent): LinkAtEvent | undefined => {
    const link = linkOf(event, links);
    if (!link) return undefined;
    const isActivated = isActivatedBy(event.composedPath()[0] as Element, link);
    return { key: link, isInBox: isOnLink(link, event.x, event.y), isActivated };
  };

  on('pointerdown', (event) => {
    tab.event = undefined;
    const { isPrimary } = event;
    const facts = factsOf(event);
    const target = isPrimary && facts.isPlain && !facts.isOurs ? targetAt(event) : undefined;
    gestures.feed({ type: 'down', ...facts, isPrimary, target, isOnTop: overlay.isOnTop() });
  });
  // The browser handles the press itself: it scrolls or drags.
  on(['pointercancel', 'dragstart'], () => gestures.feed({ type: 'cancel' }));
  on('click', (event) => {
    const facts = factsOf(event);
    const { press, wasPressed } = gestures.state;
    const isRead = facts.isPlain && !facts.isOurs;
    const target = isRead && wasPressed ? targetAt(event) : undefined;
    // A finger points at what it pressed. It does not point at what the page moved under it later.
    if (facts.pointerType !== 'mouse' && isRead && wasPressed)
      pointer.moveTo(isSameTarget(press?.target, target) ? { x: event.x, y: event.y } : undefined);
    const link = isRead ? linkAt(event) : undefined;
    gestures.feed({ type: 'click', ...facts, clicks: event.detail, target, link }, event);
  });
  // Firefox (153) opens a tab, and the system's telephone, for a middle click on a tel: link.
  on('auxclick', (event) => {
    if (event.button === 1 && linkOf(event, links)) event.preventDefault();
  });
}

function feedMoves(parts: EventParts): void {
  const { gestures, overlay, pointer, pointed, targetAt, refresh } = parts;
  const on = trustedListener(parts);
  on('pointermove', (event) => {
    const { x, y, pointerType, buttons, movementX, movementY, target: over } = event;
    const { point } = pointer;
    const isByHand = !!(movementX || movementY) || point?.x !== x || point.y !== y;
    const isTouch = pointerType === 'touch';
    if (!isTouch) {
      // A drag or a selection never dials.
      const isDragging = buttons && !gestures.state.press && over !== overlay.host;
      if (isDragging) pointer.moveTo(undefined);
      else if (isByHand) pointer.moveTo({ x, y });
    }
    const target = isTouch ? undefined : targetAt(pointer.point);
    gestures.feed({ type: 'move', x, y, pointerType, isByHand, hasOurFocus: overlay.hasFocus(), target });
    if (!isTouch && gestures.state.tip?.mode !== 'tap') pointed.show(target, pointer.point);
  });
  on(['scroll', 'resize'], () => gestures.state.tip && refresh());
  on('pointerout', ({ relatedTarget }) => {
    if (relatedTarget) return;
    pointer.moveTo(undefined);
    refresh();
  });
}

function feedKeysAndFocus(parts: EventParts, tab: TabKey): void {
  const { gestures, overlay, links, refresh } = parts;
  const on = trustedListener(parts);
  const isOnSkipLink = () => deepActiveElement() === overlay.host;
  /** True if our skip link had the focus when the window lost it. */
  let wasOnSkipLink = false;
  on('focusin', (event) => {
    refresh();
    const link = linkOf(event, links);
    const { target } = event;
    // Tab moves the focus once, after its event was handled and if it was not prevented. Any other change of the focus
    // is not by Tab.
    const wasTab = tab.event?.eventPhase === 0 && !tab.event.defaultPrevented && tab.to === target;
    tab.event = undefined;
    const isOurs = target === overlay.host;
    const isBack = wasOnSkipLink || overlay.isFocusing(overlay.host);
    wasOnSkipLink = false;
    // What our own code focuses, and a skip link to which the focus comes back, was not chosen by the page.
    if (isOurs && (isBack || !isOnSkipLink())) return;
    const isFocusVisible = !!link?.matches(':focus-visible');
    gestures.feed({ type: 'focusIn', link, wasTab, isFocusVisible, isOurs });
  });
  on('focusout', (event) => gestures.feed({ type: 'focusOut', key: event.composedPath()[0]! }));
  on('keydown', (event) => {
    const { key, repeat, isComposing, isTrusted } = event;
    tab.event = key === 'Tab' ? event : undefined;
    tab.to = undefined;
    const facts = { key, isRepeat: repeat, isComposing, isTrusted, hasModifier: hasModifier(event) };
    const isOurs = event.target === overlay.host;
    const hasOurFocus = overlay.hasFocus();
    gestures.feed({ type: 'keyDown', ...facts, isOurs, hasOurFocus, link: linkOf(event, links) }, event);
  });
  on('keyup', () => {
    tab.event = undefined;
    gestures.feed({ type: 'keyUp' });
  });
  on('focus', ({ target }) => {
    tab.to ??= target;
  });
  on('blur', ({ target, relatedTarget }) => {
    tab.to ??= relatedTarget;
    if (target instanceof Node) return;
    wasOnSkipLink = isOnSkipLink();
    gestures.feed({ type: 'keyUp' });
  });
  overlay.listen({
    onMoved: () => gestures.feed({ type: 'moved' }),
    onRaised: () => gestures.feed({ type: 'raised' }),
    onCover(isCovered) {
      gestures.feed({ type: 'covered', isCovered });
      // A browser reports a cover late, so a pending press may have hit the cover. The tip then stays covered, and the
      // press is refused.
      if (isCovered && !gestures.state.pending) overlay.raiseTip();
    },
  });
}

const linkOf = (event: Event, links: PageLinks) => links.around(event.composedPath()[0] as Element);

/** True if a click on an element activates the link itself, not a button, field, summary or label inside it. */
function isActivatedBy(clicked: Element, link: Element): boolean {
  for (let at: Element | null = clicked; at && at !== link; at = parentOf(at))
    if (at.matches('button,input,select,textarea,summary,label')) return false;
  return true;
}

const hasModifier = (event: MouseEvent | KeyboardEvent) =>
  event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** The selected text. It is empty if text is not selected. */
export const selectedText = () => (getSelection()?.isCollapsed === false ? String(getSelection()) : '');
