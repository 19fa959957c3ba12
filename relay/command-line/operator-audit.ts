/** Records in the audit that the operator ran a command. */
import type { Store } from '../store/store.ts';
import { type AuditAction, auditRecord } from '../store/team-rules.ts';

export async function recordDone(
  store: Pick<Store, 'rules'>,
  action: AuditAction,
  about: string,
  detail?: string,
): Promise<void> {
  await store.rules.record([auditRecord(action, 'operator', about, { detail })]);
}
