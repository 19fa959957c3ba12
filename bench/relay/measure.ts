/** Latency, replay after a disconnect, and memory of a target. */
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { processTree, residentKibibytes } from '../process-tree.ts';
import { quantile } from '../statistics.ts';
import { nanoseconds, publish, subscribe } from './load.ts';
import type { Target } from './target.ts';

const quantileMs = (nanoseconds: readonly number[], share: number) => quantile(nanoseconds, share) / 1e6;

async function openAll(
  target: Target,
  channels: readonly string[],
  onMessage: (subscriber: number, n: number, due: number, at: number, id: string) => void,
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let start = 0; start < channels.length; start += 200) {
    const opening = channels
      .slice(start, start + 200)
      .map((channel, index) => subscribe(target, channel, (...of) => onMessage(start + index, ...of)));
    sockets.push(...(await Promise.all(opening)));
  }
  return sockets;
}

/** Waits until every message has come, but not longer than ten seconds. */
async function settle(missing: () => number): Promise<void> {
  for (const end = Date.now() + 10_000; missing() > 0 && Date.now() < end; ) await pause(10);
}

interface LatencyResult {
  p50: number;
  p99: number;
  acknowledgedP50: number;
  perSecond: number;
  lost: number;
  refused: number;
}

/** Sends `messages` over the channels in turn, after a warm-up of the same kind. */
export async function measureLatency(
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
  const published = await publish(target, all.slice(warmUp), rate, connections);
  const expected = messages * perMessage;
  await settle(() => expected - seen.size);
  for (const socket of sockets) socket.destroy();
  await pause(200);
  return {
    p50: quantileMs(latencies, 0.5),
    p99: quantileMs(latencies, 0.99),
    acknowledgedP50: quantileMs(published.acknowledged, 0.5),
    perSecond: messages / ((last - start) / 1e9),
    lost: expected - seen.size,
    refused: published.refused,
  };
}

/** All subscribers disconnect, miss some events, and reconnect at once with a cursor. */
export async function measureStorm(target: Target, channels: readonly string[], missed: number) {
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

const residentOf = ({ pids }: Target) => residentKibibytes(pids.flatMap(processTree));

export async function measureMemory(target: Target, channels: readonly string[]): Promise<number> {
  // The first streams also allocate memory that all streams share. So they do not count.
  const warm = await openAll(target, channels.slice(0, 500), () => {});
  await pause(1000);
  const before = residentOf(target);
  const sockets = await openAll(target, channels.slice(500), () => {});
  await pause(3000);
  const after = residentOf(target);
  for (const socket of [...warm, ...sockets]) socket.destroy();
  await pause(500);
  return (after - before) / (channels.length - 500);
}
