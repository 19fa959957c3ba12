import type { HistoryEntry } from '../../messages.ts';

/**
 * What to ask for when a call is made again. The display is the international form, so it is judged as the same number
 * anywhere; `call.to` already went through the dial plan and would go through it twice.
 */
export function redialInput({ display, extension }: Pick<HistoryEntry, 'display' | 'extension'>): string {
  return extension === undefined || display.includes(extension, display.length - extension.length)
    ? display
    : `${display} ext ${extension}`;
}
