/** Finds entries that are never sent: their CRM was removed from the settings, or has another name there. */
import { isPendingEntry } from '../../shared/record/call-parts.ts';
import { type RelaySettings, settingsPrefix } from '../settings.ts';
import type { Store } from '../store/store.ts';

/** How many of the oldest calls are read. Calls whose CRM is missing stay among the oldest. */
const maxRead = 1000;

/** @returns a sentence for each system that entries wait for, and that no setting names. */
export async function listUnservedSystems(
  { calls }: Pick<Store, 'calls'>,
  { crms }: Pick<RelaySettings, 'crms'>,
): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const { entries } of await calls.listUnlogged(maxRead))
    for (const { system } of entries.filter(isPendingEntry))
      counts.set(system, (counts.get(system) ?? 0) + 1);
  for (const { name } of crms) counts.delete(name);
  return [...counts].map(
    ([system, count]) =>
      `${settingsPrefix}CRM_${system.toUpperCase()}_… is not set, and entries of calls wait for it (${count}): ` +
      'set it again, or drop them; `log list` shows them',
  );
}
