import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Call, callReasons, callStates, isFinished, newCall } from './call.ts';
import { neverRang, type Outcome, outcomeOf, outcomes, wasNotPlaced } from './outcome.ts';

const call = newCall({ id: 'A'.repeat(22), from: '1105', to: '4832221000', now: '2026-05-04T13:05:10.000Z' });
const ended = { ...call, state: 'disconnected', reason: 'hangUp', talkSeconds: 0 } as const;
const { talkSeconds: _, ...endedWithoutTime } = ended;
const failed = (reason: NonNullable<Call['reason']>): Call => ({ ...call, state: 'failed', reason });
const leg = { id: '1', channel: 'PJSIP/trunk-1' };
const connectedAt = '2026-05-04T13:05:20.000Z';

describe('outcomeOf', () => {
  it.each<[Outcome, Call]>([
    ['live', call],
    ['live', { ...call, state: 'connected', connectedAt }],
    ['answered', { ...ended, talkSeconds: 4 }],
    ['answered', { ...ended, connectedAt }],
    ['ended', endedWithoutTime],
    ['ended', { ...endedWithoutTime, endedBy: 'caller' }],
    ['noAnswer', ended],
    ['noAnswer', { ...ended, legs: [{ ...leg, state: 'Ringing' }] }],
    ['noAnswer', { ...ended, reason: 'calleeNoAnswer' }],
    ['noAnswer', { ...ended, reason: 'calleeUnknown' }],
    ['busy', { ...ended, reason: 'calleeBusy' }],
    ['busy', { ...ended, legs: [{ ...leg, state: 'Busy' }] }],
    ['declined', { ...ended, reason: 'calleeRefused' }],
    ['callerNotReached', failed('callerNoAnswer')],
    ['callerNotReached', failed('callerBusy')],
    ['callerNotReached', failed('callerRefused')],
    ['callerNotReached', failed('callerFailure')],
    ['refused', failed('refused')],
    ['notPlaced', failed('notSent')],
    ['mayHaveRung', { ...call, state: 'unknown', reason: 'notAnswered' }],
    ['unknown', { ...call, state: 'unknown', reason: 'other' }],
    ['unknown', failed('other')],
  ])('is %s (%#)', (outcome, record) => {
    expect(outcomeOf(record)).toBe(outcome);
  });

  it('counts as not placed a call that was refused or never sent', () => {
    const calls = [failed('refused'), failed('notSent'), failed('callerBusy'), ended];
    expect(calls.map(wasNotPlaced)).toEqual([true, true, false, false]);
  });

  it('counts as never rung also a call that did not reach the agent', () => {
    const calls = [failed('notSent'), failed('callerBusy'), failed('other'), ended];
    expect(calls.map(neverRang)).toEqual([true, true, false, false]);
  });

  it('says "not answered" only with a reason or a talk time', () => {
    const anyCall = fc.record({
      state: fc.constantFrom(...callStates),
      reason: fc.constantFrom(undefined, ...callReasons),
      talkSeconds: fc.constantFrom(undefined, 0, 7),
      connectedAt: fc.constantFrom(undefined, connectedAt),
    });
    fc.assert(
      fc.property(anyCall, (fields) => {
        const shown = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
        const each = { ...call, ...shown } as Call;
        const outcome = outcomeOf(each);
        expect(outcomes).toContain(outcome);
        expect(outcome === 'live').toBe(!isFinished(each));
        if (outcome === 'noAnswer') {
          expect(each.reason?.startsWith('callee') || each.talkSeconds === 0).toBe(true);
          if (each.state === 'disconnected') expect(each.connectedAt).toBeUndefined();
        }
        if (outcome === 'notPlaced') expect(each.reason).toBe('notSent');
      }),
    );
  });
});
