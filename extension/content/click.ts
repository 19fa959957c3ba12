/**
 * Turns pointer and keyboard events into calls. Only trusted events count, only on what was shown long enough to be read, and
 * the page's text is read again at the click (Law 3).
 */
import type { ChipCall, JudgedNumber } from '../messages.ts';
import { elementUnder, linkTarget, markUnder, type Target, telephoneLinkAround } from './click-target.ts';
import type { Overlay } from './overlay.ts';
import type { Marks } from './paint-marks.ts';
import type { Runtime } from './runtime.ts';

/** Rank of a state: a call never goes back. */
const rank = {
  initiating: 0,
  callingCaller: 1,
  callingCallee: 2,
  connected: 3,
  unknown: 1, // It may ring after all, which is news; so is a call that was lost sight of.
  disconnected: 4,
  failed: 4,
} as const;

export type ClickHandler = ReturnType<typeof handleClicks>;

export function handleClicks(marks: Marks, overlay: Overlay, runtime: Runtime, signal: AbortSignal) {
  const judgedLinks = new Map<string, JudgedNumber | null>();
  let point: { x: number; y: number } | undefined;
  let current: Target | undefined;
  let isByKeyboard = false;
  let focusBefore: Element | null = null;
  let frame = 0;
  let isPlacing = false;
  /** The newest call that the card showed. */
  let lastShown: ChipCall | undefined;
  const { text } = overlay;

  const show = (target: Target | undefined, hint?: string) => {
    if (!target) {
      // Reset first: hiding the link blurs it, which calls this again.
      const shown = current;
      current = undefined;
      isByKeyboard = false;
      if (shown) overlay.hide();
    } else if (current?.key === target.key && current.number === target.number && !hint) {
      overlay.place(target.boxes());
    } else {
      current = target;
      overlay.show(target.number, target.boxes(), !(target.key instanceof Element), hint);
    }
  };

  const targetAt = (x: number, y: number, onJudged: () => void): Target | undefined => {
    const under = elementUnder(x, y, overlay.host);
    if (!under) return;
    const link = telephoneLinkAround(under);
    return link ? linkTargetOf(link, onJudged) : markUnder(x, y, under, marks);
  };
  /** Requests an unknown link's number from the background; `onJudged` runs when the reply came. */
  const linkTargetOf = (link: Element, onJudged: () => void): Target | undefined => {
    const href = link.getAttribute('href')!.slice(0, 200);
    const number = judgedLinks.get(href);
    if (number) return linkTarget(link, number);
    if (number === undefined) {
      judgedLinks.set(href, null);
      runtime.send('content.judgeLink', { href, ...pageLanguage() }).then((reply) => {
        if (reply.ok) judgedLinks.set(href, reply.value);
        else judgedLinks.delete(href);
        onJudged();
      });
    }
    return undefined;
  };

  const refresh = () => {
    if (frame || signal.aborted) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (signal.aborted) return;
      if (isByKeyboard) show(current?.isCurrent() ? current : undefined);
      else show(point && targetAt(point.x, point.y, refresh));
    });
  };

  /** Places the call, or shows why not. The background's guard decides, and may require a confirmation first. */
  const dial = async (target: Target, confirmed = false): Promise<void> => {
    if (isPlacing) return;
    const { display, to } = target.number;
    isPlacing = true;
    const request = runtime.send('content.dial', {
      click: clickId(),
      text: target.text,
      contextWords: target.contextWords,
      ...(target.whole && { whole: target.whole }),
      ...(target.near && { near: target.near }),
      shown: { display, to },
      ...pageLanguage(),
      ...(confirmed && { confirmed }),
    });
    overlay.showCard('initiating', display, text('calling'));
    const reply = await request;
    isPlacing = false;
    if (signal.aborted) return;
    if (reply.ok) return showCall(reply.value);
    const { code, detail = '' } = reply.error;
    if (code !== 'confirmFirst') overlay.showCard('error', display, overlay.error(code, detail));
    else if (await confirm(target, detail)) await dial(target, true);
  };
  const confirm = ({ number }: Target, reason: string): Promise<boolean> =>
    overlay.confirm({ title: text('confirm', number.display), reason, yes: text('yes') });
  const dialOrConfirm = async (target: Target) => {
    if (
      !target.differentText ||
      (await confirm(target, text('linkDiffers', target.differentText, target.number.display)))
    )
      await dial(target);
  };
  /** Messages may arrive out of order: earlier states, and calls before the one shown, are outdated. */
  const isOutdated = ({ id, state, createdAt }: ChipCall) =>
    lastShown?.id === id
      ? (state === 'unknown' ? 3 : rank[state]) < rank[lastShown.state]
      : lastShown && createdAt < lastShown.createdAt;
  const showCall = (call: ChipCall) => {
    if (isOutdated(call)) return;
    lastShown = call;
    const { id, state, display, sentence, connectedAt, canHangUp } = call;
    const hangUp = async () => {
      const reply = await runtime.send('content.hangUp', { id });
      if (!reply.ok && lastShown === call)
        overlay.showCard(state, display, overlay.error(reply.error.code, ''), true);
    };
    overlay.showCard(state, display, sentence, true, {
      connectedAt,
      onHangUp: canHangUp ? hangUp : undefined,
    });
  };

  /** Dials a target only when link and tip have shown it for long enough. */
  const acceptClick = (target: Target | undefined) => {
    if (!target || target.key !== current?.key || !target.isCurrent()) return refresh();
    overlay.place(target.boxes());
    if (overlay.isSettled()) void dialOrConfirm(target);
    else show(target, text('again'));
  };

  const isPlain = (event: MouseEvent) =>
    event.isTrusted &&
    event.button === 0 &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.shiftKey &&
    !event.altKey;

  overlay.link.addEventListener(
    'click',
    (event) => {
      event.preventDefault(); // Keeps the system's own telephone from opening.
      if (!isPlain(event) || !runtime.isAlive()) return;
      // A key press on a focused link is a click without a point.
      if (event.detail === 0) acceptClick(overlay.hasFocus() ? current : undefined);
      else if (getSelection()?.isCollapsed !== false)
        acceptClick(targetAt(event.clientX, event.clientY, () => {}));
    },
    { signal },
  );

  addEventListener(
    'click',
    (event) => {
      if (!isPlain(event) || event.target === overlay.host || !runtime.isAlive()) return;
      const inPath = event.composedPath().find((node): node is Element => node instanceof Element);
      const under = event.detail > 0 ? elementUnder(event.clientX, event.clientY, overlay.host) : undefined;
      const link = telephoneLinkAround(inPath) ?? telephoneLinkAround(under);
      if (link) {
        event.preventDefault();
        event.stopImmediatePropagation();
        const proceed = () => {
          const target = linkTargetOf(link, proceed);
          if (!target) return;
          isByKeyboard = event.detail === 0;
          const wasShown = current?.key === link;
          if (wasShown) acceptClick(target);
          else show(target, text('again'));
        };
        proceed();
      } else if (event.detail > 0 && current && getSelection()?.isCollapsed !== false) {
        // Where the page makes everything outside its dialog inert, our link does not get the click: the number does.
        const target = targetAt(event.clientX, event.clientY, () => {});
        if (target?.key !== current.key) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        acceptClick(target);
      }
    },
    { capture: true, signal },
  );

  addEventListener(
    'pointermove',
    ({ clientX, clientY, isTrusted }) => {
      if (!isTrusted || !runtime.isAlive()) return;
      if (isByKeyboard && point?.x === clientX && point.y === clientY) return; // The page moved under a resting pointer.
      point = { x: clientX, y: clientY };
      if (isByKeyboard && overlay.hasFocus()) return;
      isByKeyboard = false;
      refresh();
    },
    { capture: true, passive: true, signal },
  );
  for (const type of ['scroll', 'resize'])
    addEventListener(type, () => current && refresh(), { capture: true, passive: true, signal });
  document.documentElement.addEventListener(
    'pointerleave',
    () => {
      point = undefined;
      if (!isByKeyboard) refresh();
    },
    { passive: true, signal },
  );
  // A tel: link of the page that is focused by keyboard shows what it would dial.
  addEventListener(
    'focusin',
    (event) => {
      const link = telephoneLinkAround(event.composedPath()[0] as Element);
      if (!link || !runtime.isAlive() || !link.matches(':focus-visible')) return;
      const proceed = () => {
        const target = linkTargetOf(link, proceed);
        if (!target || document.activeElement === null) return;
        isByKeyboard = true;
        show(target);
      };
      proceed();
    },
    { capture: true, signal },
  );
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !event.isTrusted) return;
      if (isByKeyboard) focus(undefined);
      else overlay.hideCard();
    },
    { capture: true, signal },
  );
  overlay.link.addEventListener('blur', () => isByKeyboard && show(undefined), { signal });

  const focus = (target: Target | undefined) => {
    if (!target) {
      show(undefined);
      (focusBefore as HTMLElement | null)?.focus?.({ preventScroll: true });
      focusBefore = null;
      return;
    }
    if (!overlay.hasFocus()) focusBefore = document.activeElement;
    isByKeyboard = false; // The link is about to move: its blur is to be ignored.
    show(undefined);
    show(target);
    overlay.link.focus({ preventScroll: true });
    isByKeyboard = true;
  };

  return {
    /** Focuses our link over a target for the keyboard; `undefined` removes link and tip. */
    focus,
    get current() {
      return current;
    },
    /** Updates link and tip: the page may have moved or changed. */
    refresh,
    /** Dials the focused number (keyboard command). */
    dialFocused() {
      if (isByKeyboard) acceptClick(current);
    },
    showCall,
  };
}

function pageLanguage(): { lang?: string } {
  const lang = document.documentElement.lang.slice(0, 35);
  return lang ? { lang } : {};
}

/** 128 random bits in the form that `content.dial` requires. */
function clickId(): string {
  let text = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').slice(0, 22);
}
