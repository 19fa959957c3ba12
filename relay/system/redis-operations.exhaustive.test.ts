/** docs/operators.md: backup and restore of Redis, and the upgrade of two relays on it. */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startChild } from '../../testing/child.ts';
import { type RelayProcess, startRelayProcess } from '../../testing/relay/relay-process.ts';
import { announce, ask, hangup } from '../../testing/relay/test-relay.ts';
import { startRedis } from '../../testing/servers/redis-server.ts';
import { until } from '../../testing/until.ts';

const SECRET = 'one secret that both relays share';
/** The test calls more often than agents do. */
const limits = {
  MAX_CALLS_PER_MINUTE: '100000',
  MAX_CALLS_PER_DESTINATION_PER_MINUTE: '100000',
  MAX_CALLS_PER_DAY: '1000000',
};
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startAll() {
  const redis = await startRedis(true);
  closing.push(redis.stop);
  const startOne = async (): Promise<RelayProcess> => {
    const relay = await startRelayProcess({ STORE: redis.url, SECRET, ...limits });
    closing.push(() => relay.stop());
    return relay;
  };
  const relays = [await startOne(), await startOne()] as const;
  const agent = await relays[0].print('key', 'add', '--from', '1105', '--client-calls');
  const redisCommand = async (...words: string[]) => {
    const child = startChild(['redis-cli', '-u', redis.url, ...words]);
    expect(await child.exited).toBe(0);
    return child.stdout();
  };
  return { redis, relays, startOne, agent, redisCommand };
}
const isReady = async ({ url }: RelayProcess) =>
  (await ask(url, '/readyz').catch(() => undefined))?.status === 200;

it('relays go on with a copy of the append-only files put back under them', async () => {
  const { redis, relays, agent, redisCommand } = await startAll();
  const [first, second] = relays;
  const kept = await announce(first.url, agent);
  const files = path.join(redis.folder, 'appendonlydir');
  const copy = path.join(redis.folder, 'copy');
  await redisCommand('CONFIG', 'SET', 'auto-aof-rewrite-percentage', '0');
  expect(await redisCommand('INFO', 'persistence')).toContain('aof_rewrite_in_progress:0');
  await cp(files, copy, { recursive: true });
  await redisCommand('CONFIG', 'SET', 'auto-aof-rewrite-percentage', '100');
  const later = await announce(second.url, agent);
  const { cursor } = (await events(first, agent)).body;

  await redis.kill();
  await rm(files, { recursive: true });
  await cp(copy, files, { recursive: true });
  await redis.restart();
  for (const relay of relays) await until(() => isReady(relay), 'the relay on the older store');
  for (const relay of relays) {
    const statusOf = async (id: string) => (await ask(relay.url, `/v1/calls/${id}`, { as: agent })).status;
    expect([await statusOf(kept.call.id), await statusOf(later.call.id)]).toEqual([200, 404]);
    expect((await events(relay, agent, cursor)).body.reset).toBe(true);
  }
  expect((await ask(first.url, new URL(kept.returnUrl).pathname, { body: hangup() })).status).toBe(200);
});

const events = ({ url }: RelayProcess, as: string, since = '') =>
  ask(url, `/v1/events?since=${since}`, { as, headers: { accept: 'application/json' } });

it('two relays are upgraded in turn, while every notification finds one of them', async () => {
  const { relays, startOne, agent } = await startAll();
  let serving: RelayProcess[] = [...relays];
  const throughProxy = <T>(work: (relay: RelayProcess) => Promise<T>) => firstOf(() => serving, work);
  const unanswered: string[] = [];
  let isUpgrading = true;
  const provider = (async () => {
    while (isUpgrading) {
      const placed = await throughProxy(({ url }) => announce(url, agent));
      const { pathname } = new URL(placed.returnUrl);
      const answer = await throughProxy(({ url }) => ask(url, pathname, { body: hangup() }));
      if (answer.status !== 200) unanswered.push(placed.call.id);
    }
  })();
  for (const old of relays) {
    serving = serving.filter((relay) => relay !== old);
    await old.stop('SIGTERM');
    const upgraded = await startOne();
    await until(() => isReady(upgraded), 'the upgraded relay');
    serving = [...serving, upgraded];
  }
  isUpgrading = false;
  await provider;
  expect(unanswered).toEqual([]);
});

/** As a proxy does: the next of the relays that are serving by then, where one is away. */
async function firstOf<T>(serving: () => readonly RelayProcess[], work: (relay: RelayProcess) => Promise<T>) {
  const failures = new Map<RelayProcess, unknown>();
  for (;;) {
    const relay = serving().find((candidate) => !failures.has(candidate));
    if (!relay) throw new Error('no relay answers', { cause: [...failures.values()] });
    try {
      return await work(relay);
    } catch (error) {
      failures.set(relay, error);
    }
  }
}
