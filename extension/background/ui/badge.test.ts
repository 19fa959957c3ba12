import { expect, test, vi } from 'vitest';
import { type Call, newCall } from '../../../shared/call/call.ts';

vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

const { signOf } = await import('./badge.ts');

const call = newCall({ id: 'A'.repeat(22), from: '1105', to: '4832221000', now: '2026-05-04T13:05:10.000Z' });
const ended = { ...call, state: 'disconnected', reason: 'hangUp', talkSeconds: 0 } as const;

test.each<[string, Call]>([
  ['…', call],
  ['☎', { ...call, state: 'callingCallee' }],
  ['✓', { ...ended, talkSeconds: 4 }],
  ['–', ended],
  ['–', { ...ended, reason: 'calleeBusy' }],
  ['–', { ...ended, reason: 'calleeRefused' }],
  ['!', { ...call, state: 'failed', reason: 'callerBusy' }],
  ['!', { ...call, state: 'failed', reason: 'notSent' }],
  ['?', { ...call, state: 'unknown', reason: 'notAnswered' }],
])('shows %s, so that only an answered call is ticked (%#)', (sign, shown) => {
  expect(signOf({ call: shown }).sign).toBe(sign);
});
