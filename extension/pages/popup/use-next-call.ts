import { useCallback, useRef, useState } from 'preact/hooks';
import type { PanelState, ShownRecord } from '../../messages/views.ts';
import type { Callback } from '../../messages/wrap-up.ts';
import { recordLabel } from '../../record-label.ts';
import { redialChoices } from '../parts/redial-input.ts';
import type { CallChoices } from '../parts/use-place-call.ts';

/** The text in the dial field, the choices for that call only, and the record that the call is about. */
export function useNextCall({ tab }: PanelState) {
  /** `callback`: the callback that these digits are from, until they are edited. */
  const [{ input, callback }, setField] = useState<{ input: string; callback?: Callback }>({ input: '' });
  const [choices, setChoices] = useState<CallChoices>({});
  /** The label of the shown record that the next call shall not be about. */
  const [leftOut, setLeftOut] = useState<string>();
  const shown = callback ? recordOfCallback(callback) : tab?.shown;
  const recordFor = (about: ShownRecord | undefined) =>
    about && about.label === leftOut ? null : (about?.record ?? undefined);
  const typed = useRef(input);
  typed.current = input;
  /**
   * Clears the text and choices with which a call was placed. What the agent has typed or chosen meanwhile is for the
   * next call.
   */
  const onPlaced = useCallback((dialled: string, sent: CallChoices) => {
    // A call from the history has its own record, or none.
    if (sent.record === null && (sent.onPage || typed.current === dialled)) setLeftOut(undefined);
    setField((now) => (now.input === dialled ? { input: '' } : now));
    setChoices((now) => (isSameCaller(now, sent) ? {} : now));
  }, []);
  return { input, callback, setField, choices, setChoices, onPlaced, shown, leftOut, setLeftOut, recordFor };
}

const isSameCaller = (one: CallChoices, other: CallChoices) =>
  one.callerid === other.callerid && one.forceFrom === other.forceFrom;

function recordOfCallback(callback: Callback): ShownRecord | undefined {
  const { record } = redialChoices(callback);
  return record ? { record, label: recordLabel(record) } : undefined;
}
