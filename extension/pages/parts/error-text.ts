import type { Refusal } from '../../messages.ts';
import { isTextKey, text } from '../../text.ts';

/** One sentence that says what to do. Where the guard asks or refuses, its reason comes as a sentence already. */
export function errorText({ code, detail }: Refusal): string {
  if (code === 'confirmFirst' && detail) return detail;
  const key = `error_${code}`;
  return isTextKey(key) ? text(key, detail ?? '') : text('page_unknownError');
}
