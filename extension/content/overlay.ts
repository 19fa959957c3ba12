/**
 * Our one element in the page: `<dialmark-overlay>` after `<body>`, with a closed shadow root, shown in the top layer. Inside
 * stand one real link, laid exactly over the number under the pointer or the keyboard, a tip that says what it would do,
 * and a card that asks or tells how the call goes. The page can see, move and remove the element, not look inside or act.
 */
import type { ChipCall, ContentSettings, ErrorCode, JudgedNumber } from '../messages.ts';
import { css } from './overlay-style.ts';

/** Milliseconds that something must have been on the screen before a click on it counts. */
const settleTime = 300;
/** Milliseconds that the card of a call that ended stays. */
const endStays = 10_000;

export interface Question {
  title: string;
  reason: string;
  yes: string;
}

export interface Overlay {
  readonly host: HTMLElement;
  readonly link: HTMLAnchorElement;
  /** The link has the keyboard's focus. */
  focused(): boolean;
  /** Lays the link over these boxes and shows the tip beside them; over links of the page the tip only. */
  show(number: JudgedNumber, boxes: readonly DOMRect[], asLink: boolean, hint?: string): void;
  /** Moves link and tip after a page that moved. */
  place(boxes: readonly DOMRect[]): void;
  hide(): void;
  /** True when link and tip have been seen long enough where they are. */
  settled(): boolean;
  /** Asks; resolves true on a trusted click on yes that came after `settleTime`. */
  ask(question: Question): Promise<boolean>;
  /** How the call goes, or what went wrong with it. News that nobody asked for waits until a question is answered. */
  showCard(state: ChipCall['state'] | 'error', title: string, sentence: string, isNews?: boolean): void;
  hideCard(): void;
  use(settings: ContentSettings): void;
  /** `content_<key>` in the agent's language. */
  text(key: string, ...values: string[]): string;
  /** The sentence for an error; `$1` in it is the detail. */
  error(code: ErrorCode, detail: string): string;
}

export function makeOverlay(signal: AbortSignal): Overlay {
  // Made in a document without custom elements: a page that defines this name before us would be handed our closed root by
  // `attachInternals()`, which shows it only where the element was theirs already when the root was attached.
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
  let later: (() => void) | undefined;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  /** What the page has painted over (Chromium tells, Firefox does not: there nothing is ever in here). */
  const covered = new Set<Element>();
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isVisible } of entries as (IntersectionObserverEntry & { isVisible?: boolean })[])
        if (isVisible === false) covered.add(target);
        else covered.delete(target);
    },
    { trackVisibility: true, delay: 100 } as IntersectionObserverInit,
  );
  watch.observe(tip);
  watch.observe(card);

  signal.addEventListener('abort', () => {
    answer?.(false);
    watch.disconnect();
    host.remove();
  });
  // What happens on our element is not for the page: a menu or dialog of its own would take it for a click outside.
  for (const type of 'pointerdown pointerup mousedown mouseup click dblclick keydown keyup focusin'.split(
    ' ',
  ))
    shadow.addEventListener(type, (event) => event.stopPropagation(), { signal });

  const isOpen = () => host.parentNode === document.documentElement && host.matches(':popover-open');
  const raise = () => {
    if (shadow.activeElement && isOpen()) return; // Raising would take the focus away.
    if (host.parentNode !== document.documentElement) document.documentElement.append(host);
    // A root that changes documents loses its sheets.
    shadow.adoptedStyleSheets = [sheet];
    host.popover = 'manual';
    // Shown again: above whatever the page has put into the top layer meanwhile.
    if (isOpen()) host.hidePopover();
    host.showPopover();
  };
  const lower = () => {
    if (!root.firstChild && isOpen()) host.hidePopover();
  };
  const fill = (key: string, values: string[]) =>
    (settings.texts[key] ?? '').replace(/\$(\d)/g, (_, index) => values[index - 1] ?? '');
  const text = (key: string, ...values: string[]) => fill(`content_${key}`, values);
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
    settledAt = performance.now() + settleTime;
    link.replaceChildren(
      ...boxes.map(({ left, top, width, height }) => {
        const part = element('span', 'box');
        part.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
        return part;
      }),
    );
    beside(tip, boxes);
  };
  const showCard = (state: string, ...children: Node[]) => {
    const isNew = !card.isConnected;
    // What is shown now must not go when the end before it would have.
    clearTimeout(leaving);
    if (state === 'disconnected') leaving = setTimeout(hideCard, endStays);
    card.dataset.state = state;
    const asks = state === 'confirm';
    card.role = asks ? 'alertdialog' : 'status';
    card.ariaLabel = asks ? children[0]!.textContent : null;
    card.style.cssText = '';
    card.replaceChildren(...children);
    root.append(card);
    if (isNew) raise();
  };
  const button = (kind: string, label: string, act: () => void) => {
    const made = element('button', kind);
    const from = performance.now() + settleTime;
    made.type = 'button';
    made.textContent = label;
    made.addEventListener('click', (event) => {
      if (event.isTrusted && (kind !== 'yes' || (performance.now() >= from && !covered.has(card)))) act();
    });
    return made;
  };
  const hideCard = () => {
    if (answer) return answer(false);
    card.remove();
    lower();
  };
  const closeButton = () => {
    const made = button('close', '×', hideCard);
    made.ariaLabel = text('close');
    return made;
  };

  return {
    host,
    link,
    focused: () => shadow.activeElement === link,
    show({ display, to, extension, reason }, newBoxes, asLink, hint) {
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
    place,
    hide() {
      link.remove();
      link.removeAttribute('href');
      tip.remove();
      settledAt = Number.POSITIVE_INFINITY;
      lower();
    },
    settled: () => performance.now() >= settledAt && isOpen() && tip.isConnected && !covered.has(tip),
    ask: ({ title, reason, yes }) =>
      new Promise((resolve) => {
        answer?.(false);
        answer = (said) => {
          answer = undefined;
          resolve(said);
          hideCard();
          if (!said) later?.();
          later = undefined;
        };
        const actions = element('div', 'actions');
        const no = button('no', text('cancel'), () => answer?.(false));
        actions.append(
          no,
          button('yes', yes, () => answer?.(true)),
        );
        showCard('confirm', line('title', title), line('line', reason), actions);
        // In place of the tip: the question stands where the agent looks.
        if (tip.isConnected) beside(card, boxes);
        tip.remove();
        no.focus();
      }),
    showCard(state, title, sentence, isNews) {
      const show = () =>
        showCard(
          state,
          line('title', title),
          line(state === 'error' ? 'warn' : 'line', sentence),
          closeButton(),
        );
      if (isNews && answer) later = show;
      else {
        answer?.(false);
        show();
      }
    },
    hideCard,
    use(newSettings) {
      settings = newSettings;
      root.dir = settings.direction;
      root.dataset.theme = settings.theme;
    },
    text,
    error: (code, detail) => fill(`error_${code}`, [detail]) || detail || text('failed'),
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

/** Under the number where there is room, else over it; never out of the viewport. */
function beside(tip: HTMLElement, boxes: readonly DOMRect[]): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const last = boxes.at(-1);
  if (!last) return;
  const { width, height } = tip.getBoundingClientRect();
  const below = last.bottom + 6;
  const left = Math.max(4, Math.min(last.left, clientWidth - width - 4));
  const top = below + height <= clientHeight ? below : Math.max(4, boxes[0]!.top - height - 6);
  tip.style.inset = `${top}px auto auto ${left}px`;
}
