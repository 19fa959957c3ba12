import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Call, type Fact, newCall, newCallId } from './call.ts';
import { transition } from './transition.ts';

const start = (): Call =>
  newCall({ id: newCallId(), from: '1105', to: '4833224455', now: '2026-11-21T10:00:00.000Z' });
const at = '2026-11-21T10:00:01.000Z';
const callAfter = (...facts: Fact[]): Call => facts.reduce(transition, start());

const accepted: Fact = { kind: 'accepted', at, callid: 'abc' };
const hungUp: Fact = {
  kind: 'hungUp',
  at: '2026-11-21T10:01:05.000Z',
  details: {
    callid: 'abc',
    startedAt: '2026-11-21T10:00:02.000Z',
    endedAt: '2026-11-21T10:01:04.000Z',
    talkSeconds: 48,
    totalSeconds: 62,
    recordingUrl: 'https://recordings.example/a?id=abc',
  },
};
const untalked: Fact = { kind: 'hungUp', at, details: { talkSeconds: 0, totalSeconds: 20 } };
const error = { code: 'unreachable', message: 'no' } as const;
const notAnswered: Fact = { kind: 'notAnswered', at, error: { ...error, code: 'noAnswerInTime' } };
const refused: Fact = { kind: 'refused', at, error: { ...error, code: 'refusedByProvider' } };
const notSent: Fact = { kind: 'notSent', at, error };
const lostCall: Fact = { kind: 'lostCall', at };
const noNotification: Fact = { kind: 'noNotification', at };

describe('a call', () => {
  it('goes from initiating through callingCaller to disconnected, with the details of the notification', () => {
    expect(callAfter(accepted)).toMatchObject({
      state: 'callingCaller',
      callid: 'abc',
      acceptedAt: at,
      revision: 1,
    });
    expect(callAfter(accepted, hungUp)).toMatchObject({
      state: 'disconnected',
      reason: 'hangUp',
      talkSeconds: 48,
      totalSeconds: 62,
      startedAt: '2026-11-21T10:00:02.000Z',
      endedAt: '2026-11-21T10:01:04.000Z',
      revision: 2,
    });
  });

  it('ends when the notification arrives before the reply, and keeps the time of acceptance', () => {
    const { revision: _1, ...inOrder } = { ...callAfter(accepted, hungUp), id: '' };
    const { revision: _2, ...reversed } = { ...callAfter(hungUp, accepted), id: '' };
    expect(reversed).toEqual(inOrder);
  });

  it('is unknown when the answer was lost, until a notification reports the end', () => {
    expect(callAfter(notAnswered)).toMatchObject({
      state: 'unknown',
      reason: 'notAnswered',
      error: { code: 'noAnswerInTime' },
    });
    const ended = callAfter(notAnswered, hungUp);
    expect(ended).toMatchObject({ state: 'disconnected', reason: 'hangUp' });
    expect(ended.error).toBeUndefined();
  });

  it('is unknown when no notification came in time', () => {
    expect(callAfter(accepted, noNotification)).toMatchObject({
      state: 'unknown',
      reason: 'other',
      acceptedAt: at,
    });
  });

  it('records a lost call as callerNoAnswer, from the reply or after Trying', () => {
    for (const call of [
      callAfter(lostCall),
      callAfter(accepted, lostCall),
      callAfter(untalked, lostCall),
      callAfter(lostCall, untalked),
    ]) {
      expect(call).toMatchObject({ state: 'failed', reason: 'callerNoAnswer', error: { code: 'lostCall' } });
    }
  });

  it('ranks talk time above a lost call', () => {
    expect(callAfter(lostCall, hungUp)).toMatchObject({ state: 'disconnected', talkSeconds: 48 });
  });

  it('keeps the reason and the message of a refusal and of a call never sent', () => {
    expect(callAfter(refused)).toMatchObject({
      state: 'failed',
      reason: 'refused',
      error: { code: 'refusedByProvider' },
    });
    expect(callAfter(notSent)).toMatchObject({
      state: 'failed',
      reason: 'notSent',
      error: { code: 'unreachable' },
    });
  });

  it('returns the same object when a fact is repeated', () => {
    const once = callAfter(accepted, hungUp);
    expect(transition(once, hungUp)).toBe(once);
    expect(transition(once, accepted)).toBe(once);
  });
});

describe('any order and repetition of the same facts', () => {
  const facts = [accepted, hungUp, untalked, notAnswered, refused, notSent, lostCall, noNotification];
  /** A call gets one reply and at most one hang-up; both may come beside time-outs and a lost-call. */
  const history = fc.record({
    reply: fc.constantFrom<Fact | undefined>(accepted, refused, notSent, undefined),
    lost: fc.constantFrom<Fact | undefined>(notAnswered, undefined),
    missed: fc.constantFrom<Fact | undefined>(lostCall, undefined),
    late: fc.constantFrom<Fact | undefined>(noNotification, undefined),
    end: fc.constantFrom<Fact | undefined>(hungUp, untalked, undefined),
  });
  const comparable = ({ revision: _, ...call }: Call): Omit<Call, 'revision'> => call;

  it('leads to the same call', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (reported, noise) => {
        const known = Object.values(reported).filter((fact) => fact !== undefined);
        const call = start();
        const expected = known.reduce(transition, call);
        const shuffled = [...known, ...known]
          .map((fact) => ({ fact, key: noise.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ fact }) => fact);
        expect(comparable(shuffled.reduce(transition, call))).toEqual(comparable(expected));
      }),
      { numRuns: 2000 },
    );
  });

  it('never shows connected, and never lowers the revision', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...facts), { maxLength: 12 }), (reported) => {
        let call = start();
        for (const fact of reported) {
          const next = transition(call, fact);
          expect(next.state).not.toBe('connected');
          expect(next.revision - call.revision).toBe(next === call ? 0 : 1);
          call = next;
        }
      }),
    );
  });
});
