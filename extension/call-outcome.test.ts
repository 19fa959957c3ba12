import { expect, test } from 'vitest';
import { type Call, newCall } from '../shared/call/call.ts';
import { callOutcomes, outcomeOf } from './call-outcome.ts';
import { isTextKey } from './text.ts';

const call = newCall({ id: 'A'.repeat(22), from: '1105', to: '4832221000', now: '2026-05-04T13:05:10.000Z' });
const ended = { ...call, state: 'disconnected', reason: 'hangUp', talkSeconds: 0 } as const;
const leg = { id: '1', channel: 'PJSIP/trunk-1' };

test.each([
  ['answered', { ...ended, talkSeconds: 4 }],
  ['notAnswered', ended],
  ['busy', { ...ended, reason: 'calleeBusy' as const }],
  ['busy', { ...ended, legs: [{ ...leg, state: 'Busy' }] }],
  ['notAnswered', { ...ended, legs: [{ ...leg, state: 'Ringing' }] }],
  ['lost', { ...call, state: 'failed' as const, reason: 'callerNoAnswer' as const }],
  ['notPlaced', { ...call, state: 'failed' as const, reason: 'notSent' as const }],
  ['unknown', { ...call, state: 'unknown' as const, reason: 'notAnswered' as const }],
  ['ongoing', { ...call, state: 'connected' as const }],
] satisfies [string, Call][])('reads a call as %s (%#)', (outcome, record) => {
  expect(outcomeOf(record)).toBe(outcome);
});

test('has a text for every outcome', () => {
  for (const outcome of callOutcomes) expect(isTextKey(`popup_outcome_${outcome}`)).toBe(true);
});
