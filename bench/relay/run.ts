/**
 * The relay beside nchan: notification in, event out. nchan keeps messages in memory and guarantees nothing after a crash; the
 * relay on SQLite or Redis replies once they are on disk. So each store is a target of its own.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { cpus } from 'node:os';
import { median, quantile, sum } from '../statistics.ts';
import { formatTable } from '../table.ts';
import { nanoseconds, publish, subscribe } from './load.ts';
import { startNchan, startRelayTarget, type Target } from './target.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

const quantileMs = (nanoseconds: readonly number[], share: number) => quantile(nanoseconds, share) / 1e6;

async function openAll(
  target: Target,
  channels: readonly string[],
  onMessage: (subscriber: number, n: number, due: number, at: number, id: string) => void,
  cursors?: readonly string[],
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let start = 0; start < channels.length; start += 200)
    sockets.push(
      ...(await Promise.all(
        channels
          .slice(start, start + 200)
          .map((channel, index) =>
            subscribe(
              target,
              channel,
              (n, due, at, id) => onMessage(start + index, n, due, at, id),
              cursors?.[start + index],
            ),
          ),
      )),
    );
  return sockets;
}

/** Waits until nothing is missing, at most for the timeout. */
async function settle(missing: () => number, timeoutMs = 10_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; missing() > 0 && Date.now() < end; ) await pause(10);
}

interface LatencyResult {
  p50: number;
  p99: number;
  acknowledgedP50: number;
  perSecond: number;
  lost: number;
  refused: number;
  /** Microseconds of CPU per message: the target's, and this client's, which shares the cores with it. */
  cpu: { target: number; client: number };
}

/** Sends `messages` over the channels in turn, after a warm-up of the same kind. */
async function measureLatency(
  target: Target,
  subscribers: readonly string[],
  options: {
    messages: number;
    warmUp: number;
    rate: number;
    connections: number;
    channels: readonly string[];
  },
): Promise<LatencyResult> {
  const { messages, warmUp, rate, connections, channels } = options;
  const plan = Array.from({ length: warmUp + messages }, (_, n) => channels[(n * 7919) % channels.length]!);
  await target.prepare(plan);
  const latencies: number[] = [];
  const seen = new Set<number>();
  const perMessage = subscribers.length / channels.length;
  let last = 0;
  const sockets = await openAll(target, subscribers, (subscriber, n, due, at) => {
    if (n < warmUp) return;
    const key = n * subscribers.length + subscriber;
    if (seen.has(key)) return;
    seen.add(key);
    latencies.push(at - due);
    last = at;
  });
  const all = plan.map((channel, n) => ({ n, channel }));
  await publish(target, all.slice(0, warmUp), Math.min(rate, 2000), connections);
  await pause(500);
  const start = nanoseconds();
  const cpuBefore = cpuOf(target);
  const published = await publish(target, all.slice(warmUp), rate, connections);
  const expected = messages * perMessage;
  await settle(() => expected - seen.size);
  const cpuAfter = cpuOf(target);
  for (const socket of sockets) socket.destroy();
  await pause(200);
  return {
    p50: quantileMs(latencies, 0.5),
    p99: quantileMs(latencies, 0.99),
    acknowledgedP50: quantileMs(published.acknowledged, 0.5),
    perSecond: messages / ((last - start) / 1e9),
    lost: expected - seen.size,
    refused: published.refused,
    cpu: {
      target: (cpuAfter.target - cpuBefore.target) / messages,
      client: (cpuAfter.client - cpuBefore.client) / messages,
    },
  };
}

/** Microseconds of CPU so far. */
function cpuOf(target: Target): LatencyResult['cpu'] {
  const { user, system } = process.cpuUsage();
  return { target: sum(target.pids.map(cpuMicroseconds)), client: user + system };
}

/** All subscribers disconnect, miss some events, and reconnect at once with a cursor. */
async function measureStorm(target: Target, channels: readonly string[], missed: number) {
  const later = Array.from({ length: missed }, () => channels).flat();
  await target.prepare([...channels, ...later]);
  const cursors: string[] = [];
  let got = 0;
  const before = await openAll(target, channels, (subscriber, n, _due, _at, id) => {
    if (n >= channels.length) return;
    cursors[subscriber] = id;
    got += 1;
  });
  const plan = [...channels, ...later].map((channel, n) => ({ n, channel }));
  await publish(target, plan.slice(0, channels.length), 4000, 8);
  await settle(() => channels.length - got);
  for (const socket of before) socket.destroy();
  await pause(300);
  await publish(target, plan.slice(channels.length), 4000, 8);
  await pause(300);

  const seen = channels.map(() => [] as number[]);
  let replayed = 0;
  let wrong = 0;
  let doneAt = 0;
  const start = nanoseconds();
  const again = await Promise.all(
    channels.map((channel, subscriber) =>
      subscribe(
        target,
        channel,
        (n, _due, at) => {
          const mine = seen[subscriber]!;
          if (n < channels.length || (mine.length > 0 && n <= mine.at(-1)!)) wrong += 1;
          mine.push(n);
          replayed += 1;
          doneAt = at;
        },
        cursors[subscriber],
      ),
    ),
  );
  await settle(() => channels.length * missed - replayed);
  for (const socket of again) socket.destroy();
  await pause(200);
  return { all: (doneAt - start) / 1e6, lost: channels.length * missed - replayed, wrong };
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** KiB of the process and its children. */
function residentKibibytes(pid: number): number {
  const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  return own + sum(childrenOf(pid).map(residentKibibytes));
}

/** CPU time of all threads of the process and its children; the kernel counts in ticks of 10 ms. */
function cpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
  // utime and stime, proc(5)
  return (Number(fields[11]) + Number(fields[12])) * 10_000 + sum(childrenOf(pid).map(cpuMicroseconds));
}

async function measureMemory(target: Target, channels: readonly string[]): Promise<number> {
  // The first streams pay for what all share.
  const warm = await openAll(target, channels.slice(0, 500), () => {});
  await pause(1000);
  const before = residentKibibytes(target.pid);
  const sockets = await openAll(target, channels.slice(500), () => {});
  await pause(3000);
  const after = residentKibibytes(target.pid);
  for (const socket of [...warm, ...sockets]) socket.destroy();
  await pause(500);
  return (after - before) / (channels.length - 500);
}

interface Row {
  target: string;
  durable: string;
  single: LatencyResult;
  broadcast: LatencyResult;
  offered: LatencyResult;
  stormMs: number;
  stormLost: number;
  stormWrong: number;
  kibPerStream: number;
}

const repetitions = 3;

async function measure(
  start: (channels: readonly string[]) => Promise<Target | undefined>,
): Promise<Row | undefined> {
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
    const single = await measureLatency(target, channels, {
      messages: 2000,
      warmUp: 1000,
      rate: 200,
      connections: 1,
      channels,
    });
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
    return measureLatency(target, channels, {
      messages: 40_000,
      warmUp: 4000,
      rate: 20_000,
      connections: 64,
      channels,
    });
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
