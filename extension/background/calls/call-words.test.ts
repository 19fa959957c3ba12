import { expect, test } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';
import { type TextKey, text } from '../../text.ts';
import type { CallRecord } from './call-record.ts';
import { sentenceOf, toChipCall } from './call-words.ts';

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

test('leaves the words of the service to our own pages', () => {
  const error = { code: 'refusedByProvider', message: 'Extension 1105 is not registered' } as const;
  const refused = record({ state: 'failed', reason: 'refused', error });
  expect(sentenceOf(refused)).toContain(error.message);
  expect(toChipCall(refused).sentence).toBe(text('state_refusedInPage'));
  const notSent = record({ state: 'failed', reason: 'notSent' });
  expect(toChipCall(notSent).sentence).toBe(text('content_failed'));
});

test.each<[isDone: boolean, what: string, fields: Partial<Call>, more?: Partial<CallRecord>]>([
  [true, 'a busy number', { ...ended, reason: 'calleeBusy' }],
  [true, 'a call without a relay', { state: 'unknown' }, { followed: 'none' }],
  [false, 'a phone of the agent that was not answered', { state: 'failed', reason: 'callerNoAnswer' }],
  [false, 'a call that may have rung', { state: 'unknown', reason: 'notAnswered' }, { followed: 'none' }],
  [false, 'a live call', { state: 'connected' }],
])('says %s to a card that asks whether %s may go by itself', (isDone, _, fields, more) => {
  expect(toChipCall(record(fields, more)).isDone ?? false).toBe(isDone);
});
