/** Measures the log of calls at real CRMs: entries that kills lose or double, latency, and a backlog that drains. */
import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { Cleanup } from '../../testing/cleanup.ts';
import { drainBacklog } from '../../testing/crm/log-backlog.ts';
import { killWhileLogging } from '../../testing/crm/log-kills.ts';
import type { RealCrm } from '../../testing/crm/real-crm.ts';
import { startOdoo } from '../../testing/crm/real-odoo.ts';
import { startRedmine } from '../../testing/crm/real-redmine.ts';
import { startRt } from '../../testing/crm/real-rt.ts';
import { startTryton } from '../../testing/crm/real-tryton.ts';
import { formatTable } from '../table.ts';
import { measureLatency } from './measure-latency.ts';

const systems: Readonly<Record<string, (cleanup: Cleanup) => Promise<RealCrm>>> = {
  rt: startRt,
  redmine: startRedmine,
  tryton: startTryton,
  odoo: startOdoo,
};

interface Options {
  json?: string;
  /** The number of kills. Each system gets an equal part of them. */
  kills?: string;
  /** How many entries wait for each system after it was away for three days. */
  backlog?: string;
  /** How many calls are timed from their end to their entry. */
  calls?: string;
  /** The names of systems, separated by commas. */
  systems?: string;
}

/** @throws Error if an entry was lost, written twice, put on another record or given up. */
export async function run({ json, kills, backlog, calls, systems: wanted }: Options): Promise<void> {
  const names = wanted?.split(',') ?? Object.keys(systems);
  const rows: string[][] = [];
  // Ctrl-C ends the kills of one system. The calls so far are counted.
  let isEnough = false;
  const onInterrupt = () => {
    isEnough = true;
  };
  process.on('SIGINT', onInterrupt);
  let wrong = 0;
  for (const name of names) {
    const start = systems[name];
    if (!start)
      throw new Error(`--systems: expected some of ${Object.keys(systems).join(', ')}, got ${name}`);
    const cleanup = new Cleanup();
    try {
      const crm = await start(cleanup);
      isEnough = false;
      const begin = Date.now();
      const killed = kills
        ? await killWhileLogging(crm, Math.ceil(Number(kills) / names.length), () => isEnough)
        : undefined;
      const minutes = (Date.now() - begin) / 60_000;
      const latency = calls ? await measureLatency(crm, Number(calls)) : undefined;
      const drained = backlog ? await drainBacklog(crm, Number(backlog)) : undefined;
      const figures = { bench: 'log', name, load: loadavg()[0], minutes, killed, latency, drained };
      if (json) appendFileSync(json, `${JSON.stringify(figures)}\n`);
      const wrongLists = killed ? [killed.lost, killed.twice, killed.elsewhere, killed.givenUp] : [];
      for (const ids of wrongLists) wrong += ids.length;
      if (drained) wrong += drained.lost + drained.twice + drained.elsewhere;
      rows.push([
        name,
        ...(killed
          ? [killed.calls, killed.moved, ...wrongLists.map(({ length }) => length)].map(String)
          : Array.from({ length: 6 }, () => '–')),
        latency ? `${Math.round(latency.p50)} / ${Math.round(latency.p99)}` : '–',
        drained ? `${drained.entries} in ${drained.seconds.toFixed(0)} s` : '–',
        drained ? `${drained.lost}, ${drained.twice}` : '–',
        loadavg()[0]!.toFixed(1),
      ]);
    } finally {
      await cleanup.run();
    }
  }
  process.off('SIGINT', onInterrupt);
  const heads = [
    'calls killed',
    'moved',
    'lost',
    'twice',
    'elsewhere',
    'given up',
    'end to entry p50 / p99 ms',
    'drained',
    'lost, twice',
    'load',
  ];
  process.stdout.write(`\nCalls logged at real CRMs.\n\n${formatTable([['', ...heads], ...rows])}\n`);
  if (wrong > 0) throw new Error(`${wrong} entries were lost, doubled, put on another record or given up`);
}
