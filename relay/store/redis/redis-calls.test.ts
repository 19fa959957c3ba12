/** What a relay sends to Redis whose clock differs from its own; no server is needed for that. */
import { expect, it } from 'vitest';
import { newCallId } from '../../../shared/call/call.ts';
import { hourMs, minuteMs } from '../../../shared/durations.ts';
import { clientIntent } from '../../../testing/relay/client-intent.ts';
import { newCallState } from '../apply-change.ts';
import { stateFields } from './redis-call-state.ts';
import { RedisCalls } from './redis-calls.ts';
import type { RedisSession } from './redis-session.ts';

it('shifts the time of an item once to the clock of Redis, also where it is counted from now', async () => {
  const clockOffsetMs = 10 * minuteMs;
  const intent = clientIntent('1105');
  intent.call.item = { sheet: newCallId(), id: 1 };
  const state: Record<string, unknown> = { ...newCallState(intent), open: 1, dialling: 0, version: 0 };
  const written: (string | number)[] = [];
  const calls = new RedisCalls({
    clockOffsetMs,
    shifted: (at: number) => at + clockOffsetMs,
    writer: { send: async () => stateFields.map((name) => String(state[name] ?? '')) },
    write: async (_script: string, ...input: (string | number)[]) => {
      written.push(...input);
      return ['done', 1];
    },
    acknowledge: () => {},
  } as unknown as RedisSession);
  const now = Date.now();
  const amendment = {
    kind: 'wrapUp',
    request: { outcome: 'busy' },
    revision: 0,
    effect: { againHours: 2 },
  } as const;
  await calls.amend({ callId: intent.call.id, amendment, now });
  const rules = written.map(String).find((each) => each.startsWith('{"move":'));
  expect(JSON.parse(rules!).move.due).toBe(now + 2 * hourMs + clockOffsetMs);
});
