import { describe, expect, it } from 'vitest';
import type { Fact } from '../../shared/call/call.ts';
import { clientIntent } from '../../testing/relay/client-intent.ts';
import { applyChange, newCallState } from './apply-change.ts';
import type { CallChange } from './store.ts';

const at = '2026-11-21T10:00:00.000Z';
const intent = clientIntent('1105', { placedBy: 'relay', deadline: 1000 });
const dialling = newCallState(intent);
const change = (fact: Fact, more: Partial<CallChange> = {}): CallChange => ({
  callId: intent.call.id,
  fact,
  now: 500,
  ...more,
});
const hangUp = (digest: string, talkSeconds = 5): CallChange =>
  change({ kind: 'hungUp', at, details: { talkSeconds } }, { arrival: { event: 'hungUp', digest } });

describe('the decision on a change', () => {
  it('ends the dial, moving the deadline, when the provider accepts', () => {
    const { answer, next } = applyChange(dialling, change({ kind: 'accepted', at }, { deadline: 2000 }));
    expect(answer).toEqual({ kind: 'applied', state: 'callingCaller', reason: undefined });
    expect(next).toMatchObject({ isOpen: true, isDialling: false, deadline: 2000 });
  });

  it('keeps the deadline while a notification comes before the provider’s answer', () => {
    const { next } = applyChange(dialling, hangUp('a'));
    expect(next).toMatchObject({ isOpen: false, isDialling: true, deadline: 1000 });
    const answered = applyChange(next!, change({ kind: 'accepted', at })).next;
    expect(answered).toMatchObject({ isOpen: false, isDialling: false, deadline: undefined });
  });

  it('writes nothing for a repetition, but keeps up to twenty contradictions', () => {
    let record = applyChange(dialling, hangUp('0')).next!;
    expect(applyChange(record, hangUp('0'))).toEqual({ answer: { kind: 'repeat' } });
    for (let n = 1; n <= 20; n++) {
      const { answer, next } = applyChange(record, hangUp(`${n}`, n));
      expect([answer.kind, next!.data]).toEqual(['conflict', record.data]);
      record = next!;
    }
    expect(applyChange(record, hangUp('20'))).toEqual({ answer: { kind: 'repeat' } });
    expect(applyChange(record, hangUp('21'))).toEqual({ answer: { kind: 'conflict' } });
  });

  it('forwards only a notification that is believed', () => {
    const forward = { id: 'msg', body: '{}' };
    const arrival = { event: 'hungUp', digest: 'a', forward };
    const first = applyChange(dialling, { ...hangUp('a'), arrival });
    expect(first.forward).toEqual(forward);
    expect(applyChange(first.next!, { ...hangUp('b'), arrival }).forward).toBeUndefined();
  });
});
