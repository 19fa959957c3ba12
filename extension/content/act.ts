/**
 * From the pointer and the keyboard to a call. Only trusted events count, only on what has been on the screen long enough
 * to be read, and what stands in the page is read again at the click (Law 3).
 */
import type { ChipCall, JudgedNumber } from '../messages.ts';
import type { Marks } from './marks.ts';
import type { Overlay } from './overlay.ts';
import type { Runtime } from './runtime.ts';
import { elementUnder, linkTarget, markUnder, type Target, telephoneLinkAround } from './target.ts';

export interface Actor {
  /** Lays link and tip over a target by keyboard; `undefined` takes them away. */
  focus(target: Target | undefined): void;
  readonly current: Target | undefined;
  /** The page may have moved or changed. */
  refresh(): void;
  /** The keyboard command: dial what has the focus. */
  dialFocused(): void;
  showCall(call: ChipCall): void;
}

/** How far a call is: it never goes back. */
const progress = { initiating: 0, callingCaller: 1, unknown: 1, disconnected: 2, failed: 2 } as const;

export function takeClicks({
  marks,
  overlay,
  runtime,
  signal,
}: {
  marks: Marks;
  overlay: Overlay;
  runtime: Runtime;
  signal: AbortSignal;
}): Actor {
  const judgedLinks = new Map<string, JudgedNumber | null>();
  let point: { x: number; y: number } | undefined;
  let current: Target | undefined;
  let byKeyboard = false;
  let focusBefore: Element | null = null;
  let frame = 0;
  let placing = false;
  /** The newest call that the card told of. */
  let told: ChipCall | undefined;
  const { text } = overlay;

  const show = (target: Target | undefined, hint?: string) => {
    if (!target) {
      // Before anything is taken away: that takes the focus away, which comes back here.
      const shown = current;
      current = undefined;
      byKeyboard = false;
      if (shown) overlay.hide();
    } else if (current?.key === target.key && current.number === target.number && !hint) {
      overlay.place(target.boxes());
    } else {
      current = target;
      overlay.show(target.number, target.boxes(), !(target.key instanceof Element), hint);
    }
  };

  const targetAt = (x: number, y: number, judged: () => void): Target | undefined => {
    const under = elementUnder(x, y, overlay.host);
    if (!under) return;
    const link = telephoneLinkAround(under);
    return link ? linkTargetOf(link, judged) : markUnder(x, y, under, marks);
  };
  /** The first time asks the background and calls `judged` when it knows. */
  const linkTargetOf = (link: Element, judged: () => void): Target | undefined => {
    const href = link.getAttribute('href')!.slice(0, 200);
    const number = judgedLinks.get(href);
    if (number) return linkTarget(link, number);
    if (number === undefined) {
      judgedLinks.set(href, null);
      runtime.ask('content.judgeLink', { href }).then((reply) => {
        if (reply.ok) judgedLinks.set(href, reply.value);
        else judgedLinks.delete(href);
        judged();
      });
    }
    return undefined;
  };

  const refresh = () => {
    if (frame || signal.aborted) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (signal.aborted) return;
      if (byKeyboard) show(current?.stands() ? current : undefined);
      else show(point && targetAt(point.x, point.y, refresh));
    });
  };

  /** Places the call, or tells the agent why not. The guard's last word is the background's: it may ask first. */
  const dial = async (target: Target, confirmed = false): Promise<void> => {
    if (placing) return;
    const { display } = target.number;
    placing = true;
    const lang = document.documentElement.lang.slice(0, 35);
    const asked = runtime.ask('content.dial', {
      click: clickId(),
      text: target.text,
      cue: target.cue,
      ...(target.whole && { whole: target.whole }),
      shown: display,
      ...(lang && { lang }),
      ...(confirmed && { confirmed }),
    });
    overlay.showCard('initiating', display, text('calling'));
    const reply = await asked;
    placing = false;
    if (signal.aborted) return;
    if (reply.ok) return showCall(reply.value);
    const { code, detail = '' } = reply.error;
    if (code !== 'confirmFirst') overlay.showCard('error', display, overlay.error(code, detail));
    else if (await confirm(target, detail)) await dial(target, true);
  };
  const confirm = ({ number }: Target, reason: string): Promise<boolean> =>
    overlay.ask({ title: text('confirm', number.display), reason, yes: text('yes') });
  const begin = async (target: Target) => {
    if (!target.claims || (await confirm(target, text('linkDiffers', target.claims, target.number.display))))
      await dial(target);
  };
  /** Messages may overtake each other: what is known already, and what became of calls before the one shown, is no news. */
  const isOld = ({ id, state, createdAt }: ChipCall) =>
    told?.id === id ? progress[state] < progress[told.state] : told && createdAt < told.createdAt;
  const showCall = (call: ChipCall) => {
    if (isOld(call)) return;
    told = call;
    overlay.showCard(call.state, call.display, call.sentence, true);
  };

  /** What is under a click must be what link and tip show, for long enough. */
  const take = (target: Target | undefined) => {
    if (!target || target.key !== current?.key || !target.stands()) return refresh();
    overlay.place(target.boxes());
    if (overlay.settled()) void begin(target);
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
      event.preventDefault(); // Never to the system's own telephone.
      if (!isPlain(event) || !runtime.alive()) return;
      // A key press on a focused link is a click without a point.
      if (event.detail === 0) take(overlay.focused() ? current : undefined);
      else if (getSelection()?.isCollapsed !== false) take(targetAt(event.clientX, event.clientY, () => {}));
    },
    { signal },
  );

  addEventListener(
    'click',
    (event) => {
      if (!isPlain(event) || event.target === overlay.host || !runtime.alive()) return;
      const inPath = event.composedPath().find((node): node is Element => node instanceof Element);
      const under = event.detail > 0 ? elementUnder(event.clientX, event.clientY, overlay.host) : undefined;
      const link = telephoneLinkAround(inPath) ?? telephoneLinkAround(under);
      if (link) {
        event.preventDefault();
        event.stopImmediatePropagation();
        const go = () => {
          const target = linkTargetOf(link, go);
          if (!target) return;
          byKeyboard = event.detail === 0;
          const seen = current?.key === link;
          if (seen) take(target);
          else show(target, text('again'));
        };
        go();
      } else if (event.detail > 0 && current && getSelection()?.isCollapsed !== false) {
        // Where the page makes everything outside its dialog inert, our link does not get the click: the number does.
        const target = targetAt(event.clientX, event.clientY, () => {});
        if (target?.key !== current.key) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        take(target);
      }
    },
    { capture: true, signal },
  );

  addEventListener(
    'pointermove',
    ({ clientX, clientY, isTrusted }) => {
      if (!isTrusted || !runtime.alive()) return;
      if (byKeyboard && point?.x === clientX && point.y === clientY) return; // The page moved under a resting pointer.
      point = { x: clientX, y: clientY };
      if (byKeyboard && overlay.focused()) return;
      byKeyboard = false;
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
      if (!byKeyboard) refresh();
    },
    { passive: true, signal },
  );
  // A tel: link of the page that gets the keyboard's focus shows what it would dial.
  addEventListener(
    'focusin',
    (event) => {
      const link = telephoneLinkAround(event.composedPath()[0] as Element);
      if (!link || !runtime.alive() || !link.matches(':focus-visible')) return;
      const go = () => {
        const target = linkTargetOf(link, go);
        if (!target || document.activeElement === null) return;
        byKeyboard = true;
        show(target);
      };
      go();
    },
    { capture: true, signal },
  );
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !event.isTrusted) return;
      if (byKeyboard) focus(undefined);
      else overlay.hideCard();
    },
    { capture: true, signal },
  );
  overlay.link.addEventListener('blur', () => byKeyboard && show(undefined), { signal });

  const focus = (target: Target | undefined) => {
    if (!target) {
      show(undefined);
      (focusBefore as HTMLElement | null)?.focus?.({ preventScroll: true });
      focusBefore = null;
      return;
    }
    if (!overlay.focused()) focusBefore = document.activeElement;
    byKeyboard = false; // The link is about to move: its blur means nothing.
    show(undefined);
    show(target);
    overlay.link.focus({ preventScroll: true });
    byKeyboard = true;
  };

  return {
    focus,
    get current() {
      return current;
    },
    refresh,
    dialFocused() {
      if (byKeyboard) take(current);
    },
    showCall,
  };
}

/** 128 random bits, as `content.dial` wants them. */
function clickId(): string {
  let text = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').slice(0, 22);
}
