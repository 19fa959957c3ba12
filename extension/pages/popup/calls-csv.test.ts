import { expect, test } from 'vitest';
import { newCall } from '../../../shared/call/call.ts';
import type { HistoryEntry } from '../../messages/views.ts';
import { callsAsCsv } from './calls-csv.ts';

const entry = (note: string, display = '+55 48 3222-1000'): HistoryEntry => ({
  id: 'A'.repeat(22),
  call: {
    ...newCall({ id: 'A'.repeat(22), from: '1105', to: '4832221000', now: '2026-05-04T13:05:10.000Z' }),
    state: 'disconnected',
    reason: 'hangUp',
    talkSeconds: 84,
    totalSeconds: 91,
  },
  display,
  note,
  followed: 'relay',
  sentence: '',
});
const row = (...entries: HistoryEntry[]) => callsAsCsv(entries).split('\r\n').slice(1, -1).join('\r\n');

test('one line a call, under a line of names, readable as UTF-8', () => {
  expect(callsAsCsv([{ ...entry('a'), name: 'Ana Prado, Acme' }])).toBe(
    '\uFEFFplaced_at,number,name,dialled,agent,outcome,state,reason,started_at,ended_at,talk_seconds,total_seconds,call_id,recording,note,chosen_outcome,call_back_at,record\r\n' +
      '2026-05-04T13:05:10.000Z,+55 48 3222-1000,"Ana Prado, Acme",4832221000,1105,answered,disconnected,hangUp,,,84,91,,,a,,,\r\n',
  );
});

test('has what the agent chose after the call, with the record that it is on', () => {
  const { call, ...rest } = entry('');
  const record = { system: 'crm', kind: 'ticket', id: '7', url: 'https://crm.example/7' };
  const wrapUp = { revision: 1, outcome: 'appointment', note: 'b', callBackAt: '2026-05-05T13:00:00.000Z' };
  const shown = row({ ...rest, call: { ...call, record, wrapUp } });
  expect(shown).toContain(',b,appointment,2026-05-05T13:00:00.000Z,https://crm.example/7');
});

test('quotes fields with commas, quotes or line breaks', () => {
  expect(row(entry('said "yes", then\nhung up'))).toContain(',"said ""yes"", then\nhung up",');
});

test.each(['=HYPERLINK("http://x")', '@cmd', '-1+1', '+1+cmd', '\t=1'])(
  'lets no spreadsheet run the note %s',
  (note) => {
    expect(row(entry(note)).split('91,,,')[1]).toMatch(/^"?'/);
  },
);

test('leaves a phone number as it is', () => {
  expect(row(entry('', '+1 (415) 555-0132'))).toContain(',+1 (415) 555-0132,');
});
