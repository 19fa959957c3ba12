import { pino } from 'pino';
import { expect, it } from 'vitest';
import { type Call, newCall } from '../shared/call/call.ts';
import { CallbackCloser } from './callback-closer.ts';

const to = '5548999998888';
const earlier = newCall({ id: 'earlier', from: '1105', to, now: '2026-11-23T10:00:00Z' });
const answered: Call = {
  ...newCall({ id: 'answered', from: '1105', to, now: '2026-11-24T10:00:00Z' }),
  state: 'disconnected',
  reason: 'hangUp',
  talkSeconds: 60,
};
const eventOf = (call: Call) => ({ seq: 1, channel: '1105', callId: call.id, data: JSON.stringify(call) });

it.each([
  ['closed one', [earlier], ['earlier']],
  ['found none', [], []],
])('keeps a callback that is agreed after a talk that %s', async (_what, before, expected) => {
  let callbacks: Call[] = before;
  const closed: string[] = [];
  const calls = {
    listCallbacks: async () => callbacks,
    amend: async ({ callId }: { callId: string }) => {
      closed.push(callId);
      callbacks = [];
      return { kind: 'unknownCall' as const };
    },
  };
  const closer = new CallbackCloser(calls, pino({ level: 'silent' }));
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  closer.observe([eventOf(answered)]);
  await settle();
  expect(closed).toEqual(expected);

  callbacks = [earlier];
  const wrapUp = { revision: 3, callBackAt: '2026-11-25T10:00:00Z' };
  closer.observe([eventOf({ ...earlier, state: 'disconnected', wrapUp })]);
  // The entry of the answered call reaches its CRM an hour later.
  closer.observe([eventOf({ ...answered, entry: { state: 'done', system: 'crm' } })]);
  await settle();
  expect(closed).toEqual(expected);
});
