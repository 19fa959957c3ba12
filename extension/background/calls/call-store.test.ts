import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { newCall, newCallId } from '../../../shared/call/call.ts';
import { storeCall } from '../../../testing/extension/store-call.ts';
import type { CallRecord, Phase } from './call-record.ts';
import { changeCall, forgetPastCalls, openCalls, pastCalls, withFact } from './call-store.ts';

function record(phase: Phase): CallRecord {
  const now = new Date().toISOString();
  const id = newCallId();
  return {
    id,
    call: newCall({ id, from: '1105', to: '4833224455', now }),
    phase,
    destination: '',
    open: 1,
    relayRevision: 1,
    followed: 'relay',
    followUntil: Date.now() + 3600_000,
    request: { from: '1105', to: '4833224455' },
    display: '(48) 3322-4455',
    note: '',
    changedAt: now,
    createdAt: now,
  };
}

test('forgetting removes a call of unknown end, though the relay may still report its end, and keeps calls in progress', async () => {
  const at = new Date().toISOString();
  const error = { code: 'connectionLost', message: 'the relay did not answer' } as const;
  const unknown = record('placed');
  await storeCall(unknown);
  await changeCall(unknown.id, (current) => withFact(current, { kind: 'notAnswered', at, error }));
  expect((await openCalls()).map(({ id }) => id)).toEqual([unknown.id]);
  const sending = record('sending');
  const ringing = record('placed');
  await storeCall(sending);
  await storeCall(ringing);
  await changeCall(ringing.id, (current) => withFact(current, { kind: 'accepted', at, callid: 'c1' }));

  expect(await forgetPastCalls()).toBe(2);
  const { records } = await pastCalls({ limit: 10 });
  expect(new Set(records.map(({ id }) => id))).toEqual(new Set([sending.id, ringing.id]));
});
