/**
 * Our one element in the page: `<dialmark-overlay>` after `<body>`, with a closed shadow root, in the top layer. It holds one real
 * link over the number under the pointer or the keyboard focus, a tip that shows what it would dial, and a card with a question
 * or the call's state. The page can see, move and remove the element, but not look inside or act.
 */
import type { ChipCall, ContentSettings, ErrorCode, JudgedNumber } from '../messages.ts';
import { css } from './overlay-style.ts';

/** Something must have been on the screen for so long before a click on it counts. */
const minVisibleMs = 300;
/** How long the card of a finished call stays. */
const finishedCardMs = 10_000;

export type Overlay = ReturnType<typeof createOverlay>;

export function createOverlay(signal: AbortSignal) {
  // Created in a document without custom elements: a page that defined this name before would get our closed root from
  // `attachInternals()`, which returns it only where the element was already defined when the root was attached.
  const host = document.implementation.createHTMLDocument().createElement('dialmark-overlay');
  const shadow = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const root = element('div', 'root');
  const link = element('a', 'link');
  link.draggable = false;
  const tip = element('div', 'tip');
  tip.id = 'tip';
  link.setAttribute('aria-describedby', tip.id);
  const card = element('div', 'card');
  shadow.append(root);

  let settings: ContentSettings = { underline: 'dotted', theme: 'auto', texts: {}, direction: 'ltr' };
  let settledAt = Number.POSITIVE_INFINITY;
  let boxes: readonly DOMRect[] = [];
  let shownBoxes = '';
  let answer: ((yes: boolean) => void) | undefined;
  let pendingCard: (() => void) | undefined;
  let clockTimer: ReturnType<typeof setInterval> | undefined;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;
  /** Our elements that the page has painted over; always empty in Firefox, which does not report it. */
  const covered = new Set<Element>();
  const coverObserver = new IntersectionObserver(
    (entries) => {
      for (const { target, isVisible } of entries as (IntersectionObserverEntry & { isVisible?: boolean })[])
        if (isVisible === false) covered.add(target);
        else covered.delete(target);
    },
    { trackVisibility: true, delay: 100 } as IntersectionObserverInit,
  );
  coverObserver.observe(tip);
  coverObserver.observe(card);

  signal.addEventListener('abort', () => {
    answer?.(false);
    coverObserver.disconnect();
    host.remove();
  });
  // Events on our element stay inside: a menu or dialog of the page would take them for a click outside.
  for (const type of 'pointerdown pointerup mousedown mouseup click dblclick keydown keyup focusin'.split(
    ' ',
  ))
    shadow.addEventListener(type, (event) => event.stopPropagation(), { signal });

  const isOpen = () => host.parentNode === document.documentElement && host.matches(':popover-open');
  const raise = () => {
    if (shadow.activeElement && isOpen()) return; // Raising would lose the focus.
    if (host.parentNode !== document.documentElement) document.documentElement.append(host);
    // A root that moves to another document loses its sheets.
    shadow.adoptedStyleSheets = [sheet];
    host.popover = 'manual';
    // Shown again, to be above whatever the page has put into the top layer meanwhile.
    if (isOpen()) host.hidePopover();
    host.showPopover();
  };
  const lower = () => {
    if (!root.firstChild && isOpen()) host.hidePopover();
  };
  const fillIn = (key: string, values: string[]) =>
    (settings.texts[key] ?? '').replace(/\$(\d)/g, (_, index) => values[index - 1] ?? '');
  const text = (key: string, ...values: string[]) => fillIn(`content_${key}`, values);
  const line = (kind: string, content: string) => {
    const made = element('div', kind);
    made.textContent = content;
    return made;
  };

  const place = (newBoxes: readonly DOMRect[]) => {
    boxes = newBoxes;
    const key = boxes.map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join();
    if (key === shownBoxes) return;
    shownBoxes = key;
    settledAt = performance.now() + minVisibleMs;
    link.replaceChildren(
      ...boxes.map(({ left, top, width, height }) => {
        const part = element('span', 'box');
        part.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
        return part;
      }),
    );
    placeBeside(tip, boxes);
  };
  const showCard = (state: string, ...children: Node[]) => {
    const isNew = !card.isConnected;
    // The timer of an earlier finished call must not hide this card.
    clearTimeout(hideTimer);
    clearInterval(clockTimer);
    if (state === 'disconnected') hideTimer = setTimeout(hideCard, finishedCardMs);
    card.dataset.state = state;
    const isQuestion = state === 'confirm';
    card.role = isQuestion ? 'alertdialog' : 'status';
    card.ariaLabel = isQuestion ? children[0]!.textContent : null;
    card.style.cssText = '';
    card.replaceChildren(...children);
    root.append(card);
    if (isNew) raise();
  };
  const button = (kind: string, label: string, onClick: () => void) => {
    const made = element('button', kind);
    const from = performance.now() + minVisibleMs;
    made.type = 'button';
    made.textContent = label;
    made.addEventListener('click', (event) => {
      if (event.isTrusted && (kind !== 'yes' || (performance.now() >= from && !covered.has(card)))) onClick();
    });
    return made;
  };
  const hideCard = () => {
    if (answer) return answer(false);
    card.remove();
    lower();
  };
  /** A running clock, which as a timer is not read aloud every second. */
  const clockSince = (start: number) => {
    const clock = element('span', 'clock');
    clock.role = 'timer';
    const tick = () => {
      const seconds = Math.max(0, Math.floor((Date.now() - start) / 1000));
      clock.textContent = `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
    };
    tick();
    clockTimer = setInterval(() => (clock.isConnected ? tick() : clearInterval(clockTimer)), 1000);
    return clock;
  };
  const closeButton = () => {
    const made = button('close', '×', hideCard);
    made.ariaLabel = text('close');
    return made;
  };

  return {
    host,
    link,
    /** True while the link is focused. */
    hasFocus: () => shadow.activeElement === link,
    /** Puts the link over these boxes and the tip beside them; for links of the page only the tip. */
    show(
      { display, to, extension, reason }: JudgedNumber,
      newBoxes: readonly DOMRect[],
      asLink: boolean,
      hint?: string,
    ) {
      const digits = display.replace(/[^\d+]/g, '');
      link.href = `tel:${digits}`;
      link.ariaLabel = text('call', display);
      tip.replaceChildren(
        line('title', text('call', display)),
        line('line', text('ringsFirst')),
        ...(to === digits ? [] : [line('line', text('dials', to))]),
        ...(extension ? [line('line', text('extension', extension))] : []),
        ...(reason ? [line('warn', reason)] : []),
        ...(hint ? [line('title', hint)] : []),
      );
      shownBoxes = '';
      root.prepend(...(asLink ? [link] : []), tip);
      if (!asLink) link.remove();
      raise();
      place(newBoxes);
    },
    /** Moves link and tip to new boxes. */
    place,
    hide() {
      link.remove();
      link.removeAttribute('href');
      tip.remove();
      settledAt = Number.POSITIVE_INFINITY;
      lower();
    },
    /** True when link and tip were visible at their place for long enough. */
    isSettled: () => performance.now() >= settledAt && isOpen() && tip.isConnected && !covered.has(tip),
    /** Shows a question; resolves true on a trusted click on yes after `minVisibleMs`. */
    confirm: ({ title, reason, yes }: { title: string; reason: string; yes: string }) =>
      new Promise<boolean>((resolve) => {
        answer?.(false);
        answer = (isYes) => {
          answer = undefined;
          resolve(isYes);
          hideCard();
          if (!isYes) pendingCard?.();
          pendingCard = undefined;
        };
        const actions = element('div', 'actions');
        const no = button('no', text('cancel'), () => answer?.(false));
        actions.append(
          no,
          button('yes', yes, () => answer?.(true)),
        );
        showCard('confirm', line('title', title), line('line', reason), actions);
        // Replaces the tip: the question appears where the agent is looking.
        if (tip.isConnected) placeBeside(card, boxes);
        tip.remove();
        no.focus();
      }),
    /**
     * Shows a call's state or an error. An update (`isUpdate`) waits until an open question is answered. With `connectedAt` a
     * clock runs from then on; with `onHangUp` there is a button.
     */
    showCard(
      state: ChipCall['state'] | 'error',
      title: string,
      sentence: string,
      isUpdate?: boolean,
      {
        connectedAt,
        onHangUp,
      }: { connectedAt?: string | undefined; onHangUp?: (() => void) | undefined } = {},
    ) {
      const show = () => {
        const words = line(state === 'error' ? 'warn' : 'line', sentence);
        const actions = element('div', 'actions');
        if (onHangUp) actions.append(button('hang-up', text('hangUp'), onHangUp));
        showCard(state, line('title', title), words, ...(onHangUp ? [actions] : []), closeButton());
        if (connectedAt) words.append(' ', clockSince(Date.parse(connectedAt)));
      };
      if (isUpdate && answer) pendingCard = show;
      else {
        answer?.(false);
        show();
      }
    },
    hideCard,
    applySettings(newSettings: ContentSettings) {
      settings = newSettings;
      root.dir = settings.direction;
      root.dataset.theme = settings.theme;
    },
    /** `content_<key>` in the agent's language. */
    text,
    /** The sentence for an error; `$1` in it is the detail. */
    error: (code: ErrorCode, detail: string) => fillIn(`error_${code}`, [detail]) || detail || text('failed'),
  };
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  kind: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = kind;
  return made;
}

/** Places an element below the number where there is room, else above it; always inside the viewport. */
function placeBeside(tip: HTMLElement, boxes: readonly DOMRect[]): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const last = boxes.at(-1);
  if (!last) return;
  const { width, height } = tip.getBoundingClientRect();
  const below = last.bottom + 6;
  const left = Math.max(4, Math.min(last.left, clientWidth - width - 4));
  const top = below + height <= clientHeight ? below : Math.max(4, boxes[0]!.top - height - 6);
  tip.style.inset = `${top}px auto auto ${left}px`;
}
