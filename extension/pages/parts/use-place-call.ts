import { useCallback, useRef, useState } from 'preact/hooks';
import { newCallId } from '../../../shared/call/call.ts';
import type { ItemKey } from '../../../shared/protocol/sheets.ts';
import type { RecordKey } from '../../../shared/record/template.ts';
import { errorText } from '../../error-text.ts';
import type { Refusal } from '../../messages/result.ts';
import type { OfferedReading, ShownNumber, SourceOnPage } from '../../messages/views.ts';
import { sendRequest } from './send-request.ts';

/** What an agent may choose for one call. */
export interface CallChoices {
  callerid?: string;
  forceFrom?: boolean;
  /** The guard's question that the agent has read on the page. Dialling then means yes to it. */
  confirmedReason?: string | undefined;
  /** The chosen number of the page's list. */
  onPage?: SourceOnPage;
  shown?: ShownNumber;
  /** The name that the agent saw for the number. */
  name?: string;
  /**
   * The record of the repeated call, of the open page or of the call sheet's item. The new call is about it. Null: the
   * agent chose not to have a record.
   */
  record?: RecordKey | null | undefined;
  /** The item of a call sheet that this call is for. */
  item?: ItemKey;
  /** The agent's reason to call although a rule of the team refuses. */
  override?: { reason: string } | undefined;
}

/** The steps from a click to its call. `focused`: the element that had the focus at the click. */
export type Placing =
  | { step: 'idle' }
  | { step: 'sending'; input: string }
  /** `id`: the call's id. The page may not show the call yet. */
  | { step: 'placed'; id: string }
  /**
   * The guard requires a confirmation for `reason`. `readings`: the possible readings of a number whose country is
   * doubtful.
   */
  | {
      step: 'confirm';
      input: string;
      choices: CallChoices;
      reason: string;
      readings: readonly OfferedReading[];
      focused: Element | null;
    }
  /** `click`: the id of the call, if there is one. `again` sends the same request with further choices of the agent. */
  | {
      step: 'refused';
      input: string;
      choices: CallChoices;
      click: string;
      error: Refusal;
      focused: Element | null;
      /** The reason of an earlier override for the same number that placed no call. */
      unusedReason: string;
      again(more: CallChoices): Promise<string | undefined>;
    };

export interface PlacingActions {
  placing: Placing;
  /** Resolves to the call's id if a call was placed. */
  dial(input: string, choices?: CallChoices): Promise<string | undefined>;
  /** @param reading the reading that was chosen, if several were offered. */
  confirm(reading?: OfferedReading): Promise<string | undefined>;
  /** Removes the question or the refusal, if there is one. */
  dismiss(): void;
}

const isAnswer = ({ step }: Placing) => step === 'confirm' || step === 'refused';

/**
 * Places calls from a page, one at a time, and asks the guard's question if necessary.
 * @param onPlaced receives what a call was placed with. It must be the same function at every rendering.
 */
export function usePlaceCall(onPlaced?: (input: string, choices: CallChoices) => void): PlacingActions {
  const [placing, setPlacing] = useState<Placing>({ step: 'idle' });

  // A ref instead of state: a second click may come before the page is rendered again.
  const isSending = useRef(false);
  const focused = useRef<Element | null>(null);
  const unused = useRef({ input: '', reason: '' });

  const send = useCallback(
    async (
      input: string,
      choices: CallChoices,
      confirmed: boolean,
      shown?: ShownNumber,
    ): Promise<string | undefined> => {
      if (isSending.current) return undefined;
      isSending.current = true;
      setPlacing({ step: 'sending', input });
      if (choices.override) unused.current = { input, reason: choices.override.reason };
      // Each click has one id: a message that arrives twice places one call (Law 1).
      const click = newCallId();
      const reply = await sendRequest('page.dial', {
        click,
        input,
        ...choices,
        confirmed,
        ...(shown && { shown }),
      });
      isSending.current = false;
      if (reply.ok) {
        unused.current = { input: '', reason: '' };
        setPlacing({ step: 'placed', id: reply.value.id });
        onPlaced?.(input, choices);
      } else if (reply.error.code === 'confirmFirst') {
        const { readings = [] } = reply.error;
        const reason = errorText(reply.error);
        setPlacing({ step: 'confirm', input, choices, reason, readings, focused: focused.current });
      } else {
        const again = (more: CallChoices) => send(input, { ...choices, ...more }, confirmed, shown);
        const unusedReason = unused.current.input === input ? unused.current.reason : '';
        const refused = { input, choices, click, error: reply.error, unusedReason, again };
        setPlacing({ step: 'refused', ...refused, focused: focused.current });
      }
      return reply.ok ? reply.value.id : undefined;
    },
    [onPlaced],
  );

  return {
    placing,
    dial: (input, choices = {}) => {
      focused.current = document.activeElement;
      return send(input, choices, false);
    },
    confirm: (reading) =>
      placing.step === 'confirm'
        ? send(placing.input, placing.choices, true, reading && { display: reading.display, to: reading.to })
        : Promise.resolve(undefined),
    dismiss: () => setPlacing((current) => (isAnswer(current) ? { step: 'idle' } : current)),
  };
}
