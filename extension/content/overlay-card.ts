/** The card: a question beside the number, or the state of the call in a corner. */
import type { ChipCall } from '../messages/views.ts';
import { deepActiveElement, div, element } from './elements.ts';
import { listen } from './listen.ts';
import type { MakeButton } from './overlay-button.ts';
import { type Point, placeWithin } from './overlay-place.ts';
import type { Tip } from './overlay-tip.ts';
import type { Words } from './overlay-words.ts';
import type { TopLayer } from './top-layer.ts';

/** How long the card of a finished call stays. */
const finishedCardMs = 10_000;

export type CardState = ChipCall['state'] | 'error';
export interface CardExtras {
  /** A clock runs from then on. */
  connectedAt?: string | undefined;
  /** Adds a button. */
  onHangUp?: (() => void) | undefined;
}

export function createCard(
  layer: TopLayer,
  { tip, boxes }: Pick<Tip, 'tip' | 'boxes'>,
  { text }: Pick<Words, 'text'>,
  makeButton: MakeButton,
  signal: AbortSignal,
) {
  const card = element('div', 'card');
  /** The number that a question is about, for its place. */
  let questionBoxes: readonly DOMRect[] | undefined;
  let pointer: Point | undefined;
  let shownPlace = '';
  let placedAt = 0;
  let focusBefore: Element | null = null;
  let answer: ((choice?: number) => void) | undefined;
  let pendingCard: (() => void) | undefined;
  let clockTimer: ReturnType<typeof setInterval> | undefined;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;
  const guarded = { part: card, placedAt: () => placedAt };

  /** Beside the number in question, or in a corner; never over it, nor over the tip. */
  const place = () => {
    if (!card.isConnected) return;
    const tipBox = tip.getBoundingClientRect();
    if (questionBoxes) placeWithin(card, questionBoxes, [tipBox], pointer);
    else placeWithin(card, [], [...boxes(), tipBox]);
    if (card.style.inset === shownPlace) return;
    shownPlace = card.style.inset;
    placedAt = performance.now();
  };
  listen('resize', place, signal);
  signal.addEventListener('abort', () => answer?.());

  const fill = (state: string, title: Node, ...children: (Node | string)[]) => {
    const isNew = !card.isConnected;
    // The timer of an earlier finished call must not hide this card.
    clearTimeout(hideTimer);
    clearInterval(clockTimer);
    if (state === 'disconnected') hideTimer = setTimeout(hide, finishedCardMs);
    card.dataset.state = state;
    const isQuestion = state === 'confirm';
    card.role = isQuestion ? 'alertdialog' : 'status';
    card.ariaLabel = isQuestion ? title.textContent : null;
    card.replaceChildren(title, ...children);
    layer.root.append(card);
    if (isNew) layer.raise();
    if (!isQuestion) questionBoxes = undefined;
    place();
    placedAt = performance.now();
  };
  /** @returns whether there was a card. */
  const hide = (): boolean => {
    const wasShown = card.isConnected;
    if (answer) answer();
    else {
      card.remove();
      layer.lower();
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
  const showCall = (state: CardState, title: string, sentence: string, extras: CardExtras) => {
    const { connectedAt, onHangUp } = extras;
    const words = div(state === 'error' ? 'warn' : 'line', sentence);
    const hangUp = onHangUp && makeButton('hang-up', text('hangUp'), onHangUp, guarded);
    const close = makeButton('close', '×', hide);
    close.ariaLabel = text('close');
    fill(state, div('title', title), words, hangUp ? div('actions', hangUp) : '', close);
    if (connectedAt) words.append(' ', clockSince(Date.parse(connectedAt)));
  };

  return {
    card,
    place,
    hide,
    /** Where the pointer is, for the place of a question. */
    setPointer(at: Point | undefined) {
      pointer = at;
    },
    /**
     * Asks beside the number; resolves with the index of the choice, and undefined for no. Takes the focus only where the
     * keyboard asked, and gives it back.
     */
    confirm: (title: string, reason: string, choices: readonly string[], isByKeyboard?: boolean) =>
      new Promise<number | undefined>((resolve) => {
        answer?.();
        questionBoxes = boxes();
        answer = (choice) => {
          answer = undefined;
          resolve(choice);
          const hadFocus = layer.shadow.activeElement;
          hide();
          if (hadFocus) (focusBefore as HTMLElement | null)?.focus?.({ preventScroll: true });
          if (choice === undefined) pendingCard?.();
          pendingCard = undefined;
        };
        const no = makeButton('no', text('cancel'), () => answer?.());
        const yes = choices.map((label, index) => makeButton('yes', label, () => answer?.(index), guarded));
        // The question takes the tip's place, where the agent is looking.
        tip.remove();
        fill('confirm', div('title', title), div('line', reason), div('actions', no, ...yes.reverse()));
        focusBefore = deepActiveElement();
        if (isByKeyboard) no.focus({ preventScroll: true });
      }),
    /** Shows a call's state or an error. An update (`isUpdate`) waits until an open question is answered. */
    show(state: CardState, title: string, sentence: string, isUpdate?: boolean, extras: CardExtras = {}) {
      const showNow = () => showCall(state, title, sentence, extras);
      if (isUpdate && answer) pendingCard = showNow;
      else {
        answer?.();
        showNow();
      }
    },
  };
}
