import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RelayProcess, runRelayCommand, startRelayProcess } from '../../testing/relay/relay-process.ts';
import {
  announce,
  ask,
  hangup,
  readEvents,
  startTestRelay,
  type TestRelay,
} from '../../testing/relay/test-relay.ts';
import { failDisk } from '../../testing/servers/failing-disk.ts';
import { type RedisServer, startRedis } from '../../testing/servers/redis-server.ts';
import { until } from '../../testing/until.ts';

const secret = 'one secret that both relays share';
let redis: RedisServer;
let relay: TestRelay;
let other: RelayProcess;
let agent: string;

beforeAll(async () => {
  redis = await startRedis(true);
  relay = await startTestRelay({ STORE: redis.url, SECRET: secret });
  other = await startRelayProcess({ STORE: redis.url, SECRET: secret });
  agent = await relay.agent('1105');
});
afterAll(async () => {
  await relay?.stop();
  await other?.stop();
  await redis.stop();
});

it('ends where Redis refuses what it needs behind its first steps', async () => {
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  await admin.sendCommand(['ACL', 'SETUSER', 'narrow', 'on', '>word', '~*', '&*', '+@all', '-hgetall']);
  admin.destroy();
  const environment = { STORE: redis.url.replace('//', '//narrow:word@'), SECRET: secret };
  expect(await runRelayCommand([], environment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no permissions to run the 'hgetall' command"),
  });
});

/** The provider may reach either relay behind one public address. */
const notify = (base: string, returnUrl: string) =>
  ask(base, new URL(returnUrl).pathname, { body: hangup() });
const emptyRedis = async () => {
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  await admin.sendCommand(['FLUSHALL']);
  admin.destroy();
};
const untilAnswered = async (base: string) => {
  while ((await ask(base, '/readyz').catch(() => undefined))?.status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('two relays on one Redis', () => {
  it('push to an agent at one a notification that arrives at the other', async () => {
    const reader = await readEvents(relay.url, agent);
    const { call, returnUrl } = await announce(relay.url, agent);
    expect((await notify(other.url, returnUrl)).status).toBe(200);
    const frames = await reader.until(2);
    expect(frames.map((frame) => [frame.call.id, frame.call.state])).toEqual([
      [call.id, 'initiating'],
      [call.id, 'disconnected'],
    ]);
    reader.close();
  });

  it('let a reader continue at one after the other was killed', async () => {
    const reader = await readEvents(other.url, agent);
    const { call, returnUrl } = await announce(relay.url, agent);
    const [first] = await reader.until(1);
    await other.stop('SIGKILL');
    await reader.ended;
    await notify(relay.url, returnUrl);
    const again = await readEvents(relay.url, agent, { cursor: first!.id });
    expect((await again.until(1))[0]).toMatchObject({ call: { id: call.id, state: 'disconnected' } });
    again.close();
    other = await startRelayProcess({ STORE: redis.url, SECRET: secret });
  });

  it('answer 503 while Redis is away, losing nothing acknowledged when it is killed', async () => {
    const reader = await readEvents(relay.url, agent);
    const kept = await announce(relay.url, agent);
    const lost = await announce(relay.url, agent);
    await reader.until(2);
    expect((await notify(relay.url, kept.returnUrl)).status).toBe(200);
    await reader.until(3);
    await redis.kill();
    expect(await notify(relay.url, lost.returnUrl)).toMatchObject({
      status: 503,
      body: { code: 'storeUnavailable' },
    });
    expect((await ask(relay.url, '/readyz')).status).toBe(503);
    expect((await ask(relay.url, '/healthz')).status).toBe(200);
    await redis.restart();
    await untilAnswered(relay.url);
    await untilAnswered(other.url);
    // Sent again by the provider, to the other relay; the stream at this one is still open and gets it.
    expect((await notify(other.url, lost.returnUrl)).status).toBe(200);
    const ends = (await reader.until(4)).slice(2).map(({ call }) => [call.id, call.state]);
    expect(ends).toEqual([
      [kept.call.id, 'disconnected'],
      [lost.call.id, 'disconnected'],
    ]);
    reader.close();
  });

  it('acknowledge nothing that Redis could not sync to its disk', async () => {
    const reader = await readEvents(relay.url, agent);
    const { call, returnUrl } = await announce(relay.url, agent);
    await reader.until(1);
    const disk = await failDisk(redis.pid, { calls: ['fsync', 'fdatasync'], error: 'EIO' });
    expect(await notify(relay.url, returnUrl)).toMatchObject({
      status: 503,
      body: { code: 'storeUnavailable' },
    });
    // With `appendfsync always` Redis ends itself then.
    await disk.heal();
    await redis.restart();
    await untilAnswered(relay.url);
    await untilAnswered(other.url);
    expect((await notify(other.url, returnUrl)).status).toBe(200);
    expect((await ask(other.url, `/v1/calls/${call.id}`, { as: agent })).body.state).toBe('disconnected');
    reader.close();
  });

  it('are ready after a restart of Redis only once they take a notification again', async () => {
    for (let restarts = 0; restarts < 5; restarts++) {
      const { returnUrl } = await announce(relay.url, agent);
      await untilAnswered(other.url);
      await redis.restart();
      await untilAnswered(relay.url);
      await untilAnswered(other.url);
      expect((await notify(other.url, returnUrl)).status).toBe(200);
    }
  });

  it('reset every reader when Redis was emptied, but still know their keys', async () => {
    const { call } = await announce(relay.url, agent);
    const reader = await readEvents(relay.url, agent);
    const [frame] = await reader.until(1);
    expect(frame!.call.id).toBe(call.id);
    await emptyRedis();
    await reader.ended;
    const again = await readEvents(relay.url, agent, { cursor: frame!.id });
    expect((await again.until(1))[0]!.event).toBe('reset');
    const next = await announce(other.url, agent);
    expect((await again.until(2))[1]!.call.id).toBe(next.call.id);
    again.close();
  });

  it('reset a page that waits while Redis is emptied, so that no later event is lost', async () => {
    const page = (query: string) =>
      relay.ask(`/v1/events${query}`, { as: agent, headers: { accept: 'application/json' } });
    await announce(relay.url, agent);
    const { cursor } = (await page('')).body;
    const waiting = page(`?since=${cursor}&wait=5`);
    // Its listener is there as soon as the relay has answered something that came later.
    await relay.ask('/v1/calls', { as: agent });
    const { epoch } = relay.store;
    await emptyRedis();
    await until(() => relay.store.epoch !== epoch, 'the new epoch');
    const { call } = await announce(relay.url, agent);
    const answered = (await waiting).body;
    expect(answered.reset).toBe(true);
    const next = (await page(`?since=${answered.cursor}`)).body;
    const ids = [...answered.events, ...next.events].map((event: { call: { id: string } }) => event.call.id);
    expect(ids).toContain(call.id);
  });
});
