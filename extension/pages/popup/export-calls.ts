import type { HistoryEntry } from '../../messages.ts';
import { saveFile } from '../parts/save-file.ts';
import { sendRequest } from '../parts/send-request.ts';
import { callsAsCsv } from './calls-csv.ts';

/** Reads the whole history and saves it as a CSV file. */
export async function exportCalls(): Promise<void> {
  const entries: HistoryEntry[] = [];
  let before: string | undefined;
  do {
    const reply = await sendRequest('page.history', before === undefined ? {} : { before });
    if (!reply.ok) break;
    entries.push(...reply.value.entries);
    before = reply.value.next;
  } while (before !== undefined);
  saveFile(`dialmark-calls-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', callsAsCsv(entries));
}
