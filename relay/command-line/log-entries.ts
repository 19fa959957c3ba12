/**
 * `log`: shows, repeats, moves and drops the entries of calls that are not in their CRM, and shows calls that need a
 * record.
 */
import type { Call } from '../../shared/call/call.ts';
import type { RecordKey } from '../../shared/record/template.ts';
import { maskNumber } from '../../shared/server/log.ts';
import { printNote, printRow, reportUnknown } from '../../shared/server/print.ts';
import { isUnlogged } from '../log/call-log.ts';
import { needsRecord, recordQueue } from '../log/entry-status.ts';
import { auditOfEntries, auditOfMove } from '../log/record-audit.ts';
import { recordLink } from '../log/record-link.ts';
import { rulesOf, templatesOfRules } from '../rules/rules-file.ts';
import type { RelaySettings } from '../settings.ts';
import type { Amendment } from '../store/amendment.ts';
import type { Store } from '../store/store.ts';

const maxListed = 1000;
const maxListedAtOnce = 100_000;
const expectedCall = 'expected the id of a call that `log list` shows';

export async function listLog(store: Store): Promise<void> {
  const calls = await store.calls.listUnlogged(maxListed);
  for (const { call, entries } of calls)
    for (const { state, system, record, due, attempts, reason = '' } of entries.filter(isUnlogged)) {
      // An entry that was given up or asks the agent is never due. Then the time of its call is shown.
      const at = new Date(due === 0 ? call.createdAt : due).toISOString();
      const count = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
      const place = `${record.kind} ${record.id}`;
      printRow([call.id, state, at, count, call.from, maskNumber(call.to), system, place, reason]);
    }
  const query = { system: recordQueue, now: Date.now(), limit: maxListed };
  const { callIds, pending } = await store.calls.listDueEntries(query);
  for (const id of callIds) {
    const call = await callThatNeedsRecord(store, id);
    if (!call) continue;
    const { createdAt, from, to, entry } = call;
    printRow([id, 'needsAgent', createdAt, '0 attempts', from, maskNumber(to), '-', '-', entry!.reason!]);
  }
  if (calls.length === maxListed || pending > maxListed)
    printNote(`only the first ${maxListed} calls with an entry and without a record are shown`);
}

async function callThatNeedsRecord({ calls }: Store, id: string): Promise<Call | undefined> {
  const call = (await calls.find(id))?.call;
  return call && needsRecord(call) ? call : undefined;
}

export async function retryLog(store: Store, id: string): Promise<void> {
  const calls = await store.calls.listUnlogged(maxListedAtOnce);
  const wanted = calls.filter(({ call, entries }) =>
    id === 'all' ? entries.some(({ state }) => state === 'dead') : call.id === id,
  );
  if (wanted.length === 0 && id !== 'all')
    return reportUnknown(
      id,
      (await callThatNeedsRecord(store, id)) ? 'it needs a record: `log move`' : expectedCall,
    );
  for (const { call } of wanted)
    await amend(store, call.id, {
      kind: 'retryEntries',
      rules: auditOfEntries('record.retry', call, 'operator'),
    });
  process.stdout.write(`${wanted.length} to be logged again\n`);
}

export async function moveLog(
  store: Store,
  settings: RelaySettings,
  id: string,
  wanted: RecordKey,
): Promise<void> {
  const record = recordLink(wanted, templatesOfRules(rulesOf(settings.rulesFile)), settings);
  const place = `${wanted.system} ${wanted.kind} ${wanted.id}`;
  if (!record) return reportUnknown(place, 'no template of DIALMARK_RULES_FILE has such a record');
  // Loaded only here, as for `serve`.
  const { connectCrms, loggingSystems } = await import('../log/connectors/connections.ts');
  const systems = loggingSystems(connectCrms(settings.crms), record.system);
  const call = (await store.calls.find(id))?.call;
  if (!call) return reportUnknown(id, 'expected the id of a call');
  const rules = auditOfMove(call, record, 'operator');
  await amend(store, id, { kind: 'record', record, systems, rules });
  process.stdout.write(`${id} moved to ${record.url}\n`);
  if (systems.length === 0) printNote(`nothing logs calls of ${record.system}: DIALMARK_CRM_… names none`);
}

export async function dropLog(store: Store, id: string): Promise<void> {
  const calls = await store.calls.listUnlogged(maxListedAtOnce);
  const call = calls.find((each) => each.call.id === id)?.call ?? (await callThatNeedsRecord(store, id));
  if (!call) return reportUnknown(id, expectedCall);
  await amend(store, id, { kind: 'dropEntries', rules: auditOfEntries('record.drop', call, 'operator') });
  process.stdout.write(`${id} dropped: it is not logged any more\n`);
}

async function amend(store: Store, callId: string, amendment: Amendment): Promise<void> {
  await store.calls.amend({ callId, amendment, now: Date.now() });
}
