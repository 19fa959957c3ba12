import type { Refusal } from '../../messages/result.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { saveFile } from '../parts/save-file.ts';
import { sendRequest } from '../parts/send-request.ts';
import { toLocalTime } from '../parts/wrap-up-form.ts';
import { callsAsCsv } from './calls-csv.ts';

/**
 * Saves the history as a CSV file, newest call first.
 * @returns how many calls the file holds. If a page of the history could not be read, also the error, and the file ends
 * there.
 */
export async function exportCalls(): Promise<{ count: number; error?: Refusal }> {
  const entries: HistoryEntry[] = [];
  let before: string | undefined;
  let error: Refusal | undefined;
  do {
    const reply = await sendRequest('page.history', before === undefined ? {} : { before });
    error = reply.error;
    if (reply.ok) entries.push(...reply.value.entries);
    before = reply.ok ? reply.value.next : undefined;
  } while (before !== undefined);
  const name = `dialmark-calls-${toLocalTime(new Date().toISOString()).slice(0, 10)}.csv`;
  if (!error || entries.length > 0) saveFile(name, 'text/csv', callsAsCsv(entries));
  return { count: entries.length, ...(error && { error }) };
}
