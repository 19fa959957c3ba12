/**
 * Tests Law 8 under kills. Calls are logged in a real CRM. The relay, the CRM or the network between them is killed
 * while an entry is created. Some calls get another record meanwhile. Then each entry is counted on each record.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../until.ts';
import { countEntries, type EntryCounts } from './count-entries.ts';
import { type ProxyFault, proxyFaults, type RequestFault } from './cutting-proxy.ts';
import { type LoggingRelay, type PlacedCall, startLoggingRelay } from './logging-relay.ts';
import type { RealCrm } from './real-crm.ts';

/** Many records save time: an entry whose answer was lost waits 45 s, and other calls on its record wait with it. */
const maxRecords = 40;
/** A CRM is killed within this time after the request reached it. Each CRM answers sooner. */
const maxWorkMs = 300;
const settleTimeoutMs = 400_000;
const listEveryMs = 2000;
const farMs = 60_000;
/** Every fifth call is moved, in each of two rounds. So each of the three groups of kills meets some of the moves. */
const moveEvery = 5;
/** A line of the relay's log. A move forgets an entry that was refused. */
const askedAgent = /"call":"([\w-]+)".*"failure":"needsAgent"/g;

const relayKills = ['relayBeforeCreate', 'relayAfterCreate'] as const;
const crmKills = ['crmDuringCreate', 'crmAfterCreate'] as const;
const networkKills = Object.keys(proxyFaults) as ProxyFault[];
type Kill = (typeof relayKills)[number] | (typeof crmKills)[number] | ProxyFault;
const groups: readonly (readonly Kill[])[] = [relayKills, crmKills, networkKills];

interface KillFigures extends EntryCounts {
  calls: number;
  kills: Partial<Record<Kill, number>>;
  /** How many calls got another record during a kill. */
  moved: number;
  /** Ids of calls whose entry asked an agent or was given up. */
  givenUp: string[];
}

/**
 * Makes one call for each kill, and counts once all entries are settled.
 * @param isEnough is asked before each call or move.
 */
export async function killWhileLogging(
  crm: RealCrm,
  kills: number,
  isEnough: () => boolean = () => false,
): Promise<KillFigures> {
  const relay = await startLoggingRelay(crm);
  try {
    const records: string[] = [];
    for (let n = 0; n < Math.max(2, Math.min(kills, maxRecords)); n++) records.push(await crm.addRecord());
    const recordOf = (n: number) => records[n % records.length]!;
    const calls: PlacedCall[] = [];
    const counts: KillFigures['kills'] = {};
    const killNext = (n: number) => {
      const group = groups[n % groups.length]!;
      const kill = group[randomInt(group.length)]!;
      counts[kill] = (counts[kill] ?? 0) + 1;
      return startKill(crm, relay, kill);
    };
    for (let n = 0; n < kills && !isEnough(); n++) {
      const { met, over } = killNext(n);
      const call = await relay.place(recordOf(n));
      await relay.end(call);
      await relay.wrapUp(call);
      // An earlier entry of the same record may be sent first. Then the kill meets that entry.
      await met;
      calls.push(n % moveEvery === 0 ? await relay.move(call, recordOf(n + 1)) : call);
      await over;
    }
    const givenUp = await settleAll(relay);
    // These entries are written. So the kill meets the amendment, or the entry on the other record.
    for (let n = 2; n < calls.length && !isEnough(); n += moveEvery) {
      const { over } = killNext(n);
      calls[n] = await relay.move(calls[n]!, recordOf(n + 1));
      await over;
    }
    for (const id of await settleAll(relay)) givenUp.add(id);
    return {
      ...{ calls: calls.length, kills: counts, moved: calls.filter(({ left }) => left).length },
      ...(await countEntries(crm, records, calls)),
      givenUp: [...givenUp],
    };
  } finally {
    await relay.stop();
  }
}

interface StartedKill {
  /** Resolves once the request that creates an entry is at the proxy. */
  met: Promise<void>;
  /** Resolves once what was killed runs again. */
  over: Promise<void>;
}

/** The next creation of an entry meets the kill. */
function startKill(crm: RealCrm, { proxy, process: relay }: LoggingRelay, kill: Kill): StartedKill {
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
  let meet: () => void;
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const over = new Promise<void>((resolve, reject) => {
    proxy.failNext((...request) => {
      meet();
      return fault(...request).then(resolve, reject);
    });
  });
  return { met, over };
}

/**
 * Waits until all entries are in the CRM or given up. None is given up rightly: the records stay there, and a CRM that
 * was killed only delays an entry. Such an entry is counted before a move or a retry could hide it.
 * @returns the calls of those given up.
 */
async function settleAll({ process: relay }: LoggingRelay): Promise<Set<string>> {
  const givenUp = new Set<string>();
  const isSettled = async () => {
    // Each list starts a process, which must not keep the machine busy.
    await pause(listEveryMs);
    const list = await relay.print('log', 'list');
    const rows = list.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
    const waiting = rows.filter(([, state]) => state !== 'needsAgent' && state !== 'dead');
    for (const row of rows) if (!waiting.includes(row)) givenUp.add(row[0]!);
    // After many kills the next attempt is far away. So it is made now.
    for (const [id, , due] of waiting)
      if (Date.parse(due!) > Date.now() + farMs) await relay.run('log', 'retry', id!);
    return waiting.length === 0;
  };
  await until(isSettled, 'all entries', settleTimeoutMs).catch(async (error: Error) => {
    throw new Error(`${error.message}; these wait:\n${await relay.print('log', 'list')}`);
  });
  for (const [, id] of relay.output().matchAll(askedAgent)) givenUp.add(id!);
  return givenUp;
}
