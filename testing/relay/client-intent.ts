import type { Intent } from '../../relay/store/store.ts';
import { newCall, newCallId } from '../../shared/call/call.ts';

/** The intent of a call that its client places, as the relay would journal it. */
export function clientIntent(from: string, more: Partial<Intent> & { to?: string } = {}): Intent {
  const { to = '4833224455', ...rest } = more;
  const now = Date.now();
  const call = newCall({ id: newCallId(), from, to, now: new Date(now).toISOString() });
  return {
    call,
    placedBy: 'client',
    owner: from,
    idempotencyKey: call.id,
    fingerprint: 'f',
    deadline: now + 60_000,
    tallies: [],
    now,
    ...rest,
  };
}
