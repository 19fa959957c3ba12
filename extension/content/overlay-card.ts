/**
 * The card: a question beside a number, or in a corner a `notice` above the state of the call. A new state of the call
 * removes only an `initiating` notice. A notice does not remove the call's button.
 */
import { clock } from '../clock.ts';
import type { ChipCall } from '../messages/views.ts';
import { deepActiveElement, div, overlayElement, setParts, setWords } from './elements.ts';
import { listen } from './listen.ts';
import type { MakeButton } from './overlay-button.ts';
import { type Point, placeWithin } from './overlay-place.ts';
import type { OverlayTip } from './overlay-tip.ts';
import type { OverlayWords } from './overlay-words.ts';
import type { TopLayer } from './top-layer.ts';

/** How long a call stays on the card after its end, if the agent has nothing left to do. */
const doneCallMs = 10_000;

/** What the buttons of a call do. */
interface CallActions {
  /** Resolves once the relay has answered. */
  onHangUp(call: ChipCall): Promise<void>;
  onWrapUp(): void;
}
interface Notice {
  state: 'initiating' | 'error';
  title: string;
  sentence: string;
  /** The call that could not be hung up. Once it is over, the notice is outdated. */
  call?: string | undefined;
}

export function createCard(
  layer: TopLayer,
  { tip, boxes }: Pick<OverlayTip, 'tip' | 'boxes'>,
  { text }: Pick<OverlayWords, 'text'>,
  makeButton: MakeButton,
  signal: AbortSignal,
) {
  const frame = createCardFrame(layer, tip, boxes, signal);
  const { card } = frame;
  let notice: (Pick<Notice, 'state' | 'call'> & { parts: Node[] }) | undefined;

  const draw = () => {
    const parts = [...(notice?.parts ?? []), ...call.parts()];
    const state = notice?.state ?? call.state;
    if (!state) return frame.remove();
    close.ariaLabel = text('close');
    frame.fill(state, [...parts, close]);
  };
  const drawUnlessAsking = () => {
    if (!question.isOpen()) draw();
  };
  // A mouse that has closed a notice leaves the focus on the button, without a visible ring.
  const isBeingRead = () => card.matches(':hover, :has(:focus-visible)');
  const call = createCallPart(text, makeButton, frame.guarded, isBeingRead, drawUnlessAsking);
  const question = createQuestion(layer, tip, frame, text, makeButton, draw);
  signal.addEventListener('abort', () => question.answer());
  const close = makeButton('close', '×', () => hide());
  /** Closes one thing: the question, else the notice, else the call. @returns whether there was one */
  const hide = (): boolean => {
    const wasShown = card.isConnected;
    if (question.isOpen()) question.answer();
    else {
      if (notice) notice = undefined;
      else call.set();
      draw();
    }
    return wasShown;
  };

  return {
    card,
    place: frame.place,
    setPointer: frame.setPointer,
    hide,
    confirm(...asked: Parameters<typeof question.ask>) {
      notice = undefined;
      return question.ask(...asked);
    },
    /** Shows a notice until it is closed or the agent does something else. Without `newNotice`, removes the notice. */
    showNotice(newNotice?: Notice) {
      notice = newNotice && { ...newNotice, parts: noticeParts(newNotice) };
      if (question.isOpen()) question.answer();
      else draw();
    },
    /** Shows a call's state, once an open question is answered. */
    showCall(newCall: ChipCall, actions: CallActions) {
      call.set({ call: newCall, actions });
      const isOutdated = notice?.call === newCall.id && !newCall.canHangUp;
      if (isOutdated || notice?.state === 'initiating') notice = undefined;
      drawUnlessAsking();
    },
  };
}

function noticeParts({ state, title, sentence }: Notice): Node[] {
  return [div('title', title), div(state === 'error' ? 'warn' : 'line', sentence)];
}

/** The call on the card. It is removed some time after its end, but not while the agent reads it. */
function createCallPart(
  text: OverlayWords['text'],
  makeButton: MakeButton,
  guarded: CardFrame['guarded'],
  isBeingRead: () => boolean,
  onGone: () => void,
) {
  let shown: { call: ChipCall; actions: CallActions } | undefined;
  /** The elements of the call. They are kept while its state changes, so that a press on a button still counts. */
  let drawn:
    | (Record<'title' | 'line' | 'actions' | 'wrapUp' | 'hangUp', HTMLElement> & { id: string })
    | undefined;
  let doneTimer: ReturnType<typeof setTimeout> | undefined;
  let clockTimer: ReturnType<typeof setInterval> | undefined;
  const startDoneTimer = () => {
    doneTimer = setTimeout(() => {
      if (isBeingRead()) return startDoneTimer();
      shown = undefined;
      onGone();
    }, doneCallMs);
  };
  /** Makes a running clock. As its role is `timer`, it is not read aloud every second. */
  const clockSince = (start: number) => {
    const made = overlayElement('span', 'clock');
    made.role = 'timer';
    const tick = () => {
      setWords(made, clock((Date.now() - start) / 1000));
    };
    tick();
    clockTimer = setInterval(tick, 1000);
    return made;
  };

  return {
    get state() {
      return shown?.call.state;
    },
    set(newShown?: typeof shown) {
      shown = newShown;
      clearTimeout(doneTimer);
      if (shown?.call.isDone) startDoneTimer();
    },
    parts(): Node[] {
      clearInterval(clockTimer);
      if (!shown) return [];
      const { id, display, sentence, connectedAt, canHangUp, canWrapUp } = shown.call;
      if (drawn?.id !== id) {
        // The relay may need 25 s to answer. Until then, the button shows that it was pressed.
        const onHangUp = async () => {
          hangUp.ariaDisabled = 'true';
          await shown?.actions.onHangUp(shown.call);
          hangUp.ariaDisabled = null;
        };
        const hangUp = makeButton('hang-up', text('hangUp'), onHangUp, guarded);
        const wrapUp = makeButton('wrap-up', text('wrapUp'), () => shown?.actions.onWrapUp());
        drawn = { id, title: div('title'), line: div('line'), actions: div('actions'), wrapUp, hangUp };
      }
      const { title, line, actions, wrapUp, hangUp } = drawn;
      for (const [button, isOffered] of [
        [wrapUp, canWrapUp],
        [hangUp, canHangUp],
      ] as const)
        if (!isOffered) button.remove();
        else if (!button.parentNode) actions.append(button);
      setWords(title, display);
      setWords(line, connectedAt ? `${sentence} ` : sentence);
      line.replaceChildren(connectedAt ? clockSince(Date.parse(connectedAt)) : '');
      return canHangUp || canWrapUp ? [title, line, actions] : [title, line];
    },
  };
}

function createQuestion(
  layer: TopLayer,
  tip: HTMLElement,
  frame: CardFrame,
  text: OverlayWords['text'],
  makeButton: MakeButton,
  onAnswered: () => void,
) {
  let answer: ((choice?: number) => void) | undefined;
  return {
    isOpen: () => answer !== undefined,
    /** Answers the question with no. */
    answer: () => answer?.(),
    /**
     * Asks beside the number. Resolves with the index of the choice, or with undefined for no. Takes the focus only if
     * the keyboard was used, and gives it back.
     */
    ask: (title: string, reason: string, choices: readonly string[], isByKeyboard?: boolean) =>
      new Promise<number | undefined>((resolve) => {
        answer?.();
        const focusBefore = deepActiveElement();
        answer = (choice) => {
          answer = undefined;
          const hadFocus = layer.shadow.activeElement;
          onAnswered();
          if (hadFocus) layer.moveFocus(focusBefore);
          resolve(choice);
        };
        const no = makeButton('no', text('cancel'), () => answer?.());
        const yes = choices.map((label, index) =>
          makeButton('yes', label, () => answer?.(index), frame.guarded),
        );
        // The question replaces the tip, because the agent is looking there.
        tip.remove();
        const actions = div('actions');
        actions.append(no, ...yes.reverse());
        frame.fill('confirm', [div('title', title), div('line', reason), actions], title);
        if (isByKeyboard) no.focus({ preventScroll: true });
      }),
  };
}

type CardFrame = ReturnType<typeof createCardFrame>;

/**
 * The card's element and its place: beside the number of a question, or in a corner. If possible, it covers neither
 * number nor tip.
 */
function createCardFrame(layer: TopLayer, tip: HTMLElement, boxes: OverlayTip['boxes'], signal: AbortSignal) {
  const card = overlayElement('div', 'card');
  /** The number that a question is about. */
  let questionBoxes: readonly DOMRect[] | undefined;
  let pointer: Point | undefined;
  let shownPlace = '';
  let placedAt = 0;

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

  return {
    card,
    place,
    /** The part that must be in view before a button in it acts. */
    guarded: { part: card, placedAt: () => placedAt },
    /** Where the pointer is, for the place of a question. */
    setPointer(at: Point | undefined) {
      pointer = at;
    },
    /** @param question the words of the question, if the card asks. */
    fill(state: string, parts: readonly Node[], question?: string) {
      const isNew = !card.isConnected;
      card.dataset.state = state;
      card.role = question === undefined ? 'status' : 'alertdialog';
      card.ariaLabel = question ?? null;
      questionBoxes = question === undefined ? undefined : boxes();
      const hasChanged = setParts(card, parts);
      if (isNew) {
        layer.root.append(card);
        layer.raise();
      }
      place();
      if (isNew || hasChanged) placedAt = performance.now();
    },
    remove() {
      card.remove();
      layer.lower();
    },
  };
}
