/** A call logger on a store and a fake CRM, with a clock that the test sets. */
import { pino } from 'pino';
import { wrapUpWindowMs } from '../../relay/log/call-log.ts';
import { CallLogger } from '../../relay/log/call-logger.ts';
import { connectCrms } from '../../relay/log/connectors/connections.ts';
import { readCrmSystems } from '../../relay/log/crm-settings.ts';
import { Metrics } from '../../relay/metrics.ts';
import { RulesSource } from '../../relay/rules/rules-file.ts';
import { openMemoryStore } from '../../relay/store/memory-store.ts';
import type { Store } from '../../relay/store/store.ts';
import type { Call, Fact } from '../../shared/call/call.ts';
import type { LinkedRecord } from '../../shared/record/call-parts.ts';
import { linkedRecord } from '../../shared/record/template.ts';
import { clientIntent } from '../relay/client-intent.ts';
import { until } from '../until.ts';
import { withPrefix } from '../with-prefix.ts';
import { type FakeRedmine, startFakeRedmine } from './fake-redmine.ts';

export interface LoggingWorld {
  crm: FakeRedmine;
  store: Store;
  entryOf(call: Call): Promise<Call['entry']>;
  recordOf(issue: string): LinkedRecord;
  advance(ms: number): void;
  restart(): Promise<void>;
  wake(): void;
  /** Sends entries that are due, until this entry has the state. */
  drain(call: Call, state: string): Promise<void>;
  place(issue?: string): Promise<Call>;
  /** Places a call and ends it; its entry is due. */
  placeAndEnd(issue?: string): Promise<Call>;
  apply(call: Call, fact: Fact): Promise<unknown>;
  /** The agent chooses a record. With undefined, the call is not logged. */
  choose(call: Call, record: LinkedRecord | undefined): Promise<unknown>;
  wrapUp(call: Call, request: object, revision: number): Promise<unknown>;
  stop(): Promise<void>;
}

interface WorldOptions {
  store?: Store;
  crm?: FakeRedmine;
  /** Settings of the CRM, in place of the fake's own ones. */
  settings?: Record<string, string>;
  start?: number;
}

export const hungUp: Fact = {
  kind: 'hungUp',
  at: '2026-11-23T12:01:00.000Z',
  details: { talkSeconds: 42, startedAt: '2026-11-23T12:00:05.000Z' },
};

/** @param settings without their prefix. @returns the connection as the system `crm`. */
export const connectTo = (settings: Record<string, string>) =>
  connectCrms(readCrmSystems(withPrefix('DIALMARK_CRM_CRM_', settings)));

type LoggerOptions = ConstructorParameters<typeof CallLogger>[0];

/** A call logger that follows no rules of a team and writes no log. */
export function silentLogger(
  options: Pick<LoggerOptions, 'connections' | 'store' | 'now'> & Partial<LoggerOptions>,
): CallLogger {
  const log = pino({ level: 'silent' });
  return new CallLogger({ rules: new RulesSource(undefined, log), metrics: new Metrics(), log, ...options });
}

/** Two issues, 4711 and 4712. */
export async function startLoggingWorld(options: WorldOptions = {}): Promise<LoggingWorld> {
  const crm = options.crm ?? (await startFakeRedmine('4711', '4712'));
  const store = options.store ?? openMemoryStore();
  let now = options.start ?? Date.parse('2026-11-23T12:00:00Z');
  const start = () => {
    const connections = connectTo({
      ...{ KIND: 'redmine', URL: crm.url, TOKEN: 'secret-key', TIMEZONE: 'America/Sao_Paulo' },
      ...options.settings,
    });
    return silentLogger({ connections, store, now: () => now });
  };
  let logger = start();
  const template = { system: 'crm', origin: crm.url, pattern: '/issues/{id}', kind: 'issue' };
  const recordOf = (id: string) => linkedRecord({ system: 'crm', kind: 'issue', id }, [template])!;
  const world: LoggingWorld = {
    crm,
    store,
    recordOf,
    entryOf: async (call) => (await store.calls.find(call.id))!.call.entry,
    advance: (ms) => {
      now += ms;
    },
    async restart() {
      await logger.stop();
      logger = start();
    },
    wake: () => logger.wake(),
    async drain(call, state) {
      logger.wake();
      await until(async () => (await world.entryOf(call))?.state === state, `the entry to be ${state}`);
    },
    async place(issue = '4711') {
      const intent = clientIntent('1105', { logSystems: ['crm'], now });
      intent.call.record = recordOf(issue);
      await store.calls.place(intent);
      return intent.call;
    },
    async placeAndEnd(issue) {
      const call = await world.place(issue);
      await world.apply(call, hungUp);
      world.advance(wrapUpWindowMs);
      return call;
    },
    apply: (call, fact) => store.calls.apply({ callId: call.id, fact, now }),
    choose(call, record) {
      const amendment = { kind: 'record', record, systems: record ? ['crm'] : [] } as const;
      return store.calls.amend({ callId: call.id, amendment, now });
    },
    wrapUp: (call, request, revision) =>
      store.calls.amend({ callId: call.id, amendment: { kind: 'wrapUp', request, revision }, now }),
    async stop() {
      await logger.stop();
      if (!options.crm) await crm.stop();
      if (!options.store) await store.close();
    },
  };
  return world;
}

/** The notes of a call's first entry. */
export const marked = (crm: FakeRedmine, call: Call, issue = '4711') =>
  crm.notes(issue).filter((note) => note.endsWith(`\ndialmark:${call.id}`));
