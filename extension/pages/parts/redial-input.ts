import { recordKeyOf } from '../../../shared/record/template.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import type { CallChoices } from './use-place-call.ts';

/**
 * The input that calls a number again. The display is the international form, which is judged the same anywhere;
 * `call.to` already went through the dial plan and would go through it twice.
 */
export function redialInput({ display, extension }: Pick<HistoryEntry, 'display' | 'extension'>): string {
  if (extension === undefined) return display;
  // A number without a plan is shown as it was written. The last digits of another may be the same by chance.
  const isWritten = new RegExp(`[^\\d\\s()+./-]\\D*${extension}$`).test(display);
  return isWritten ? display : `${display} ext ${extension}`;
}

/**
 * Whom a repeated call reaches, and what it is about: the record of the call before, or none where its agent wanted
 * none.
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
  // A call that no relay placed is known by its click alone.
  const record = call.record ?? (hasWrapUp ? undefined : formerRecord);
  return { ...named, ...(record && { record: recordKeyOf(record) }) };
}
