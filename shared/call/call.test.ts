import { expect, it } from 'vitest';
import { Call, newCallId } from './call.ts';

it('reads a state, a reason, an error that only a newer relay knows', () => {
  const call = { id: 'A'.repeat(22), from: '1', to: '2', state: 'failed', createdAt: '', revision: 1 };
  const error = { code: 'tooFar', message: '' };
  expect(Call.parse({ ...call, reason: 'calleeOnMoon', error })).toEqual({ ...call, reason: 'other' });
  expect(Call.parse({ ...call, state: 'onMoon' })).toMatchObject({ state: 'callingCaller' });
  expect(Call.safeParse({ ...call, state: 5 }).success).toBe(false);
});

it('gives calls ids that no command takes for an option', () => {
  const ids = Array.from({ length: 5_000 }, newCallId);
  expect(ids.filter((id) => id.startsWith('-'))).toEqual([]);
});
