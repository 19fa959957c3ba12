/** The history as a table for spreadsheets: RFC 4180, UTF-8 with a byte order mark so that Excel reads accents. */
import { outcomeOf } from '../../../shared/call/outcome.ts';
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
};

export function callsAsCsv(entries: readonly HistoryEntry[]): string {
  const lines = [
    Object.keys(columns),
    ...entries.map((entry) => Object.values(columns).map((value) => value(entry))),
  ];
  return `\uFEFF${lines.map((cells) => cells.map(cell).join(',')).join('\r\n')}\r\n`;
}

/**
 * Spreadsheets execute a cell that begins like a formula, and notes and recordings hold foreign text: such cells get a
 * leading apostrophe, which spreadsheets hide. A `+` and digits alone is a phone number and stays.
 */
function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  let text = String(value);
  if (/^[=@\t\r-]/.test(text) || (text.startsWith('+') && !/^\+[\d ().-]+$/.test(text))) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
