import { recordKeyOf } from '../../../shared/record/template.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import type { CallChoices } from './use-place-call.ts';

/**
 * The input that calls a number again. The display is the international form, which is judged the same anywhere;
 * `call.to` already went through the dial plan and would go through it twice.
 */
export function redialInput({ display, extension }: Pick<HistoryEntry, 'display' | 'extension'>): string {
  return extension === undefined || display.includes(extension, display.length - extension.length)
    ? display
    : `${display} ext ${extension}`;
}

/** What a repeated call is about: the record of the call before, or none where its agent wanted none. */
export function redialChoices({
  call,
  formerRecord,
  isNotLogged,
  hasWrapUp,
}: Pick<HistoryEntry, 'call' | 'formerRecord' | 'isNotLogged' | 'hasWrapUp'>): CallChoices {
  if (isNotLogged) return { record: null };
  // A call that no relay placed is known by its click alone.
  const record = call.record ?? (hasWrapUp ? undefined : formerRecord);
  return record ? { record: recordKeyOf(record) } : {};
}
