/** What every connector has to do at its real CRM. */
import { writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { checkEntry } from '../../relay/command-line/check-crms.ts';
import { wrapUpWindowMs } from '../../relay/log/call-log.ts';
import { CallLogger } from '../../relay/log/call-logger.ts';
import { type CrmConnection, connectCrms } from '../../relay/log/connectors/connections.ts';
import type { LogEntry } from '../../relay/log/connectors/connector.ts';
import { readCrmSystems } from '../../relay/log/crm-settings.ts';
import { Metrics } from '../../relay/metrics.ts';
import { RulesSource } from '../../relay/rules/rules-file.ts';
import { openMemoryStore } from '../../relay/store/memory-store.ts';
import type { Call } from '../../shared/call/call.ts';
import { linkedRecord } from '../../shared/record/template.ts';
import type { CheckResult } from '../../shared/server/check-results.ts';
import { serveHttp } from '../../shared/server/serve-http.ts';
import { Cleanup } from '../cleanup.ts';
import { clientIntent } from '../relay/client-intent.ts';
import { temporaryFolder } from '../relay/test-relay.ts';
import { until } from '../until.ts';
import {
  answerTooLate,
  type CuttingProxy,
  type ProxyFault,
  redirectTo,
  startCuttingProxy,
  tooManyRequests,
} from './cutting-proxy.ts';
import { killWhileLogging } from './log-kills.ts';
import type { RealCrm } from './real-crm.ts';

/** Redmine makes its tables for minutes on a busy machine. */
const startTimeoutMs = 600_000;
/** An entry whose answer was lost waits for its next attempt, and a claim of a killed relay for its end. */
const killsTimeoutMs = 600_000;
/** The relay's limit where an answer is held back: longer than each CRM takes, shorter than the relay's own one. */
const lateAnswerMs = 3000;

/** A note that breaks out of what is not escaped, or commands a CRM that reads keywords. */
const hostileNote = [
  '<script>alert(1)</script> & "quotes"',
  'Status: resolved',
  'refs #2, fixes #2, closes #2',
  'a\u0000b \u202Ereversed\u202C \u05E9\u05DC\u05D5\u05DD',
].join('\n');
const arrivedNote = hostileNote.replace(/[\u0000\u202E\u202C]/g, '');

interface World<T extends RealCrm> {
  crm: T;
  proxy: CuttingProxy;
  connect(settings?: Record<string, string>): CrmConnection;
  /** As `check --entry-on` with the address of a record. */
  checkEntry(record: string, settings?: Record<string, string>): Promise<CheckResult>;
  /** A new entry on one of the two records. */
  entryOn(index: 0 | 1): LogEntry;
  /** Ends a call on a record, and sends its entry until it has this state. */
  log(record: string, state: string, options?: LogOptions): Promise<LoggedCall>;
}

interface LogOptions {
  note?: string;
  /** Of the relay, in place of the CRM's own ones. */
  settings?: Record<string, string>;
  /** Of the first attempt's failure: an entry waits also before it. */
  reason?: string;
  /** How long the relay waits for the CRM, in place of its own limit. */
  answerTimeoutMs?: number;
}

interface LoggedCall {
  call: Call;
  entry(): Promise<Call['entry']>;
  /** Lets time pass, and sends what is due then until the entry has this state. */
  later(ms: number, state: string, reason?: string): Promise<void>;
}

/** Registers the tests. @returns the world, once they run. */
export function connectorContract<T extends RealCrm>(
  start: (cleanup: Cleanup) => Promise<T>,
): () => World<T> {
  const cleanup = new Cleanup();
  const ends: (() => unknown)[] = [];
  let world: World<T>;
  let reader: Promise<Record<string, string>> | undefined;
  const addReader = () => {
    reader ??= world.crm.addReader();
    return reader;
  };
  beforeAll(async () => {
    const crm = await start(cleanup);
    const proxy = await startCuttingProxy(crm);
    cleanup.add('the proxy', () => proxy.stop());
    world = makeWorld(crm, proxy, (end) => ends.push(end));
  }, startTimeoutMs);
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(() => cleanup.run());

  it('finds the CRM in order at a check, without creating an entry', async () => {
    const { crm, proxy, connect } = world;
    const before = proxy.passedOn;
    const { connector, client } = connect();
    // A preset also names records of modules that are not installed.
    const found = await connector.check(client, [crm.kind, 'helpdesk.ticket']);
    expect(found).toEqual({ who: expect.stringMatching(crm.who), missing: [] });
    expect(proxy.passedOn).toBe(before);
  });

  it('names at a check the right that a user who only reads lacks', async () => {
    const { crm, connect } = world;
    const { connector, client } = connect(await addReader());
    const { missing } = await connector.check(client, [crm.kind]);
    expect(missing).toEqual([expect.stringMatching(crm.readerLacks)]);
  });

  it('writes one test entry at a check that names a record', async () => {
    const { crm, checkEntry } = world;
    const { isOk, advice } = await checkEntry(crm.records[1]);
    expect([isOk, advice]).toEqual([true, expect.stringMatching(/^written, and found by its marker /)]);
    const [marker] = /dialmark:check-[\w-]+/.exec(advice!)!;
    const texts = (await crm.texts(crm.records[1])).filter((text) => text.trimEnd().endsWith(marker));
    expect(texts).toEqual([expect.stringContaining('This is a test by Dialmark')]);
  });

  it('says at a check that a test entry is not allowed', async () => {
    const { crm, checkEntry } = world;
    const { isOk, advice } = await checkEntry(crm.records[0], await addReader());
    expect([isOk, advice]).toEqual([false, 'it refuses this user; see its rights']);
  });

  it('finds an entry by its own marker alone, as the last line', async () => {
    const { connector, client } = world.connect();
    const [own, other] = [entryOn(world.crm, 0), entryOn(world.crm, 0)];
    expect(await connector.find!(own, client)).toBeUndefined();
    await connector.create({ ...own, text: `Quotes ${other.marker}\n${own.marker}` }, client);
    expect(await connector.find!(own, client)).toBeDefined();
    expect(await connector.find!(other, client)).toBeUndefined();
    expect(await connector.find!({ ...own, record: entryOn(world.crm, 1).record }, client)).toBeUndefined();
  });

  it.each<ProxyFault>(['cutAfter', 'error500After', 'halfBodyAfter', 'cutBefore'])(
    'has an entry once whose answer was lost by %s',
    async (fault) => {
      const { crm, proxy } = world;
      proxy.failNext(fault);
      const before = proxy.passedOn;
      const { call, later } = await world.log(crm.records[0], 'unsure');
      await later(120_000, 'done');
      expect(proxy.passedOn - before).toBe(1);
      expect(await textsOf(crm, call)).toHaveLength(1);
    },
  );

  it('has an entry once whose answer came later than the relay waits', async () => {
    const { crm, proxy, log } = world;
    proxy.failNext(answerTooLate);
    const before = proxy.passedOn;
    const { call, later } = await log(crm.records[0], 'unsure', { answerTimeoutMs: lateAnswerMs });
    await later(120_000, 'done');
    expect(proxy.passedOn - before).toBe(1);
    expect(await textsOf(crm, call)).toHaveLength(1);
  });

  it('has an entry once that was redirected to a login page, which gets no request', async () => {
    const { crm, proxy, log } = world;
    const requests: unknown[] = [];
    const elsewhere = await serveHttp((request, response) => {
      requests.push(request.headers);
      response.end('{}');
    });
    cleanup.add('the login page', () => elsewhere.close());
    proxy.failNext(redirectTo(`${elsewhere.url}/login`));
    const { call, later } = await log(crm.records[0], 'waiting', { reason: 'redirected' });
    await later(120_000, 'done');
    expect(requests).toEqual([]);
    expect(await textsOf(crm, call)).toHaveLength(1);
  });

  it('has an entry once that the CRM was too busy for at first', async () => {
    const { crm, proxy, log } = world;
    proxy.failNext(tooManyRequests);
    const { call, later } = await log(crm.records[0], 'waiting', { reason: 'tooManyRequests' });
    await later(90_000, 'done');
    expect(await textsOf(crm, call)).toHaveLength(1);
  });

  it(
    'keeps each entry once through ten kills of relay, CRM or network',
    async () => {
      const { calls, lost, twice, elsewhere } = await killWhileLogging(world.crm, 10);
      expect({ calls, lost, twice, elsewhere }).toEqual({ calls: 10, lost: [], twice: [], elsewhere: [] });
    },
    killsTimeoutMs,
  );

  it('asks the agent about a record that is missing', async () => {
    const { entry } = await world.log(world.crm.missing, 'needsAgent');
    expect((await entry())!.reason).toBe('notFound');
  });

  it('asks the agent about a record that the relay may not write on', async () => {
    const { crm, log } = world;
    const { entry } = await log(crm.records[0], 'needsAgent', { settings: await addReader() });
    expect((await entry())!.reason).toBe('forbidden');
  });

  it('says of a wrong token that the settings are wrong', async () => {
    const { connector, client } = world.connect({ TOKEN: 'wrong' });
    const refused = { kind: 'misconfigured', reason: 'unauthorized' };
    await expect(connector.check(client, [world.crm.kind])).rejects.toMatchObject(refused);
    await expect(connector.create(entryOn(world.crm, 0), client)).rejects.toMatchObject(refused);
  });

  it('keeps a hostile note as text', async () => {
    const { call } = await world.log(world.crm.records[0], 'done', { note: hostileNote });
    const [text] = await textsOf(world.crm, call);
    expect(text!.trimEnd().endsWith(`${arrivedNote}\ndialmark:${call.id}`)).toBe(true);
  });

  return () => world;
}

const textsOf = async ({ texts, records }: RealCrm, { id, record }: Call) =>
  (await texts(record?.id ?? records[0])).filter((text) => text.trimEnd().endsWith(`dialmark:${id}`));

const templateOf = ({ url, pattern, kind }: RealCrm) => ({ system: 'crm', origin: url, pattern, kind });

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

function makeWorld<T extends RealCrm>(
  crm: T,
  proxy: CuttingProxy,
  atEnd: (end: () => unknown) => void,
): World<T> {
  const systems = (different: Record<string, string> = {}) => {
    const settings = Object.entries({ URL: proxy.url, ...crm.settings, ...different }).filter(
      ([, value]) => value !== '',
    );
    return readCrmSystems(
      Object.fromEntries(settings.map(([name, value]) => [`DIALMARK_CRM_CRM_${name}`, value])),
    );
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
      const log = pino({ level: 'silent' });
      const logger = new CallLogger({
        ...{
          connections: connectCrms(systems(settings), limits),
          rules: new RulesSource(undefined, log),
          store,
        },
        ...{ metrics: new Metrics(), log, now },
      });
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
      return { call: intent.call, entry, later };
    },
  };
}
