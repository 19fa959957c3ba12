/**
 * Measures the relay beside nchan, from a notification to its event. nchan in memory loses its messages in a crash. On
 * a Redis that syncs every write it guarantees what the relay does. So each store is a target.
 */
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { median, sum } from '../statistics.ts';
import { formatTable } from '../table.ts';
import { measureLatency, measureMemory, measureStorm } from './measure.ts';
import { durabilities, startNchan, startRelayTarget, type Target } from './target.ts';

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const channels = names('c', 1000);
const many = names('m', 8000);
const storms = 3;
const missedEvents = 3;

/** Starts a target with these channels. @returns undefined where it is not installed. */
type Start = (channels: readonly string[]) => Promise<Target | undefined>;
type Measured = NonNullable<Awaited<ReturnType<typeof measureTarget>>>;

const contenders: readonly Start[] = [
  () => startNchan(false),
  () => startNchan(true),
  (wanted) => startRelayTarget('memory', wanted),
  (wanted) => startRelayTarget('SQLite', wanted),
  (wanted) => startRelayTarget('Redis', wanted),
];

async function withTarget<T>(start: Start, wanted: readonly string[], work: (target: Target) => Promise<T>) {
  const target = await start(wanted);
  return target && work(target).finally(() => target.stop());
}

async function measureTarget(start: Start) {
  const load = { connections: 1, channels };
  const main = await withTarget(start, channels, async (target) => {
    process.stderr.write(`${target.name}: 200/s …`);
    const single = await measureLatency(target, channels, {
      ...load,
      messages: 2000,
      warmUp: 1000,
      rate: 200,
    });
    process.stderr.write(' storm …');
    const stormResults = [];
    for (let n = 0; n < storms; n++) stormResults.push(await measureStorm(target, channels, missedEvents));
    return { target: target.name, durability: target.durability, single, stormResults };
  });
  if (!main) return undefined;
  process.stderr.write(' 20,000/s …');
  const flood = { ...load, connections: 64, messages: 40_000, warmUp: 4000, rate: 20_000 };
  const offered = await withTarget(start, channels, (target) => measureLatency(target, channels, flood));
  process.stderr.write(' 8,000 streams …');
  const kibPerStream = await withTarget(start, many, (target) =>
    // nchan refuses streams while its Redis is late.
    measureMemory(target, many).catch((error: Error) => {
      process.stderr.write(` refused (${error.message.split('\r\n')[0]}) …`);
      return undefined;
    }),
  );
  process.stderr.write(' done\n');
  const { stormResults, ...rest } = main;
  return {
    ...rest,
    offered: offered!,
    stormMs: median(stormResults.map(({ all }) => all)),
    stormLost: sum(stormResults.map(({ lost }) => lost)),
    stormWrong: sum(stormResults.map(({ wrong }) => wrong)),
    kibPerStream,
  };
}

/** @param args.json a file that gets one JSON line per target. */
export async function run(args: { json?: string } = {}): Promise<void> {
  const measured: Measured[] = [];
  for (const start of contenders) {
    const result = await measureTarget(start);
    if (!result) {
      process.stderr.write(
        'nchan is not installed (Debian: apt-get install nginx-light libnginx-mod-nchan); measuring without it\n',
      );
      continue;
    }
    measured.push(result);
    if (args.json)
      appendFileSync(args.json, `${JSON.stringify({ bench: 'relay', node: process.version, ...result })}\n`);
  }
  print(measured);
}

function print(measured: readonly Measured[]): void {
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1);
  const line = (name: string, cell: (result: Measured) => string) => [name, ...measured.map(cell)];
  const lines = [
    line('', ({ target }) => target),
    line('a 2xx survives a crash', ({ durability }) => durabilities[durability]),
    line('200/s, 1,000 streams: p50 / p99 ms', ({ single }) => `${ms(single.p50)} / ${ms(single.p99)}`),
    line('… acknowledged p50 ms', ({ single }) => ms(single.acknowledgedP50)),
    line('20,000/s offered: done per second', ({ offered }) => Math.round(offered.perSecond).toString()),
    line('… lost, refused', ({ offered }) => `${offered.lost}, ${offered.refused}`),
    line('storm of 1,000 x 3: complete after ms', ({ stormMs }) => ms(stormMs)),
    line('… lost, repeated or out of order', (result) => `${result.stormLost}, ${result.stormWrong}`),
    line('KiB RSS per idle stream at 8,000', ({ kibPerStream }) => kibPerStream?.toFixed(1) ?? '–'),
  ];
  process.stdout.write(
    `\nThe relay beside nchan (Node ${process.version}, ${cpus().length} cores, loopback). ` +
      `nchan alone is not durable.\n\n${formatTable(lines)}\n`,
  );
}
