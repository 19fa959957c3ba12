/** What the audit keeps of a call whose entries are moved to another record, dropped or tried again. */
import type { Call } from '../../shared/call/call.ts';
import type { LinkedRecord } from '../../shared/record/call-parts.ts';
import type { AmendedRules } from '../store/amendment.ts';
import type { AuditRecord } from '../store/team-rules.ts';

const writtenRecord = ({ system, kind, id }: LinkedRecord): string => `${system} ${kind} ${id}`;

/** @param by the id of a key, or `operator`; also below. */
export const auditOfMove = (call: Call, record: LinkedRecord | undefined, by: string): AmendedRules =>
  auditOf(call, by, {
    action: 'record.move',
    detail: record ? `to ${writtenRecord(record)}` : 'to no record',
  });

export const auditOfDrop = (call: Call, by: string): AmendedRules =>
  auditOf(call, by, { action: 'record.drop' });

export const auditOfRetry = (call: Call, by: string): AmendedRules =>
  auditOf(call, by, { action: 'record.retry' });

function auditOf(
  { id: callId, record }: Call,
  by: string,
  done: Pick<AuditRecord, 'action' | 'detail'>,
): AmendedRules {
  const about = record ? writtenRecord(record) : 'no record';
  return { entries: [], audit: [{ at: new Date().toISOString(), by, about, callId, ...done }] };
}
