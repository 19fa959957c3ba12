/** A call as far as a search looks at it. */
interface SearchedCall {
  /** Digits that were dialled. */
  to: string;
  display: string;
  note: string;
}

/** Whether number or note contain what was typed; digits count only where nothing but a number was typed. */
export function matchesSearch(search: string, { to, display, note }: SearchedCall): boolean {
  const typed = search.trim().toLowerCase();
  if (`${display}\n${note}`.toLowerCase().includes(typed)) return true;
  const digits = typed.replace(/[\s().+/-]/g, '');
  return /^\d+$/.test(digits) && [to, display.replace(/\D/g, '')].some((number) => number.includes(digits));
}
