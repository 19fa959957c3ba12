import { expect, test } from 'vitest';
import { newCall } from '../../../shared/call/call.ts';
import type { WrapUp } from '../../../shared/record/call-parts.ts';
import { awaitsOutcome, isUnfinished } from './after-call.ts';
import type { CallRecord } from './call-record.ts';

const endedAt = Date.parse('2026-05-04T13:05:10.000Z');
const minutes = (count: number) => endedAt + count * 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

function ended(call: Partial<CallRecord['call']>, record: Partial<CallRecord> = {}): CallRecord {
  const made = newCall({ id: 'A'.repeat(22), from: '1105', to: '48', now: iso(minutes(-2)) });
  const end = { state: 'disconnected', reason: 'hangUp', talkSeconds: 60, ...call } as const;
  return { call: { ...made, ...end }, relayRevision: 3, outcomeAt: iso(endedAt), ...record } as CallRecord;
}
const wrapUp = (fields: Partial<WrapUp>) => ended({ wrapUp: { revision: 1, outcome: 'reached', ...fields } });
const entry = (state: 'waiting' | 'done' | 'dead' | 'needsAgent') =>
  ended({ wrapUp: { revision: 1, outcome: 'reached' }, entry: { state, system: 'crm' } });

test.each<[string, CallRecord, atMinute: number, expected: boolean]>([
  ['a call without an outcome', ended({}), 9, true],
  ['a call without an outcome, long ago', ended({}), 11, false],
  ['a call with an outcome', wrapUp({}), 1, false],
  ['a call that the relay does not have', ended({}, { relayRevision: undefined } as never), 1, false],
  ['a call that was not sent', ended({ state: 'failed', reason: 'notSent' }), 1, false],
  ['a log entry that waits', entry('waiting'), 10_000, true],
  ['a written log entry', entry('done'), 1, false],
  ['a log entry that was given up', entry('dead'), 10_000, true],
  ['a log entry that was given up more than a week ago', entry('dead'), 10_100, false],
  ['a log entry that needs the agent', entry('needsAgent'), 10_000, true],
  ['a log entry that needs the agent for more than a week', entry('needsAgent'), 10_100, false],
  ['a callback to come', wrapUp({ callBackAt: iso(minutes(3000)) }), 1, true],
  ['a callback that a colleague has', wrapUp({ callBackAt: iso(minutes(30)), callBackBy: '1106' }), 1, false],
  ['a callback that is due', wrapUp({ callBackAt: iso(minutes(30)) }), 90, true],
  ['a callback that was due weeks ago', wrapUp({ callBackAt: iso(minutes(30)) }), 30_000, false],
])('%s is unfinished or not', (_what, record, atMinute, expected) => {
  expect(isUnfinished(record, minutes(atMinute))).toBe(expected);
});

test('a call lacks its outcome once it has ended at the relay', () => {
  expect(awaitsOutcome(ended({}))).toBe(true);
  expect(awaitsOutcome(ended({ state: 'connected' }))).toBe(false);
  expect(awaitsOutcome(wrapUp({}))).toBe(false);
  expect(awaitsOutcome(wrapUp({ outcome: undefined as never, note: 'n' }))).toBe(true);
});
