import { useState } from 'preact/hooks';
import type { PanelState, ShownRecord } from '../../messages/views.ts';
import type { Callback } from '../../messages/wrap-up.ts';
import { recordLabel } from '../../record-label.ts';
import { redialChoices } from '../parts/redial-input.ts';

/** What is typed into the field, and the record that a call with it is about. */
export function useNextCall({ tab }: PanelState) {
  /** `callback`: the one whose digits these are, until they are edited. */
  const [{ input, callback }, setField] = useState<{ input: string; callback?: Callback }>({ input: '' });
  /** The record that the next call is not about, though it is shown. */
  const [leftOut, setLeftOut] = useState<string>();
  const shown = callback ? recordOfCallback(callback) : tab?.shown;
  const recordFor = (about: ShownRecord | undefined) =>
    about && about.label === leftOut ? null : (about?.record ?? undefined);
  return { input, callback, setField, shown, leftOut, setLeftOut, recordFor };
}

function recordOfCallback(callback: Callback): ShownRecord | undefined {
  const { record } = redialChoices(callback);
  return record ? { record, label: recordLabel(record) } : undefined;
}
