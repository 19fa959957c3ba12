/**
 * The relay beside nchan: notification in, event out. In memory nchan guarantees nothing after a crash; on a Redis that syncs every
 * write it is the relay's peer, whose replies come once a notification is on disk. So each store is a target of its own.
 */
import { appendFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../testing/child.ts';
import { buildStale } from '../../tools/build.ts';
import { median, sum } from '../statistics.ts';
import { formatTable } from '../table.ts';
import {
  type LatencyResult,
  measureDisk,
  measureLatency,
  measureMemory,
  measureStart,
  measureStorm,
} from './measure.ts';
import {
  type Durability,
  durabilities,
  type FreshServer,
  startFreshNchan,
  startFreshRelay,
  startNchan,
  startRelayTarget,
  type Target,
} from './target.ts';

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

type Row = NonNullable<Awaited<ReturnType<typeof measure>>>;

const repetitions = 3;

interface Contender {
  start(channels: readonly string[]): Promise<Target | undefined>;
  startFresh(): Promise<FreshServer | undefined>;
}

async function measure({ start, startFresh }: Contender) {
  const channels = names('c', 1000);
  const many = names('m', 8000);
  const withTarget = async <T>(wanted: readonly string[], work: (target: Target) => Promise<T>) => {
    const target = await start(wanted);
    if (!target) return undefined;
    try {
      return await work(target);
    } finally {
      await target.stop();
    }
  };
  const main = await withTarget([...channels, 'all'], async (target) => {
    process.stderr.write(`${target.name}: 200/s …`);
    // The disk beside each target, since a shared one is not equally fast from minute to minute.
    const disk = target.durability === 'memory' ? undefined : await inFolder(measureDiskIn);
    const steady = { messages: 2000, warmUp: 1000, rate: 200, connections: 1, channels };
    const single = await measureLatency(target, channels, steady);
    process.stderr.write(' broadcast …');
    const broadcast = await measureLatency(
      target,
      channels.map(() => 'all'),
      { messages: 60, warmUp: 20, rate: 10, connections: 1, channels: ['all'] },
    );
    process.stderr.write(' storm …');
    const storms = [];
    for (let n = 0; n < repetitions; n++) storms.push(await measureStorm(target, channels, 3));
    return { target, disk, single, broadcast, storms };
  });
  if (!main) return undefined;
  const offered = await withTarget(channels, (target) => {
    process.stderr.write(' 20,000/s …');
    const flood = { messages: 40_000, warmUp: 4000, rate: 20_000, connections: 64, channels };
    return measureLatency(target, channels, flood);
  });
  const kibPerStream = await withTarget(many, (target) => {
    process.stderr.write(' 8,000 streams …');
    // nchan refuses streams while its Redis is late.
    return measureMemory(target, many).catch((error: Error) => {
      process.stderr.write(` refused (${error.message.split('\r\n')[0]}) …`);
      return undefined;
    });
  });
  const starts = [];
  for (let n = 0; n < repetitions; n++) starts.push((await measureStart(startFresh))!);
  process.stderr.write(' done\n');
  return {
    target: main.target.name,
    durability: main.target.durability,
    disk: main.disk,
    single: main.single,
    broadcast: main.broadcast,
    offered: offered!,
    stormMs: median(main.storms.map(({ all }) => all)),
    stormLost: sum(main.storms.map(({ lost }) => lost)),
    stormWrong: sum(main.storms.map(({ wrong }) => wrong)),
    kibPerStream,
    startMs: median(starts.map(({ startMs }) => startMs)),
    idleMib: median(starts.map(({ idleKib }) => idleKib)) / 1024,
  };
}

const measureDiskIn = (folder: string) => measureDisk(join(folder, 'log'), { messages: 1000, rate: 200 });

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'dialmark-disk-'));
  return work(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

const nchan = (durable: boolean): Contender => ({
  start: () => startNchan(durable),
  startFresh: () => startFreshNchan(durable),
});
const relay = (store: Durability): Contender => ({
  start: (channels) => startRelayTarget(store, channels),
  startFresh: () => startFreshRelay(store),
});

const contenders: Record<string, Contender> = {
  nchan: nchan(false),
  'nchan + Redis': nchan(true),
  memory: relay('memory'),
  SQLite: relay('SQLite'),
  Redis: relay('Redis'),
};

/** @param args.json a file that gets one JSON line per row. @param args.only names of targets, all where absent. */
export async function run(args: { json?: string; only?: readonly string[] } = {}): Promise<void> {
  await buildStale(['relay']);
  const rows: Row[] = [];
  for (const [name, contender] of Object.entries(contenders)) {
    if (args.only && !args.only.includes(name)) continue;
    const row = await measure(contender);
    if (!row) {
      process.stderr.write(
        'nchan is not installed (Debian: apt-get install nginx-light libnginx-mod-nchan); measuring without it\n',
      );
      continue;
    }
    rows.push(row);
    if (args.json)
      appendFileSync(args.json, `${JSON.stringify({ bench: 'relay', node: process.version, ...row })}\n`);
  }
  print(rows, await bundleKib());
}

/** What `npm run build -- relay` makes; the packages of node_modules are not in it. */
async function bundleKib(): Promise<number> {
  const folder = join(root, 'dist/relay');
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  return sum(await Promise.all(scripts.map(async (name) => (await stat(join(folder, name))).size))) / 1024;
}

function print(rows: readonly Row[], bundle: number): void {
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1);
  const pair = ({ p50, p99 }: Pick<LatencyResult, 'p50' | 'p99'>) => `${ms(p50)} / ${ms(p99)}`;
  const processor = ({ cpu }: LatencyResult) => `${cpu.target.toFixed(0)} / ${cpu.client.toFixed(0)}`;
  const lines = [
    ['', ...rows.map(({ target }) => target)],
    ['a 2xx survives a crash', ...rows.map(({ durability }) => durabilities[durability])],
    ['200/s, 1,000 streams: p50 / p99 ms', ...rows.map(({ single }) => pair(single))],
    ['… an append and fdatasync alone', ...rows.map(({ disk }) => (disk ? pair(disk) : '–'))],
    ['… acknowledged p50 ms', ...rows.map(({ single }) => ms(single.acknowledgedP50))],
    ['… CPU µs each: target / client', ...rows.map(({ single }) => processor(single))],
    ['broadcast 1 -> 1,000: p50 / p99 ms', ...rows.map(({ broadcast }) => pair(broadcast))],
    [
      '20,000/s offered: done per second',
      ...rows.map(({ offered }) => Math.round(offered.perSecond).toString()),
    ],
    ['… CPU µs each: target / client', ...rows.map(({ offered }) => processor(offered))],
    ['… lost, refused', ...rows.map(({ offered }) => `${offered.lost}, ${offered.refused}`)],
    ['storm of 1,000 x 3: complete after ms', ...rows.map(({ stormMs }) => ms(stormMs))],
    ['… lost, repeated or out of order', ...rows.map((row) => `${row.stormLost}, ${row.stormWrong}`)],
    ['KiB RSS per idle stream at 8,000', ...rows.map(({ kibPerStream }) => kibPerStream?.toFixed(1) ?? '–')],
    ['start to first answer ms (to 50)', ...rows.map(({ startMs }) => startMs.toFixed(0))],
    ['MiB RSS when idle', ...rows.map(({ idleMib }) => idleMib.toFixed(0))],
  ];
  process.stdout.write(
    `\nThe relay beside nchan (Node ${process.version}, ${cpus().length} cores, loopback). nchan alone is not durable.\n\n${formatTable(lines)}\n\nThe relay's bundle, packages apart: ${bundle.toFixed(0)} KiB.\n`,
  );
}
