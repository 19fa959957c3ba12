import type { CallRecord } from '../../extension/background/calls/call-record.ts';
import { newCall, newCallId } from '../../shared/call/call.ts';

/** A call as it is written down before its request to a relay is answered. */
export function callOnItsWay(fields: Partial<CallRecord> = {}): CallRecord {
  const now = new Date().toISOString();
  const id = newCallId();
  return {
    id,
    call: newCall({ id, from: '1105', to: '4833224455', now }),
    phase: 'asking',
    destination: '',
    open: 1,
    followed: 'relay',
    followUntil: Date.now() + 3600_000,
    request: { from: '1105', to: '4833224455' },
    display: '+55 48 3322-4455',
    note: '',
    changedAt: now,
    createdAt: now,
    ...fields,
  };
}
