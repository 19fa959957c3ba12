/**
 * Our one element in the page: `<dialmark-overlay>` after `<body>`, with a closed shadow root, in the top layer. It holds a tip
 * that shows what a number would dial, one real link over the number that the keyboard command focused, and a card with a question
 * or the call's state. Only buttons and card take the pointer. The page can see, move and remove the element, but not look
 * inside or act.
 */
import type { ContentSettings } from '../messages/content.ts';
import type { ErrorCode } from '../messages/result.ts';
import type { ChipCall, JudgedNumber } from '../messages/views.ts';
import { listen } from './listen.ts';
import { overlap, type Point, placeWithin } from './overlay-place.ts';
import { overlayStyle, tipDelayStyle } from './overlay-style.ts';
import { selectors } from './selectors.ts';
import { shadowRootOf } from './shadow-roots.ts';

/** Something must have been on the screen for so long before a click on it counts. */
const minVisibleMs = 300;
/** How long the card of a finished call stays. */
const finishedCardMs = 10_000;
/** Events on our own element that the page does not get. */
const ownEvents = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'click',
  'dblclick',
  'keydown',
  'keyup',
  'focusin',
] as const;

export type Overlay = ReturnType<typeof createOverlay>;

export function createOverlay(signal: AbortSignal) {
  // Created in a document without custom elements: a page that defined this name before would get our closed root from
  // `attachInternals()`, which returns it only where the element was already defined when the root was attached.
  const host = document.implementation.createHTMLDocument().createElement('dialmark-overlay');
  const shadow = host.attachShadow({ mode: 'closed' });
  const sheet = new CSSStyleSheet();
  const root = element('div', 'root');
  const link = element('a', 'link');
  const tip = element('div', 'tip');
  tip.id = 'tip';
  link.setAttribute('aria-describedby', tip.id);
  const card = element('div', 'card');
  shadow.append(root);

  let texts: ContentSettings['texts'] = {};
  let tipDelayMs = 0;
  /** Of the tip that is shown: what keyboard or finger asked for has none. */
  let delayMs = 0;
  let visibleAt = 0;
  let placedAt = 0;
  let boxes: readonly DOMRect[] = [];
  let shownBoxes = '';
  let pointer: Point | undefined;
  /** The number that a question is about, for its place. */
  let questionBoxes: readonly DOMRect[] | undefined;
  let focusBefore: Element | null = null;
  let isRaising = false;
  let raisedAt = 0;
  /** What of the page was in the top layer, below us, when we were last put on top. */
  let below: readonly Element[] = [];
  let answer: ((choice?: number) => void) | undefined;
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
    answer?.();
    coverObserver.disconnect();
    host.remove();
  });
  const stop = (event: Event) => event.stopPropagation();

  const isOpen = () => host.parentNode === document.documentElement && host.matches(':popover-open');
  const topLayer = () =>
    [...document.querySelectorAll(selectors.inTopLayer)].filter((other) => other !== host);
  /** True while nothing has come into the top layer after us: it might be painted over us, which Firefox (153) does not report. */
  const isOnTop = () => isOpen() && topLayer().every((other) => below.includes(other));
  const raise = () => {
    const focused = shadow.activeElement as HTMLElement | null;
    if (focused && isOnTop()) return;
    isRaising = true;
    if (host.parentNode !== document.documentElement) document.documentElement.append(host);
    // A root that moves to another document loses its sheets.
    shadow.adoptedStyleSheets = [sheet];
    host.popover = 'manual';
    // Shown again, to be above whatever the page has put into the top layer meanwhile.
    if (isOpen()) host.hidePopover();
    host.showPopover();
    below = topLayer();
    focused?.focus({ preventScroll: true });
    isRaising = false;
    raisedAt = performance.now();
    visibleAt = raisedAt + delayMs;
  };
  // The page shows something in the top layer: we go above it, and what it may have hidden has to be seen first.
  const goAbove = (event: ToggleEvent) => {
    if (event.target === host || event.newState !== 'open' || !root.firstChild) return;
    below = [];
    requestAnimationFrame(() => !signal.aborted && root.firstChild && !isOnTop() && raise());
  };
  listen('beforetoggle', goAbove, signal);
  const lower = () => {
    if (!root.firstChild && isOpen()) host.hidePopover();
  };
  const fillIn = (key: string, values: string[]) =>
    (texts[key] ?? '').replace(/\$(\d)/g, (_, index) => values[index - 1] ?? '');
  const text = (key: string, ...values: string[]) => fillIn(`content_${key}`, values);
  const div = (kind: string, ...content: (Node | string)[]) => element('div', kind, ...content);
  const divIf = (kind: string, content: string | false | undefined) => (content ? div(kind, content) : '');

  /** @param avoid what else the tip is not to cover, where it is to be beside the boxes. */
  const place = (newBoxes: readonly DOMRect[], at?: Point, avoid?: readonly DOMRect[]) => {
    boxes = newBoxes;
    pointer = at;
    const key = boxes.map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join();
    if (key !== shownBoxes) {
      shownBoxes = key;
      placedAt = performance.now();
      link.replaceChildren(
        ...boxes.map(({ left, top, width, height }) => {
          const part = element('span', 'box');
          part.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
          return part;
        }),
      );
    }
    placeWithin(tip, boxes, [boxOf(card), ...(avoid ?? [])], pointer, !!avoid);
    if (overlap(boxOf(card), boxOf(tip))) placeCard();
  };
  /** Beside the number in question, or in a corner; never over it, nor over the tip. */
  const placeCard = () => {
    if (!card.isConnected) return;
    if (questionBoxes) placeWithin(card, questionBoxes, [boxOf(tip)], pointer);
    else placeWithin(card, [], [...boxes, boxOf(tip)]);
  };
  listen('resize', placeCard, signal);
  const showCard = (state: string, title: Node, ...children: (Node | string)[]) => {
    const isNew = !card.isConnected;
    // The timer of an earlier finished call must not hide this card.
    clearTimeout(hideTimer);
    clearInterval(clockTimer);
    if (state === 'disconnected') hideTimer = setTimeout(hideCard, finishedCardMs);
    card.dataset.state = state;
    const isQuestion = state === 'confirm';
    card.role = isQuestion ? 'alertdialog' : 'status';
    card.ariaLabel = isQuestion ? title.textContent : null;
    card.replaceChildren(title, ...children);
    root.append(card);
    if (isNew) raise();
    if (!isQuestion) questionBoxes = undefined;
    placeCard();
  };
  const button = (kind: string, label: string, onClick: () => void) => {
    const made = element('button', kind, label);
    const madeAt = performance.now();
    made.addEventListener('click', (event) => {
      if (!event.isTrusted) return;
      if (kind !== 'yes') onClick();
      else if (!isOnTop()) raise();
      else if (performance.now() - Math.max(madeAt, raisedAt) >= minVisibleMs && !covered.has(card))
        onClick();
    });
    return made;
  };
  /** @returns whether there was one. */
  const hideCard = () => {
    const wasShown = card.isConnected;
    if (answer) answer();
    else {
      card.remove();
      lower();
    }
    return wasShown;
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

  return {
    host,
    link,
    tip,
    /** True while the link is focused. */
    hasFocus: () => shadow.activeElement === link,
    /** True while the link loses the focus for a moment only. */
    isRaising: () => isRaising,
    /** Shows the tip, to be placed: for the keyboard with our link, for touch and for the page's controls with a button. */
    show(number: JudgedNumber, as: 'tip' | 'link' | 'button', hint: string | undefined, onCall: () => void) {
      const { display, to, extension, reason } = number;
      const digits = display.replace(/[^\d+]/g, '');
      link.href = `tel:${digits}`;
      link.ariaLabel = text('call', display);
      tip.replaceChildren(
        div('title', text('call', withPlace(number))),
        div('line', text('ringsFirst')),
        divIf('line', to !== digits && text('dials', to)),
        divIf('line', extension && text('extension', extension)),
        divIf('warn', reason),
        divIf('title', hint),
        as === 'button' ? button('call', text('yes'), onCall) : '',
      );
      shownBoxes = '';
      // Moving a focused link would blur it.
      if (as !== 'link') link.remove();
      else if (!link.isConnected) root.prepend(link);
      if (!tip.isConnected) root.prepend(tip);
      delayMs = as === 'tip' ? tipDelayMs : 0;
      visibleAt = performance.now() + delayMs;
      raise();
    },
    /** Moves link and tip to these boxes. */
    place,
    hide() {
      link.remove();
      tip.remove();
      lower();
    },
    isOnTop,
    /** Milliseconds until the tip has been visible, and at its place, for long enough to be read. */
    settlesInMs: () => Math.max(visibleAt, placedAt) + minVisibleMs - performance.now(),
    /** True while the tip is shown and nothing of the page is known to cover it. */
    isTipVisible: () => isOnTop() && tip.isConnected && !covered.has(tip),
    /**
     * Shows a question beside the number; resolves with the index of the choice on a trusted click on its button after
     * `minVisibleMs`, and undefined for no. Takes the focus only where the keyboard asked, and gives it back.
     */
    confirm: (title: string, reason: string, choices: readonly string[], isByKeyboard?: boolean) =>
      new Promise<number | undefined>((resolve) => {
        answer?.();
        questionBoxes = boxes;
        answer = (choice) => {
          answer = undefined;
          resolve(choice);
          const hadFocus = shadow.activeElement;
          hideCard();
          if (hadFocus) (focusBefore as HTMLElement | null)?.focus?.({ preventScroll: true });
          if (choice === undefined) pendingCard?.();
          pendingCard = undefined;
        };
        const no = button('no', text('cancel'), () => answer?.());
        const yes = choices.map((label, index) => button('yes', label, () => answer?.(index)));
        // The question takes the tip's place, where the agent is looking.
        tip.remove();
        showCard('confirm', div('title', title), div('line', reason), div('actions', no, ...yes.reverse()));
        focusBefore = deepActiveElement();
        if (isByKeyboard) no.focus({ preventScroll: true });
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
        const words = div(state === 'error' ? 'warn' : 'line', sentence);
        const actions = onHangUp ? div('actions', button('hang-up', text('hangUp'), onHangUp)) : '';
        const close = button('close', '×', hideCard);
        close.ariaLabel = text('close');
        showCard(state, div('title', title), words, actions, close);
        if (connectedAt) words.append(' ', clockSince(Date.parse(connectedAt)));
      };
      if (isUpdate && answer) pendingCard = show;
      else {
        answer?.();
        show();
      }
    },
    hideCard,
    applySettings(settings: ContentSettings) {
      texts = settings.texts;
      sheet.replaceSync(overlayStyle + tipDelayStyle(settings.tipDelayMs));
      // Events on our element stay inside: a menu or dialog of the page would take them for a click outside.
      for (const type of ownEvents) shadow.addEventListener(type, stop, { signal });
      root.dir = settings.direction;
      root.style.colorScheme = settings.colorScheme;
      tipDelayMs = settings.tipDelayMs;
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
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = kind;
  made.append(...content);
  return made;
}

/** A number, and where it is if that is abroad. */
export const withPlace = ({ display, place }: { display: string; place?: string | undefined }): string =>
  place ? `${display}, ${place}` : display;

/** The focused element, also inside shadow roots. */
export function deepActiveElement(): Element | null {
  let active = document.activeElement;
  for (let inner = shadowRootOf(active); inner?.activeElement; inner = shadowRootOf(active))
    active = inner.activeElement;
  return active;
}

/** Empty, and away from where tip and card may be, for a part that is not shown. */
const boxOf = (part: Element) => part.getBoundingClientRect();
