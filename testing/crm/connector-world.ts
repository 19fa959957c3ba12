/** The parts of a relay that log calls at a real CRM through the proxy, for the contract of connectors. */
import { writeFile } from 'node:fs/promises';
import { checkEntry } from '../../relay/command-line/check-crms.ts';
import { wrapUpWindowMs } from '../../relay/log/call-log.ts';
import { type CrmConnection, connectCrms } from '../../relay/log/connectors/connections.ts';
import type { LogEntry } from '../../relay/log/connectors/connector.ts';
import { readCrmSystems } from '../../relay/log/crm-settings.ts';
import { openMemoryStore } from '../../relay/store/memory-store.ts';
import type { Call } from '../../shared/call/call.ts';
import { linkedRecord } from '../../shared/record/template.ts';
import type { CheckResult } from '../../shared/server/check-results.ts';
import { clientIntent } from '../relay/client-intent.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { withPrefix } from '../with-prefix.ts';
import type { CuttingProxy } from './cutting-proxy.ts';
import { silentLogger } from './logging-world.ts';
import { type RealCrm, templateOf } from './real-crm.ts';

export interface ConnectorWorld<T extends RealCrm> {
  crm: T;
  proxy: CuttingProxy;
  connect(settings?: Record<string, string>): CrmConnection;
  /** Checks a record as `check --entry-on` does. */
  checkEntry(record: string, settings?: Record<string, string>): Promise<CheckResult>;
  /** A new entry on one of the two records. */
  entryOn(index: 0 | 1): LogEntry;
  /** Ends a call on a record, and sends its entry until it has this state. */
  log(record: string, state: string, options?: LogOptions): Promise<LoggedCall>;
}

interface LogOptions {
  note?: string;
  /** Settings of the relay, in place of the CRM's own ones. */
  settings?: Record<string, string>;
  /** The reason why the first attempt failed. An entry is also `waiting` before that attempt. */
  reason?: string;
  /** How long the relay waits for the CRM at the first attempt, in place of its own limit. */
  answerTimeoutMs?: number;
}

interface LoggedCall {
  call: Call;
  entry(): Promise<Call['entry']>;
  /** Lets time pass, and sends entries that are due until this entry has the state. */
  later(ms: number, state: string): Promise<void>;
}

function callOn(crm: RealCrm, id: string) {
  const intent = clientIntent('1105', { logSystems: ['crm'] });
  intent.call.record = linkedRecord({ system: 'crm', kind: crm.kind, id }, [templateOf(crm)])!;
  return intent;
}

function entryOn(crm: RealCrm, index: 0 | 1): LogEntry {
  const { call } = callOn(crm, crm.records[index]);
  const marker = `dialmark:${call.id}`;
  return {
    ...{ call, marker, record: call.record!, text: `Answered\n${marker}` },
    ...{ part: 1, kind: 'call', talkSeconds: 42, secondsBefore: 0, placedAt: call.createdAt },
  };
}

export function makeConnectorWorld<T extends RealCrm>(
  crm: T,
  proxy: CuttingProxy,
  atEnd: (end: () => unknown) => void,
): ConnectorWorld<T> {
  const systems = (different: Record<string, string> = {}) => {
    const settings = Object.entries({ URL: proxy.url, ...crm.settings, ...different });
    const given = Object.fromEntries(settings.filter(([, value]) => value !== ''));
    return readCrmSystems(withPrefix('DIALMARK_CRM_CRM_', given));
  };
  return {
    crm,
    proxy,
    entryOn: (index) => entryOn(crm, index),
    connect: (settings) => connectCrms(systems(settings)).get('crm')!,
    async checkEntry(record, settings) {
      const folder = await temporaryFolder();
      atEnd(() => folder.remove());
      const rulesFile = folder.file('rules.json');
      await writeFile(rulesFile, JSON.stringify({ templates: [templateOf(crm)] }));
      const address = crm.url + crm.pattern.replace('{id}', record);
      return checkEntry({ crms: systems(settings), rulesFile }, address);
    },
    async log(record, state, { note, settings, reason, ...limits } = {}) {
      let passed = 0;
      const now = () => Date.now() + passed;
      const store = openMemoryStore();
      const logger = silentLogger({ connections: connectCrms(systems(settings), limits), store, now });
      atEnd(() => store.close());
      atEnd(() => logger.stop());
      const intent = callOn(crm, record);
      const callId = intent.call.id;
      await store.calls.place(intent);
      if (note) {
        const amendment = { kind: 'wrapUp', request: { note }, revision: 0 } as const;
        await store.calls.amend({ callId, amendment, now: now() });
      }
      const fact = {
        kind: 'hungUp',
        at: new Date(now()).toISOString(),
        details: { talkSeconds: 42 },
      } as const;
      await store.calls.apply({ callId, fact, now: now() });
      const entry = async () => (await store.calls.find(callId))!.call.entry;
      const later = async (ms: number, wanted: string, because?: string) => {
        passed += ms;
        logger.wake();
        let shown: Call['entry'];
        await until(async () => {
          shown = await entry();
          return shown?.state === wanted && (because === undefined || shown.reason === because);
        }, `the entry to be ${wanted}`).catch((error: Error) => {
          throw new Error(`${error.message}; it is ${JSON.stringify(shown)}`);
        });
      };
      await later(wrapUpWindowMs, state, reason);
      // A busy CRM may need longer for the search.
      delete limits.answerTimeoutMs;
      return { call: intent.call, entry, later };
    },
  };
}
