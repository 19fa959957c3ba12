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

/** What a repeated call is about: the record of the call before, or none where its agent took it off the record. */
export function redialChoices({
  call: { record, entry },
  formerRecord,
}: Pick<HistoryEntry, 'call' | 'formerRecord'>): CallChoices {
  if (record) return { record: { system: record.system, kind: record.kind, id: record.id } };
  return formerRecord && !entry ? { record: null } : {};
}
