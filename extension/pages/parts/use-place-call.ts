import { useCallback, useRef, useState } from 'preact/hooks';
import type { Refusal } from '../../messages.ts';
import { errorText } from './error-text.ts';
import { type CallChoices, placeCall } from './place-call.ts';

/** What stands between a click and its call. */
export type Placing =
  | { step: 'idle' }
  | { step: 'asking'; input: string }
  /** The guard asks: `reason` is its sentence. */
  | { step: 'confirm'; input: string; choices: CallChoices; reason: string }
  | { step: 'refused'; input: string; error: Refusal };

export interface PlacingActions {
  placing: Placing;
  /** Resolves to the call's id when it was placed. */
  dial(input: string, choices?: CallChoices): Promise<string | undefined>;
  confirm(): Promise<string | undefined>;
  dismiss(): void;
}

/** Places calls from a page, one at a time, with the guard's question between. */
export function usePlaceCall(): PlacingActions {
  const [placing, setPlacing] = useState<Placing>({ step: 'idle' });

  // Not state: a second click may come before the page is drawn again.
  const asking = useRef(false);

  const send = useCallback(async (input: string, choices: CallChoices, confirmed: boolean) => {
    if (asking.current) return undefined;
    asking.current = true;
    setPlacing({ step: 'asking', input });
    const reply = await placeCall(input, choices, confirmed);
    asking.current = false;
    if (reply.ok) setPlacing({ step: 'idle' });
    else if (reply.error.code === 'confirmFirst')
      setPlacing({ step: 'confirm', input, choices, reason: errorText(reply.error) });
    else setPlacing({ step: 'refused', input, error: reply.error });
    return reply.ok ? reply.value.id : undefined;
  }, []);

  return {
    placing,
    dial: (input, choices = {}) => send(input, choices, false),
    confirm: () =>
      placing.step === 'confirm' ? send(placing.input, placing.choices, true) : Promise.resolve(undefined),
    dismiss: () => setPlacing({ step: 'idle' }),
  };
}
