import type { CallRecord } from '../calls/call-record.ts';

type SearchedCall = Pick<CallRecord, 'call' | 'display' | 'name' | 'note'>;

/**
 * Whether number, name or note contain what was typed, with and without accents. Digits count only where nothing but
 * a number was typed.
 */
export function matchesSearch(search: string, { call, display, name, note }: SearchedCall): boolean {
  const typed = plain(search.trim());
  const read = [display, call.name ?? name ?? '', call.wrapUp?.note ?? '', note].join('\n');
  if (plain(read).includes(typed)) return true;
  const digits = typed.replace(/[\s().+/-]/g, '');
  return (
    /^\d+$/.test(digits) && [call.to, display.replace(/\D/g, '')].some((number) => number.includes(digits))
  );
}

const plain = (words: string): string => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
