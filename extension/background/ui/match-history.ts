import { isSupportedCountry } from 'libphonenumber-js/max';
import { numberingPlan } from '../../../shared/numbers/plan/numbering-plan.ts';
import { plainWords } from '../../../shared/plain-words.ts';
import type { CallRecord } from '../calls/call-record.ts';

type SearchedCall = Pick<CallRecord, 'call' | 'display' | 'name' | 'note' | 'country'>;

/**
 * Whether number, name or note contain what was typed, with and without accents. Digits count only if just a number was
 * typed.
 */
export function matchesSearch(search: string, record: SearchedCall): boolean {
  const { call, display, name, note } = record;
  const typed = plainWords(search.trim());
  const read = [display, call.name ?? name ?? '', call.wrapUp?.note ?? '', note].join('\n');
  if (plainWords(read).includes(typed)) return true;
  // `+44 (0)20`: the zero is not dialled behind a country code.
  const digits = typed.replace(/(\d\s*)\(0\)/, '$1').replace(/[\s().+/-]/g, '');
  return /^\d+$/.test(digits) && numberForms(record).some((number) => number.includes(digits));
}

/** The digits of a number as it was dialled, as it is shown, and as its country writes it: `020 7946 0018` */
function numberForms({ call, display, country }: SearchedCall): string[] {
  const shown = display.replace(/\D/g, '');
  if (!display.startsWith('+') || !country || !isSupportedCountry(country)) return [call.to, shown];
  const { nationalPrefix, callingCode } = numberingPlan(country);
  return [call.to, shown, nationalPrefix + shown.slice(callingCode.length)];
}
