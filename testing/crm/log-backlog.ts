/** Measures how fast entries drain after their CRM was away for three days of simulated time. */
import { setTimeout as pause } from 'node:timers/promises';
import { Metrics } from '../../relay/metrics.ts';
import { openStore } from '../../relay/store/open-store.ts';
import type { Store } from '../../relay/store/store.ts';
import { linkedRecord } from '../../shared/record/template.ts';
import { clientIntent } from '../relay/client-intent.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { countEntries } from './count-entries.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import type { PlacedCall } from './logging-relay.ts';
import { connectTo, silentLogger } from './logging-world.ts';
import { type RealCrm, templateOf } from './real-crm.ts';

type BacklogCrm = Omit<RealCrm, 'addReader' | 'readerLacks' | 'restart'>;

const stepMs = 5 * 60_000;
const steps = (3 * 24 * 3_600_000) / stepMs;
/** How many calls are on one record. Their entries keep the order of the calls. */
const callsPerRecord = 10;
const drainTimeoutMs = 3_600_000;

interface DrainFigures {
  entries: number;
  lost: number;
  twice: number;
  elsewhere: number;
  /** Requests to the CRM while it was away. */
  attemptsMeanwhile: number;
  /** The seconds from the return of the CRM to the last entry. */
  seconds: number;
}

export async function drainBacklog(crm: BacklogCrm, entries: number): Promise<DrainFigures> {
  const folder = await temporaryFolder();
  const proxy = await startCuttingProxy(crm);
  const store = await openStore({ store: `sqlite:${folder.file('relay.db')}`, storeMaxMb: undefined });
  const connections = connectTo({ URL: proxy.url, ...crm.settings });
  let passed = -steps * stepMs;
  const now = () => Date.now() + passed;
  const metrics = new Metrics();
  const logger = silentLogger({ connections, store, metrics, now });
  try {
    const records: string[] = [];
    for (let n = 0; n * callsPerRecord < entries; n++) records.push(await crm.addRecord());
    const calls: PlacedCall[] = [];
    proxy.isAway = true;
    for (let step = 0; step < steps; step++) {
      const wanted = Math.round(((step + 1) * entries) / steps);
      const added = Array.from({ length: wanted - calls.length }, (_, n) =>
        endedCall(store, crm, records[(calls.length + n) % records.length]!, now()),
      );
      calls.push(...(await Promise.all(added)));
      passed += stepMs;
      logger.wake();
      // Each attempt ends at once, because its connection is cut.
      await pause(2);
    }
    const attemptsMeanwhile = await attemptsOf(metrics);
    proxy.isAway = false;
    const start = performance.now();
    logger.wake();
    await until(() => logger.pending === 0, 'the drained backlog', drainTimeoutMs);
    const seconds = (performance.now() - start) / 1000;
    const { lost, twice, elsewhere } = await countEntries(crm, records, calls);
    const counts = { lost: lost.length, twice: twice.length, elsewhere: elsewhere.length };
    return { entries: calls.length, ...counts, attemptsMeanwhile, seconds };
  } finally {
    await logger.stop();
    await store.close();
    await proxy.stop();
    await folder.remove();
  }
}

async function endedCall({ calls }: Store, crm: BacklogCrm, id: string, now: number): Promise<PlacedCall> {
  const intent = clientIntent('1105', { logSystems: ['crm'], now });
  intent.call.record = linkedRecord({ system: 'crm', kind: crm.kind, id }, [templateOf(crm)])!;
  intent.call.createdAt = new Date(now).toISOString();
  await calls.place(intent);
  const at = new Date(now).toISOString();
  const fact = { kind: 'hungUp', at, details: { talkSeconds: 42 } } as const;
  await calls.apply({ callId: intent.call.id, fact, now });
  return { id: intent.call.id, record: id, notificationPath: '' };
}

async function attemptsOf({ entries }: Metrics): Promise<number> {
  const { values } = await entries.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}
