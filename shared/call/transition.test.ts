import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Call, endReasons, type Fact, isFinished, newCall, newCallId } from './call.ts';
import { transition } from './transition.ts';

const start = (): Call =>
  newCall({ id: newCallId(), from: '1105', to: '4833224455', now: '2026-11-21T10:00:00.000Z' });
const at = '2026-11-21T10:00:01.000Z';
const callAfter = (...facts: Fact[]): Call => facts.reduce(transition, start());

const accepted: Extract<Fact, { kind: 'accepted' }> = { kind: 'accepted', at, callid: 'abc' };
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
const acceptedByOurs: Fact = { ...accepted, canHangUp: true };
const ours = { callid: 'abc' };
const callerRings: Fact = { kind: 'ringing', at, party: 'caller', ...ours };
const callerAnswered: Fact = { kind: 'answered', at, party: 'caller', ...ours };
const calleeRings: Fact = { kind: 'ringing', at, party: 'callee', ...ours };
const calleeAnswered: Fact = { kind: 'answered', at: '2026-11-21T10:00:16.000Z', party: 'callee', ...ours };
const endUnknown: Fact = { kind: 'endUnknown', at };
const busy: Fact = {
  kind: 'hungUp',
  at,
  details: { talkSeconds: 0, totalSeconds: 9, reason: 'calleeBusy', endedBy: 'callee' },
};

describe('a call', () => {
  it('goes from initiating through callingCaller to disconnected, with all details', () => {
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

  it('ends when the notification arrives before the reply, with the time of acceptance kept', () => {
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

  it('keeps the reason with the message of a refusal, or of a call never sent', () => {
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

describe('a call of a service that reports more than the end', () => {
  it('goes through callingCallee to connected, keeping when the callee answered', () => {
    expect(callAfter(acceptedByOurs, callerRings)).toMatchObject({ state: 'callingCaller', canHangUp: true });
    expect(callAfter(acceptedByOurs, callerAnswered)).toMatchObject({ state: 'callingCallee' });
    expect(callAfter(acceptedByOurs, calleeRings)).toMatchObject({ state: 'callingCallee' });
    expect(callAfter(acceptedByOurs, calleeAnswered)).toMatchObject({
      state: 'connected',
      connectedAt: calleeAnswered.at,
    });
  });

  it.each([
    ['calleeBusy', 'disconnected'],
    ['calleeNoAnswer', 'disconnected'],
    ['calleeRefused', 'disconnected'],
    ['calleeUnknown', 'disconnected'],
    ['hangUp', 'disconnected'],
    ['callerBusy', 'failed'],
    ['callerRefused', 'failed'],
    ['callerFailure', 'failed'],
  ] as const)('ends with the reason %s as %s', (reason, state) => {
    const end: Fact = { kind: 'hungUp', at, details: { talkSeconds: 0, reason, endedBy: 'callee' } };
    expect(callAfter(acceptedByOurs, end)).toMatchObject({ state, reason, endedBy: 'callee' });
    expect(callAfter(acceptedByOurs, untalked, end)).toMatchObject({ state, reason });
  });

  it('was ended by the caller who asked for it, whatever the service reports as its own', () => {
    const asked: Fact = { kind: 'hangUpAsked', at };
    const end: Fact = { kind: 'hungUp', at, details: { talkSeconds: 4, endedBy: 'system' } };
    for (const facts of [
      [asked, end],
      [end, asked],
    ])
      expect(callAfter(acceptedByOurs, ...facts)).toMatchObject({ state: 'disconnected', endedBy: 'caller' });
    const byCallee: Fact = { ...end, details: { ...end.details, endedBy: 'callee' } };
    expect(callAfter(acceptedByOurs, asked, byCallee)).toMatchObject({ endedBy: 'callee' });
  });

  it('can be hung up from its acceptance until it is finished', () => {
    expect(callAfter(accepted).canHangUp).toBeUndefined();
    expect(callAfter(notAnswered, acceptedByOurs)).toMatchObject({ state: 'callingCaller', canHangUp: true });
    for (const end of [hungUp, lostCall, endUnknown, noNotification]) {
      expect(callAfter(acceptedByOurs, end)).not.toHaveProperty('canHangUp');
      expect(callAfter(end, acceptedByOurs)).not.toHaveProperty('canHangUp');
    }
  });

  it('is unknown above connected where the service lost it, unless an end is reported after all', () => {
    expect(callAfter(calleeAnswered, endUnknown)).toMatchObject({ state: 'unknown', reason: 'other' });
    expect(callAfter(endUnknown, calleeAnswered)).toMatchObject({ state: 'unknown', reason: 'other' });
    expect(callAfter(calleeAnswered, endUnknown, hungUp)).toMatchObject({ state: 'disconnected' });
  });
});

describe('a Call that a newer relay sent', () => {
  const sent = { ...start(), state: 'failed', reason: 'notSent' };

  it('reads as callingCaller in an unknown state, as other for an unknown reason', () => {
    expect(Call.parse({ ...sent, state: 'onHold' }).state).toBe('callingCaller');
    expect(Call.parse({ ...sent, reason: 'calleeOnMoon', endedBy: 'moon' })).toMatchObject({
      state: 'failed',
      reason: 'other',
      endedBy: 'system',
    });
    expect(Call.parse(start())).not.toHaveProperty('reason');
  });

  it.each([{ state: 5 }, { state: undefined }, { reason: null }])('is refused with %j', (wrong) => {
    expect(Call.safeParse({ ...sent, ...wrong }).success).toBe(false);
  });
});

describe('any order or repetition of the same facts', () => {
  const facts = [
    accepted,
    acceptedByOurs,
    hungUp,
    untalked,
    notAnswered,
    refused,
    notSent,
    lostCall,
    noNotification,
    callerRings,
    callerAnswered,
    calleeRings,
    calleeAnswered,
    endUnknown,
    busy,
  ];
  /** A call gets one reply and at most one hang-up; both may come beside time-outs and a lost-call. */
  const history = fc.record({
    reply: fc.constantFrom<Fact | undefined>(accepted, acceptedByOurs, refused, notSent, undefined),
    lost: fc.constantFrom<Fact | undefined>(notAnswered, undefined),
    missed: fc.constantFrom<Fact | undefined>(lostCall, undefined),
    late: fc.constantFrom<Fact | undefined>(noNotification, undefined),
    end: fc.constantFrom<Fact | undefined>(hungUp, untalked, busy, endUnknown, undefined),
    callerRings: fc.constantFrom<Fact | undefined>(callerRings, undefined),
    callerAnswered: fc.constantFrom<Fact | undefined>(callerAnswered, undefined),
    calleeRings: fc.constantFrom<Fact | undefined>(calleeRings, undefined),
    calleeAnswered: fc.constantFrom<Fact | undefined>(calleeAnswered, undefined),
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

  const time = fc.constantFrom(
    '2026-11-21T10:00:00.000Z',
    '2026-11-21T10:00:07.000Z',
    '2026-11-21T10:02:00.000Z',
  );
  const callid = fc.constantFrom('abc', 'abd');
  const code = fc.constantFrom('refusedByProvider', 'wrongToken', 'noAnswerInTime');
  const anyError = fc.record({ code, message: fc.constantFrom('no', 'not now') });
  const details = fc.record(
    {
      callid,
      startedAt: time,
      endedAt: time,
      talkSeconds: fc.constantFrom(0, 3, 48),
      totalSeconds: fc.constantFrom(0, 62),
      recordingUrl: fc.constantFrom('https://a.example/1', 'https://a.example/2'),
      legs: fc.array(fc.record({ id: fc.constantFrom('1.1', '1.2') }), { maxLength: 2 }),
      endedBy: fc.constantFrom('caller', 'callee', 'system'),
      reason: fc.constantFrom(...endReasons),
    },
    { requiredKeys: [] },
  );
  const party = fc.constantFrom('caller', 'callee');
  const anyFact = fc.oneof(
    fc.record({ kind: fc.constant('accepted'), at: time, callid, canHangUp: fc.boolean() }),
    fc.record({ kind: fc.constantFrom('ringing', 'answered'), at: time, party, callid }),
    fc.record({ kind: fc.constantFrom('refused', 'notSent', 'notAnswered'), at: time, error: anyError }),
    fc.record({ kind: fc.constantFrom('lostCall', 'hungUp'), at: time, details }),
    fc.record({ kind: fc.constantFrom('endUnknown', 'noNotification', 'hangUpAsked'), at: time }),
  ) as fc.Arbitrary<Fact>;

  it('leads to the same call where the facts contradict each other', () => {
    fc.assert(
      fc.property(fc.array(anyFact, { maxLength: 6 }), fc.infiniteStream(fc.nat()), (known, noise) => {
        const call = start();
        const expected = known.reduce(transition, call);
        const shuffled = [...known, ...known]
          .map((fact) => ({ fact, key: noise.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ fact }) => fact);
        expect(comparable(shuffled.reduce(transition, call))).toEqual(comparable(expected));
        for (const fact of known) expect(transition(expected, fact)).toBe(expected);
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps the talk time of an end that contradicts a lost call, also when that is repeated', () => {
    const lost: Fact = { kind: 'lostCall', at, details: { talkSeconds: 0, totalSeconds: 12 } };
    for (const known of [
      [lost, hungUp, lost],
      [hungUp, lost, hungUp],
    ])
      expect(callAfter(...known)).toMatchObject({ state: 'disconnected', reason: 'hangUp', talkSeconds: 48 });
  });

  it('shows connected only after the callee answered, never lowers the revision', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...facts), { maxLength: 12 }), (reported) => {
        let call = start();
        let isAnswered = false;
        for (const fact of reported) {
          const next = transition(call, fact);
          isAnswered ||= fact === calleeAnswered;
          if (!isAnswered) {
            expect(next.state).not.toBe('connected');
            expect(next).not.toHaveProperty('connectedAt');
          }
          if (isFinished(next)) expect(next).not.toHaveProperty('canHangUp');
          expect(next.revision - call.revision).toBe(next === call ? 0 : 1);
          call = next;
        }
      }),
    );
  });
});
