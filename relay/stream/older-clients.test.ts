import { expect, it } from 'vitest';
import {
  type Call,
  callReasons,
  callStates,
  isFinished,
  newCall,
  newCallId,
} from '../../shared/call/call.ts';
import { callForOlderClient, isOlderClient } from './older-clients.ts';

/** What widgets and extensions knew before `connected`: the schema in the bundle of that time. */
const known = {
  state: ['initiating', 'callingCaller', 'disconnected', 'failed', 'unknown'],
  reason: ['hangUp', 'callerNoAnswer', 'callerFailure', 'refused', 'notSent', 'notAnswered', 'other'],
};

it.each(callStates)(
  '%s reads as a state and a reason that an older client knows, whatever its reason',
  (state) => {
    const call: Call = {
      ...newCall({ id: newCallId(), from: '1', to: '2', now: '2026-11-22T10:00:00Z' }),
      state,
    };
    for (const reason of [undefined, ...callReasons]) {
      const read = callForOlderClient(reason === undefined ? call : { ...call, reason });
      expect(known.state).toContain(read.state);
      expect([undefined, ...known.reason]).toContain(read.reason);
      expect(isFinished(read)).toBe(isFinished(call));
    }
  },
);

it('leaves a call alone that an older client knows', () => {
  const call = newCall({ id: newCallId(), from: '1', to: '2', now: '2026-11-22T10:00:00Z' });
  expect(callForOlderClient(call)).toBe(call);
});

it.each([
  ['Mozilla/5.0 (X11) Firefox/153.0', 'text/event-stream', true],
  ['Mozilla/5.0 (X11) Firefox/153.0', 'text/event-stream;states=all', false],
  ['node', 'text/event-stream', false],
  [undefined, undefined, false],
])('takes a reader with %s and %s for an older one: %s', (agent, accept, expected) => {
  expect(isOlderClient({ headers: { 'user-agent': agent, accept } })).toBe(expected);
});
