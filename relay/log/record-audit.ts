/** What the audit keeps of a call whose entries are moved to another record, dropped or tried again. */
import type { Call } from '../../shared/call/call.ts';
import type { LinkedRecord } from '../../shared/record/call-parts.ts';
import type { AmendedRules } from '../store/amendment.ts';
import { auditRecord } from '../store/team-rules.ts';

const writtenRecord = ({ system, kind, id }: LinkedRecord): string => `${system} ${kind} ${id}`;

/** @param by the id of a key, or `operator`; also below. */
export const auditOfMove = (call: Call, record: LinkedRecord | undefined, by: string): AmendedRules =>
  auditOfEntries('record.move', call, by, record ? `to ${writtenRecord(record)}` : 'to no record');

export function auditOfEntries(
  action: 'record.move' | 'record.drop' | 'record.retry',
  { id: callId, record }: Call,
  by: string,
  detail?: string,
): AmendedRules {
  const about = record ? writtenRecord(record) : 'no record';
  return { entries: [], audit: [auditRecord(action, by, about, { callId, detail })] };
}
