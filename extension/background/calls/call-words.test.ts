import { expect, test } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';
import { type TextKey, text } from '../../text.ts';
import type { CallRecord } from './call-record.ts';
import { sentenceOf } from './call-words.ts';

const call = newCall({ id: 'A'.repeat(22), from: '1105', to: '4832221000', now: '2026-05-04T13:05:10.000Z' });
const record = (fields: Partial<Call>, more: Partial<CallRecord> = {}): CallRecord => ({
  id: call.id,
  call: { ...call, ...fields },
  phase: 'placed',
  destination: '',
  open: 0,
  relayRevision: 1,
  followed: 'relay',
  followUntil: 0,
  request: { from: '1105', to: call.to, timeout: 20 },
  display: '+55 48 3222-1000',
  note: '',
  changedAt: call.createdAt,
  createdAt: call.createdAt,
  ...more,
});
const ended = { state: 'disconnected', reason: 'hangUp' } as const;
const words = (...keys: [TextKey, ...(string | number)[]][]): string =>
  keys.map(([key, ...args]) => text(key, ...args)).join(' ');
const number = '+55 48 3222-1000';

test.each<[string, Partial<Call>, string]>([
  [
    'what is known while only the end is reported',
    { state: 'callingCaller' },
    words(['state_callingCaller_endOnly', '1105']),
  ],
  [
    'that the agent is to answer where ringing is reported',
    { state: 'callingCaller', canHangUp: true },
    words(['state_callingCaller', '1105']),
  ],
  ['talk', { ...ended, talkSeconds: 65 }, words(['state_disconnected', '1:05'])],
  ['no talk', { ...ended, talkSeconds: 0 }, words(['state_disconnected_noTalk'])],
  [
    'an agent who gave up',
    { ...ended, talkSeconds: 0, endedBy: 'caller' },
    words(['state_disconnected_gaveUp', number]),
  ],
  [
    'an agent who hung up after an unknown talk time',
    { ...ended, endedBy: 'caller' },
    words(['state_disconnected_unknownTalk'], ['state_endedBy_caller']),
  ],
  ['a busy reason', { ...ended, reason: 'calleeBusy' }, words(['state_reason_calleeBusy', number])],
  [
    'a busy channel',
    { ...ended, talkSeconds: 0, legs: [{ id: '1', state: 'Busy' }] },
    words(['state_reason_calleeBusy', number]),
  ],
  ['an unknown number', { ...ended, reason: 'calleeUnknown' }, words(['state_reason_calleeUnknown', number])],
  [
    'an unanswered agent',
    { state: 'failed', reason: 'callerNoAnswer' },
    words(['state_failed_callerNoAnswer', 20]),
  ],
  ['a busy agent', { state: 'failed', reason: 'callerBusy' }, words(['state_reason_callerBusy'])],
])('the sentence of a call says %s', (_name, fields, sentence) => {
  expect(sentenceOf(record(fields))).toBe(sentence);
});
