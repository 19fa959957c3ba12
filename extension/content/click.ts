/**
 * Carries out what the gesture's state machine decides about pointer, keys and focus (Law 3). We put nothing under the
 * pointer. Of the pointer events, the page misses only clicks on a number or telephone link.
 */
import type { ContentSettings } from '../messages/content.ts';
import type { BackgroundConnection } from './background-connection.ts';
import { feedEvents, selectedText } from './click-events.ts';
import { elementUnder, isOnLink, markUnder, type Target } from './click-target.ts';
import { isSeen } from './cover.ts';
import { createDialler, type Dialler } from './dial-target.ts';
import { deepActiveElement } from './elements.ts';
import { type EffectOf, type Effects, type GestureRunner, runGestures } from './gesture-runner.ts';
import { listen } from './listen.ts';
import { numbersNear } from './neighbours.ts';
import type { PageOverlay } from './overlay.ts';
import type { Point } from './overlay-place.ts';
import { createPageLinks, type PageLinks } from './page-links.ts';
import type { Marks } from './paint-marks.ts';
import { createPointedNumber } from './pointed-number.ts';
import { createRestingPointer, type RestingPointer } from './resting-pointer.ts';
import { createTeamLine, type TeamLine } from './team-line.ts';

export type ClickHandler = ReturnType<typeof handleClicks>;

/**
 * `controls` finds the numbers in the page's own links, buttons and fields. It is set when the settings have arrived.
 */
interface ControlsFrame {
  signal: AbortSignal;
  controls?: { targetAt(under: Element | undefined, at: Point | undefined): Target | undefined };
}

interface EffectParts {
  marks: Marks;
  overlay: PageOverlay;
  links: PageLinks;
  pointer: RestingPointer;
  teamLine: TeamLine;
  dialler: Dialler;
  signal: AbortSignal;
  gestures(): GestureRunner;
  retarget(): void;
  refresh(): void;
}

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
  let frameRequest = 0;

  const targetAt = (at: Point | undefined): Target | undefined => {
    const under = at && elementUnder(at.x, at.y);
    const link = links.around(under);
    if (link) return isOnLink(link, at!.x, at!.y) ? links.targetOf(link, refresh) : undefined;
    return (under && markUnder(at!.x, at!.y, under, marks)) ?? frame.controls?.targetAt(under, at);
  };
  const retarget = () => {
    const { tip, pending } = gestures.state;
    const isFollowing = !pending && (!tip || tip.mode === 'pointer');
    const target = isFollowing ? targetAt(pointer.point) : undefined;
    const isStill = !!target && pointer.isStill();
    gestures.feed({ type: 'frame', target, isStill, isCurrent: !!tip?.target.isCurrent() });
    if (isFollowing) pointed.show(target, pointer.point);
  };
  const refresh = () => {
    if (frameRequest || signal.aborted) return;
    frameRequest = requestAnimationFrame(() => {
      frameRequest = 0;
      retarget();
    });
  };
  const effectParts = { marks, overlay, links, pointer, teamLine, dialler, signal, retarget, refresh };
  const gestures: GestureRunner = runGestures(
    createEffects({ ...effectParts, gestures: () => gestures }),
    signal,
  );
  feedEvents({ gestures, overlay, background, links, pointer, pointed, signal, targetAt, refresh });

  return {
    /** Focuses our link over a target for the keyboard. @returns false where no person can see the target now */
    async focus(target: Target) {
      if (!isSeen(target, await overlay.readLayers())) return false;
      gestures.feed({ type: 'step', target });
      return true;
    },
    get current() {
      return gestures.state.tip?.target;
    },
    /** Updates link and tip: the page may have moved or changed. */
    refresh,
    /** Judges the page's links again. With new settings, their numbers may change or be excluded. */
    clearCache: links.clearCache,
    applySettings(settings: ContentSettings) {
      gestures.feed({ type: 'settings', tipDelayMs: settings.tipDelayMs });
    },
    /** Dials the number that is focused, or in the focused control (keyboard command). */
    dialFocused: () => gestures.feed({ type: 'command', focus: deepActiveElement() }),
    showCall: dialler.showCall,
  };
}

/** What each effect of the machine does. */
function createEffects(parts: EffectParts): Effects {
  const { overlay, teamLine, dialler, retarget, refresh } = parts;
  const feed: GestureRunner['feed'] = (input) => parts.gestures().feed(input);
  const position = (target: Target) => positionTip(target, parts);
  const check = (target: Target) => {
    if (parts.gestures().state.pending?.target !== target) return;
    const isCurrent = target.isCurrent();
    if (isCurrent) position(target);
    feed({ type: 'check', isCurrent, selection: selectedText() });
  };

  return {
    show({ target, as, hint }) {
      const onCall = (isBrought: boolean) => feed({ type: 'button', target, isBrought });
      if (overlay.show(target.number, as, hint, onCall)) teamLine.show(target);
    },
    position: ({ target }) => position(target),
    consume: (_, event) => consume(event!),
    preventDefault: (_, event) => event!.preventDefault(),
    check({ afterMs, target }) {
      if (afterMs <= 0) check(target);
      else setTimeout(() => check(target), afterMs);
    },
    async verify({ target }) {
      const { pending } = parts.gestures().state;
      const layers = await overlay.readLayersOverTip();
      // The agent, or the page, did something else meanwhile.
      if (parts.gestures().state.pending !== pending) return;
      feed({
        type: 'verified',
        isSeen: target.isCurrent() && overlay.isLegible() && isSeen(target, layers),
        cover: overlay.coverOfTip(layers),
      });
    },
    retarget,
    refresh,
    hint: ({ hint }) => feed({ type: 'hint', hint }),
    resolveLink: ({ link, as }) => resolveLink(link as Element, as, parts),
    closeCard: (_, event) => overlay.hideCard() && consume(event!),
    dial: ({ target, isByKeyboard }) => void dialler.dial(target, isByKeyboard, teamLine.recordOf(target)),
    askElsewhere: ({ target }) => void dialler.askElsewhere(target),
    ...createFocusEffects(parts),
  };
}

/** The effects that move the focus of the page to our link and back. */
function createFocusEffects({
  overlay,
  teamLine,
  signal,
  gestures,
}: EffectParts): Pick<Effects, 'hide' | 'focusOurs'> {
  let focusBefore: Element | null = null;
  // A window that loses the focus keeps the focused element.
  const onBlur = () =>
    !overlay.isFocusing(overlay.link) && document.hasFocus() && gestures().feed({ type: 'ourBlur' });
  listen('blur', onBlur, signal, overlay.link);

  return {
    hide({ isReleased }) {
      const before = isReleased && overlay.hasFocus() ? focusBefore : null;
      if (isReleased) focusBefore = null;
      overlay.hide();
      teamLine.hide();
      overlay.moveFocus(before);
    },
    focusOurs() {
      if (!overlay.hasFocus()) focusBefore = deepActiveElement();
      overlay.moveFocus(overlay.link);
    },
  };
}

function positionTip(target: Target, { marks, overlay, pointer, gestures }: EffectParts): void {
  if (target.kind === 'control') {
    const [boxes, avoid] = target.around();
    overlay.position(boxes, avoid, undefined, true);
  } else {
    const boxes = target.boxes();
    const at = gestures().state.tip?.mode === 'keyboard' ? undefined : pointer.point;
    overlay.position(boxes, boxes[0] ? numbersNear(boxes[0], marks) : [], at);
  }
}

/** Passes the number of a link to the state machine as soon as it is known. */
function resolveLink(link: Element, as: EffectOf<'resolveLink'>['as'], parts: EffectParts): void {
  const { links, gestures } = parts;
  const target = links.targetOf(link, () => resolveLink(link, as, parts));
  if (!target) {
    // It is known only now that the link is excluded. The press belongs to the page.
    if (links.isExcluded(link) && as !== 'linkFocused') (link as Partial<HTMLElement>).click?.();
  } else if (as === 'linkFocused')
    gestures().feed({ type: as, target, isFocused: deepActiveElement() === link });
  else gestures().feed({ type: as, target });
}

/** Keeps an event from the page and from the browser. */
function consume(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
