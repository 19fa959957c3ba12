import { expect } from 'vitest';
import type { NotificationBody } from './phone-lab.ts';
import type { PhoneCall } from './sip-phone.ts';

/** Fails, at the test's end, if the reported end contradicts what the phones saw. `unknown` never does. */
export function expectTrueEnd(
  end: NotificationBody,
  atAgent: PhoneCall | undefined,
  atFar: PhoneCall | undefined,
): void {
  if (end.event === 'unknown') return;
  const wasAnswered = atAgent?.isAnswered ?? false;
  const talked = atFar?.isAnswered ?? false;
  const claims = {
    lost: end.event === 'lost-call',
    talked: Number(end.billsec) > 0,
    calleeFailed: String(end.reason).startsWith('callee'),
  };
  const context = JSON.stringify({ end, atAgent, atFar });
  if (claims.lost) expect.soft(wasAnswered, context).toBe(false);
  if (claims.talked) expect.soft(talked, context).toBe(true);
  if (claims.calleeFailed) expect.soft(talked, context).toBe(false);
  if (end.event === 'hangup' && talked) expect.soft(claims.talked, context).toBe(true);
}
