/** Records in the audit that the operator ran a command. */
import type { Store } from '../store/store.ts';
import type { AuditAction } from '../store/team-rules.ts';

export async function recordDone(
  store: Pick<Store, 'rules'>,
  action: AuditAction,
  about: string,
  detail?: string,
): Promise<void> {
  const at = new Date().toISOString();
  await store.rules.record([{ at, action, by: 'operator', about, ...(detail ? { detail } : {}) }]);
}
