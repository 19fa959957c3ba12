import type { Refusal } from './messages/result.ts';
import { text } from './text.ts';

/** Says what is wrong and, if possible, what to do. The guard's reason is already a sentence, and is shown as it is. */
export function errorText({ code, detail }: Refusal): string {
  if (code === 'confirmFirst' && detail) return detail;
  return text(`error_${code}`, detail ?? '');
}
