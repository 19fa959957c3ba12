/**
 * The relay beside nchan: notification in, event out. nchan keeps messages in memory and guarantees nothing after a crash; the
 * relay on SQLite or Redis replies once they are on disk. So each store is a target of its own.
 */
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { median, sum } from '../statistics.ts';
import { formatTable } from '../table.ts';
import { type LatencyResult, measureLatency, measureMemory, measureStorm } from './measure.ts';
import { startNchan, startRelayTarget, type Target } from './target.ts';

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

type Row = NonNullable<Awaited<ReturnType<typeof measure>>>;

const repetitions = 3;

async function measure(start: (channels: readonly string[]) => Promise<Target | undefined>) {
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
    return { target, single, broadcast, storms };
  });
  if (!main) return undefined;
  const offered = await withTarget(channels, (target) => {
    process.stderr.write(' 20,000/s …');
    const flood = { messages: 40_000, warmUp: 4000, rate: 20_000, connections: 64, channels };
    return measureLatency(target, channels, flood);
  });
  const kibPerStream = await withTarget(many, (target) => {
    process.stderr.write(' 8,000 streams …');
    return measureMemory(target, many);
  });
  process.stderr.write(' done\n');
  return {
    target: main.target.name,
    durable: main.target.durable,
    single: main.single,
    broadcast: main.broadcast,
    offered: offered!,
    stormMs: median(main.storms.map(({ all }) => all)),
    stormLost: sum(main.storms.map(({ lost }) => lost)),
    stormWrong: sum(main.storms.map(({ wrong }) => wrong)),
    kibPerStream: kibPerStream!,
  };
}

const targetNames = ['nchan', 'memory', 'SQLite', 'Redis'] as const;

/** @param args.json a file that gets one JSON line per row. @param args.only names of targets, all where absent. */
export async function run(args: { json?: string; only?: readonly string[] } = {}): Promise<void> {
  const rows: Row[] = [];
  for (const name of targetNames.filter((each) => args.only?.includes(each) ?? true)) {
    const row = await measure((channels) =>
      name === 'nchan' ? startNchan() : startRelayTarget(name, channels),
    );
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
  print(rows);
}

function print(rows: readonly Row[]): void {
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1);
  const pair = ({ p50, p99 }: LatencyResult) => `${ms(p50)} / ${ms(p99)}`;
  const lines = [
    ['', ...rows.map(({ target }) => target)],
    ['a 2xx survives a crash', ...rows.map(({ durable }) => durable)],
    ['200/s, 1,000 streams: p50 / p99 ms', ...rows.map(({ single }) => pair(single))],
    ['… acknowledged p50 ms', ...rows.map(({ single }) => ms(single.acknowledgedP50))],
    ['broadcast 1 -> 1,000: p50 / p99 ms', ...rows.map(({ broadcast }) => pair(broadcast))],
    [
      '20,000/s offered: done per second',
      ...rows.map(({ offered }) => Math.round(offered.perSecond).toString()),
    ],
    [
      '… CPU µs each: target / client',
      ...rows.map(({ offered: { cpu } }) => `${cpu.target.toFixed(0)} / ${cpu.client.toFixed(0)}`),
    ],
    ['… lost, refused', ...rows.map(({ offered }) => `${offered.lost}, ${offered.refused}`)],
    ['storm of 1,000 x 3: complete after ms', ...rows.map(({ stormMs }) => ms(stormMs))],
    ['… lost, repeated or out of order', ...rows.map((row) => `${row.stormLost}, ${row.stormWrong}`)],
    ['KiB RSS per idle stream at 8,000', ...rows.map(({ kibPerStream }) => kibPerStream.toFixed(1))],
  ];
  process.stdout.write(
    `\nThe relay beside nchan (Node ${process.version}, ${cpus().length} cores, loopback). nchan is not durable.\n\n${formatTable(lines)}\n`,
  );
}
