/** Places the call to a number of the page and shows its progress. If needed, it asks the agent first. */
import type { RecordKey } from '../../shared/record/template.ts';
import type { ContentRequest } from '../messages/content.ts';
import type { Refusal } from '../messages/result.ts';
import type { ChipCall, OfferedReading, ShownNumber } from '../messages/views.ts';
import type { BackgroundConnection } from './background-connection.ts';
import type { Target } from './click-target.ts';
import { linksInRow, nameBeside } from './name-beside.ts';
import type { PageOverlay } from './overlay.ts';
import { withPlace } from './overlay-tip.ts';

/** How long the calling notice is delayed. By then the request is at the relay, or the background is still starting. */
const requestTimeMs = 50;

export type Dialler = ReturnType<typeof createDialler>;

export function createDialler(overlay: PageOverlay, background: BackgroundConnection, signal: AbortSignal) {
  let isPlacing = false;
  /** The newest call that the card showed. */
  let lastShown: ChipCall | undefined;
  const { text } = overlay;

  /** Places the call, or shows why not. The background's guard decides, and may require a confirmation first. */
  const place = async (
    target: Target,
    isByKeyboard: boolean,
    shownRecord: RecordKey | null | undefined,
    confirmed?: ShownNumber,
    about = wordsAbout(target),
  ): Promise<void> => {
    if (isPlacing) return;
    const shown = confirmed ?? target.number;
    isPlacing = true;
    const options = { confirmed: !!confirmed, record: shownRecord };
    const sent = requestCall(background, about, shown, options);
    // Drawing the notice at once would delay the request. Most questions and refusals arrive before the notice is due.
    const showing = setTimeout(
      () => overlay.showNotice({ state: 'initiating', title: shown.display, sentence: text('calling') }),
      requestTimeMs,
    );
    const reply = await sent;
    clearTimeout(showing);
    isPlacing = false;
    if (signal.aborted) return;
    if (reply.ok) {
      overlay.showNotice();
      return showCall(reply.value);
    }
    const { code, detail = '', readings = [target.number], record = shownRecord } = reply.error;
    if (code !== 'confirmFirst') return refuse(shown.display, reply.error);
    const chosen = await chooseReading(overlay, readings, detail, isByKeyboard);
    if (chosen) await place(target, isByKeyboard, record, chosen, about);
  };
  const refuse = (title: string, { code, detail = '' }: Refusal, call?: string) =>
    overlay.showNotice({ state: 'error', title, sentence: overlay.error(code, detail), call });
  const showCall = (call: ChipCall) => {
    // Messages may arrive out of order. Earlier states of a call, and calls older than the shown call, are outdated.
    const time = lastShown?.id === call.id ? 'changedAt' : 'createdAt';
    if (lastShown && call[time] < lastShown[time]) return;
    lastShown = call;
    overlay.showCall(call, { onHangUp: hangUp, onWrapUp });
  };
  const onWrapUp = () => void background.send('content.openPanel', {});
  const hangUp = async ({ id, display }: ChipCall) => {
    const reply = await background.send('content.hangUp', { id });
    if (!reply.ok && lastShown?.id === id && lastShown.canHangUp) refuse(display, reply.error, id);
  };

  return {
    /**
     * Places the call. If a link shows another number than it dials, the agent is asked first.
     * @param record the record that the tip showed.
     */
    async dial(target: Target, isByKeyboard: boolean, record?: RecordKey | null): Promise<void> {
      const { number } = target;
      const differentText = target.kind === 'mark' ? undefined : target.differentText;
      const reason = differentText && text('linkDiffers', differentText, number.display);
      if (!reason || (await chooseReading(overlay, [number], reason, isByKeyboard)))
        await place(target, isByKeyboard, record);
    },
    /** Asks on a page of our own, as it is not known whether the agent has seen the number here. */
    async askElsewhere(target: Target): Promise<void> {
      const options = { isAskedElsewhere: true };
      const { error } = await requestCall(background, wordsAbout(target), target.number, options);
      if (error && !signal.aborted) refuse(target.number.display, error);
    },
    showCall,
  };
}

/** What the page says of a target. It is read before a question: the page may replace the row meanwhile. */
const wordsAbout = (target: Target) => ({
  source: target.source,
  links: linksInRow(target),
  name: nameBeside(target),
});

type DialRequest = ContentRequest<'content.dial'>;

const requestCall = (
  background: BackgroundConnection,
  about: ReturnType<typeof wordsAbout>,
  { display, to }: ShownNumber,
  options: Pick<DialRequest, 'confirmed' | 'record' | 'isAskedElsewhere'>,
) => background.send('content.dial', { click: clickId(), ...about, shown: { display, to }, ...options });

/** Asks about the first of these numbers. If there are several, each has its own button. @returns the chosen number */
async function chooseReading(
  overlay: PageOverlay,
  numbers: readonly OfferedReading[],
  reason: string,
  isByKeyboard: boolean,
): Promise<ShownNumber | undefined> {
  const { text } = overlay;
  const names = numbers.map(withPlace);
  const choices = names[1] ? names.map((name) => text('call', name)) : [text('yes')];
  const chosen = await overlay.confirm(text('confirm', names[0]!), reason, choices, isByKeyboard);
  return numbers[chosen ?? -1];
}

/** 128 random bits in the form that `content.dial` requires. TypeScript 7.0's library has no `toBase64` yet. */
const clickId = () =>
  (crypto.getRandomValues(new Uint8Array(16)) as Uint8Array & { toBase64(options: object): string }).toBase64(
    { alphabet: 'base64url', omitPadding: true },
  );
