import { recordKeyOf } from '../../../shared/record/template.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import type { CallChoices } from './use-place-call.ts';

/**
 * The input that calls a number again. The display is the international form, which means the same number everywhere.
 * `call.to` has already passed the dial plan, and would pass it twice.
 */
export function redialInput({ display, extension }: Pick<HistoryEntry, 'display' | 'extension'>): string {
  if (extension === undefined) return display;
  // A number that is in no numbering plan is shown as written, with its extension. The last digits of other numbers may
  // equal the extension by chance.
  const isWritten = new RegExp(`[^\\d\\s()+./-]\\D*${extension}$`).test(display);
  return isWritten ? display : `${display} ext ${extension}`;
}

/**
 * The name and the record for a repeated call. It is the record of the call before, or none if the agent chose none.
 */
export function redialChoices({
  call,
  name,
  formerRecord,
  isNotLogged,
  hasWrapUp,
}: Pick<HistoryEntry, 'call' | 'name' | 'formerRecord' | 'isNotLogged' | 'hasWrapUp'>): CallChoices {
  const named = name === undefined ? {} : { name };
  if (isNotLogged) return { ...named, record: null };
  // Without a relay, only the click knows the record of the call.
  const record = call.record ?? (hasWrapUp ? undefined : formerRecord);
  return { ...named, ...(record && { record: recordKeyOf(record) }) };
}
