/** Puts a call into the history, as a click does that places it. */
import type { CallRecord } from '../../extension/background/calls/call-record.ts';
import { addCall } from '../../extension/background/calls/call-store.ts';
import { ok } from '../../extension/messages/result.ts';

export const storeCall = (record: CallRecord) => addCall(record.id, record.createdAt, () => ok({ record }));
