/**
 * Law 8 under kills: calls are logged in a real CRM while the relay, the CRM or the network between them dies at the
 * moment when an entry is created. Afterwards each entry is counted on each record.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../until.ts';
import { type ProxyFault, proxyFaults, type RequestFault } from './cutting-proxy.ts';
import { type LoggingRelay, type PlacedCall, startLoggingRelay } from './logging-relay.ts';
import type { RealCrm } from './real-crm.ts';

/** An entry whose answer was lost waits 45 s for its next attempt, and calls on its record wait with it. */
const maxRecords = 40;
/** A CRM dies at most so long after the request reached it: each of them takes less for its answer. */
const maxWorkMs = 300;
const settleTimeoutMs = 400_000;
const retryMs = 60_000;

const relayKills = ['relayBeforeCreate', 'relayAfterCreate'] as const;
const crmKills = ['crmDuringCreate', 'crmAfterCreate'] as const;
const networkKills = Object.keys(proxyFaults) as ProxyFault[];
type Kill = (typeof relayKills)[number] | (typeof crmKills)[number] | ProxyFault;
const groups: readonly (readonly Kill[])[] = [relayKills, crmKills, networkKills];

/** Ids of calls. */
interface KillFigures {
  calls: number;
  kills: Partial<Record<Kill, number>>;
  lost: string[];
  twice: string[];
  elsewhere: string[];
}

/** Makes one call a kill, and counts when all are settled. @param isEnough asked before each. */
export async function killWhileLogging(
  crm: RealCrm,
  kills: number,
  isEnough: () => boolean = () => false,
): Promise<KillFigures> {
  const relay = await startLoggingRelay(crm);
  try {
    const records: string[] = [];
    for (let n = 0; n < Math.min(kills, maxRecords); n++) records.push(await crm.addRecord());
    const calls: PlacedCall[] = [];
    const counts: KillFigures['kills'] = {};
    for (let n = 0; n < kills && !isEnough(); n++) {
      const group = groups[n % groups.length]!;
      const kill = group[randomInt(group.length)]!;
      const killed = killNext(crm, relay, kill);
      const call = await relay.place(records[n % records.length]!);
      calls.push(call);
      await relay.end(call);
      await relay.wrapUp(call);
      // Where this call's record waits for an earlier entry, that one's attempt is as good.
      await killed;
      counts[kill] = (counts[kill] ?? 0) + 1;
    }
    for (const call of calls) await settle(relay, call);
    return { calls: calls.length, kills: counts, ...(await countEntries(crm, records, calls)) };
  } finally {
    await relay.stop();
  }
}

/** Resolves once a creation met the kill, and what was killed runs again. */
function killNext(crm: RealCrm, { proxy, process: relay }: LoggingRelay, kill: Kill): Promise<void> {
  const kills: Record<Exclude<Kill, ProxyFault>, RequestFault> = {
    async relayBeforeCreate(passOn) {
      await relay.stop('SIGKILL');
      await passOn();
      await relay.start();
    },
    async relayAfterCreate(passOn) {
      await passOn();
      await relay.stop('SIGKILL');
      await relay.start();
    },
    async crmDuringCreate(passOn, response) {
      await Promise.race([passOn().catch(() => {}), pause(randomInt(maxWorkMs))]);
      response.socket?.destroy();
      await crm.restart();
    },
    async crmAfterCreate(passOn, response) {
      await passOn();
      response.socket?.destroy();
      await crm.restart();
    },
  };
  const fault: RequestFault = { ...proxyFaults, ...kills }[kill];
  return new Promise((resolve, reject) => {
    proxy.failNext((...request) => fault(...request).then(resolve, reject));
  });
}

async function settle(relay: LoggingRelay, call: PlacedCall): Promise<void> {
  let entry: Awaited<ReturnType<LoggingRelay['entry']>>;
  let nextRetry = Date.now() + retryMs;
  const isDone = async () => {
    entry = await relay.entry(call);
    // Its CRM was killed so often that its next attempt is far away.
    if (entry?.state !== 'done' && Date.now() > nextRetry) {
      nextRetry = Date.now() + retryMs;
      await relay.process.run('log', 'retry', call.id);
    }
    return entry?.state === 'done';
  };
  await until(isDone, `the entry of ${call.id}`, settleTimeoutMs).catch((error: Error) => {
    throw new Error(`${error.message}; it is ${JSON.stringify(entry)}`);
  });
}

/** Looks for each call's marker on every record. */
export async function countEntries(
  crm: Pick<RealCrm, 'texts'>,
  records: readonly string[],
  calls: readonly PlacedCall[],
) {
  const found = new Map<string, string[]>();
  for (const record of records)
    for (const text of await crm.texts(record)) {
      const lastLine = text.trimEnd().split('\n').at(-1)!;
      const id = /^dialmark:([\w-]+)(?:\/\d+)?$/.exec(lastLine)?.[1];
      if (id) found.set(id, [...(found.get(id) ?? []), record]);
    }
  const idsOf = (isWrong: (places: readonly string[], record: string) => boolean) =>
    calls.filter(({ id, record }) => isWrong(found.get(id) ?? [], record)).map(({ id }) => id);
  return {
    lost: idsOf((places, record) => !places.includes(record)),
    twice: idsOf((places) => places.length > 1),
    elsewhere: idsOf((places, record) => places.some((place) => place !== record)),
  };
}
