/** The history as a table for spreadsheets: RFC 4180, UTF-8 with a byte order mark so that Excel reads accents. */
import { outcomeOf } from '../../../shared/call/outcome.ts';
import { csvCell } from '../../../shared/csv-cell.ts';
import type { HistoryEntry } from '../../messages/views.ts';

const columns: Record<string, (entry: HistoryEntry) => string | number | undefined> = {
  placed_at: ({ call }) => call.createdAt,
  number: ({ display }) => display,
  name: ({ name }) => name,
  dialled: ({ call }) => call.to,
  agent: ({ call }) => call.from,
  outcome: ({ call }) => outcomeOf(call),
  state: ({ call }) => call.state,
  reason: ({ call }) => call.reason,
  started_at: ({ call }) => call.startedAt,
  ended_at: ({ call }) => call.endedAt,
  talk_seconds: ({ call }) => call.talkSeconds,
  total_seconds: ({ call }) => call.totalSeconds,
  call_id: ({ call }) => call.callid,
  recording: ({ call }) => call.recordingUrl,
  note: ({ call, note }) => call.wrapUp?.note ?? note,
  chosen_outcome: ({ call }) => call.wrapUp?.outcome,
  call_back_at: ({ call }) => call.wrapUp?.callBackAt,
  record: ({ call }) => call.record?.url,
};

export function callsAsCsv(entries: readonly HistoryEntry[]): string {
  const lines = [
    Object.keys(columns),
    ...entries.map((entry) => Object.values(columns).map((value) => value(entry))),
  ];
  return `\uFEFF${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;
}
