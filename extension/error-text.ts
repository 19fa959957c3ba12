import type { Refusal } from './messages/result.ts';
import { isTextKey, text } from './text.ts';

/** One sentence that says what is wrong and what to do. The guard's reason is already such a sentence. */
export function errorText({ code, detail }: Refusal): string {
  if (code === 'confirmFirst' && detail) return detail;
  const key = `error_${code}`;
  return isTextKey(key) ? text(key, detail ?? '') : text('error_internal');
}
