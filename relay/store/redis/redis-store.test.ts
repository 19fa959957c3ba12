import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { clientIntent } from '../../../testing/relay/client-intent.ts';
import { startRedis } from '../../../testing/servers/redis-server.ts';
import { until } from '../../../testing/until.ts';
import { makeApiKey } from '../../access/api-key.ts';
import type { Store, StoredEvent } from '../store.ts';
import { RedisClient } from './redis-client.ts';
import { RedisSession } from './redis-session.ts';
import { openRedisStore, redisStoreOn } from './redis-store.ts';

const redis = await startRedis();
afterAll(() => redis.stop());

const command = async (...words: string[]) => {
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  await admin.sendCommand(words);
  admin.destroy();
};
const empty = () => command('FLUSHALL');

it('gives no key of a call, not even the idempotency key, a time at which Redis drops it', async () => {
  const store = await openRedisStore(redis);
  await store.calls.place(clientIntent('ttl', { idempotencyKey: 'kept' }));
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  const keys = (await admin.sendCommand(['KEYS', '*'])) as unknown as string[];
  expect(keys.filter((key) => key.includes('idem'))).not.toEqual([]);
  for (const key of keys) expect([key, await admin.sendCommand(['PTTL', key])]).toEqual([key, -1]);
  admin.destroy();
  await store.close();
});

it('names its setting, then closes its connections, where Redis does not let it in', async () => {
  await command('ACL', 'SETUSER', 'reader', 'on', '>word', '~*', '&*', '+@read', '+@connection');
  const url = redis.url.replace('//', '//reader:word@');
  await expect(openRedisStore({ url })).rejects.toThrow(/^DIALMARK_STORE: expected a Redis at .*: NOPERM /);
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  const isGone = async () => !String(await admin.sendCommand(['CLIENT', 'LIST'])).includes('user=reader');
  await until(isGone, 'the end of the connections');
  admin.destroy();
});

it.each([
  [90_000, ['This machine’s clock is 90 s ahead of Redis’s']],
  [-8000, ['This machine’s clock is 8 s behind Redis’s']],
  [3000, []],
])('names a clock that is %i ms ahead of the one of Redis', async (ahead, named) => {
  const store = await openRedisStore(redis);
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + ahead);
  const doubts = (await store.listDoubts()).filter((doubt) => doubt.includes('clock'));
  clock.mockRestore();
  await store.close();
  expect(doubts).toEqual(named.map((text) => expect.stringContaining(text)));
});

it('reports the end of an outage', async () => {
  const own = await startRedis();
  let restored = 0;
  const store = await openRedisStore({ url: own.url, onRestored: () => (restored += 1) });
  await own.restart();
  await until(() => restored === 1, 'the report');
  await store.close();
  await own.stop();
});

it('reports an outage once for each connection, however often it tries to reconnect', async () => {
  const own = await startRedis();
  const errors: string[] = [];
  const store = await openRedisStore({ url: own.url, onError: ({ message }) => errors.push(message) });
  await own.kill();
  let tries = 0;
  const silent = createServer((socket) => {
    tries += 1;
    socket.destroy();
  }).listen(Number(new URL(own.url).port), '127.0.0.1');
  await until(() => tries >= 9, 'three more tries of each connection');
  await store.close();
  silent.close();
  await own.stop();
  const counts = [...new Set(errors)].map((error) => errors.filter((each) => each === error).length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
});

it('reads only calls of those who called a number, however large the team is', async () => {
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  const store = await openRedisStore(redis);
  const numbers = Array.from({ length: 50 }, (_, n) => `+5548332260${String(n).padStart(2, '0')}`);
  for (const key of numbers.slice(0, 2)) {
    const intent = clientIntent('m7', { callee: { key, numbers: [key], prefixes: [], countries: [] } });
    await store.calls.place(intent);
    const fact = { kind: 'hungUp', at: '', details: { talkSeconds: 5 } } as const;
    await store.calls.apply({ callId: intent.call.id, fact, now: Date.now() });
  }
  await admin.sendCommand(['CONFIG', 'RESETSTAT']);
  const team = Array.from({ length: 1000 }, (_, n) => `m${n}`);
  const talks = await store.rules.lastTalks(numbers, team);
  expect(talks.filter((call) => call?.from === 'm7')).toHaveLength(2);
  const stats = String(await admin.sendCommand(['INFO', 'commandstats']));
  expect(/cmdstat_zrange:calls=(\d+)/.exec(stats)?.[1]).toBe('2');
  await store.close();
  admin.destroy();
});

/** A proxy before the Redis that swallows, once silenced, all that its connections send. */
const startSilencer = async (redisUrl = () => redis.url) => {
  const open = new Set<Socket>();
  const silenced = new Set<Socket>();
  let onBytes = (_socket: Socket, _bytes: Buffer) => {};
  const proxy = createServer((socket) => {
    const server = connect(Number(new URL(redisUrl()).port), '127.0.0.1');
    socket.on('data', (bytes: Buffer) => onBytes(socket, bytes));
    for (const [one, other] of [
      [socket, server],
      [server, socket],
    ] as const)
      one
        .on('data', (bytes) => void (silenced.has(socket) || other.write(bytes)))
        .on('error', () => {})
        .on('close', () => other.destroy());
    open.add(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}/0`,
    /** In the order in which they came. */
    connections: () => [...open],
    silence: (socket: Socket) => void silenced.add(socket),
    /** Called for what comes from the relay, before Redis gets it. */
    onBytes: (listener: typeof onBytes) => {
      onBytes = listener;
    },
    stop: () => {
      for (const socket of open) socket.destroy();
      proxy.close();
    },
  };
};

it('gives up a connection that swallows all it is sent, as of a Redis that failed over', async () => {
  const errors: string[] = [];
  const silencer = await startSilencer();
  const store = await openRedisStore({
    url: silencer.url,
    answerTimeoutMs: 300,
    onError: ({ message }) => errors.push(message),
  });
  for (const socket of silencer.connections()) silencer.silence(socket);
  await expect(store.maintenance.check()).rejects.toThrow('Redis did not answer within 300 ms');
  expect(errors).toContain('Redis did not answer within 300 ms');
  const place = () => store.calls.place(clientIntent('swallowed')).catch(() => undefined);
  await until(async () => (await place())?.kind === 'placed', 'a call in the Redis that answers');
  await store.close();
  silencer.stop();
});

it('replaces a silent connection that only listens', async () => {
  const silencer = await startSilencer();
  const store = await openRedisStore({ url: silencer.url, answerTimeoutMs: 300 });
  const { createClient } = await import('redis');
  const admin = await createClient({ url: redis.url }).connect();
  const listening = async () => {
    const clients = String(await admin.sendCommand(['CLIENT', 'LIST', 'TYPE', 'pubsub'])).split('\n');
    return clients.map((each) => /^id=(\d+) .* sub=2 /.exec(each)?.[1]).filter((id) => id !== undefined);
  };
  const [first] = await listening();
  const listener = silencer.connections().at(-1)!;
  silencer.silence(listener);
  await until(async () => (await listening()).some((id) => id !== first), 'another connection that listens');
  await until(() => listener.destroyed, 'the end of the silent one');
  await store.close();
  silencer.stop();
  admin.destroy();
});

it('listens again where a new connection breaks before its subscription is answered', async () => {
  const silencer = await startSilencer();
  const client = new RedisClient({ url: silencer.url, answerTimeoutMs: 300, onError: () => {} });
  await client.connect();
  const heard: string[] = [];
  await client.subscribe('channel', (message) => heard.push(message));
  const before = silencer.connections().length;
  silencer.silence(silencer.connections().at(-1)!);
  let isBroken = false;
  silencer.onBytes((socket, bytes) => {
    if (isBroken || !/subscribe/i.test(String(bytes))) return;
    isBroken = true;
    socket.destroy();
  });
  await client.ask(['PING']).catch(() => {});
  await until(() => silencer.connections().length >= before + 2, 'the connection after that one');
  await until(async () => {
    await command('PUBLISH', 'channel', 'event');
    return heard.length > 0;
  }, 'an event');
  client.close();
  silencer.stop();
});

it('moves to the Redis that took over, once the old one is a replica', async () => {
  const { createClient } = await import('redis');
  const [old, next] = [await startRedis(), await startRedis()];
  const [atOld, atNext] = await Promise.all(
    [old, next].map(({ url }) => createClient({ url, RESP: 2 }).connect()),
  );
  const follow = (admin: typeof atOld, url: string) =>
    admin!.sendCommand(['REPLICAOF', '127.0.0.1', new URL(url).port]);
  let primary = old;
  const silencer = await startSilencer(() => primary.url);
  const session = await RedisSession.open({ url: silencer.url });
  const store = redisStoreOn(session);
  const events: StoredEvent[] = [];
  store.onEvents((each) => events.push(...each));
  const before = store.epoch;
  await store.calls.place(clientIntent('failover'));
  await follow(atNext, old.url);
  const isInStep = async () => String(await atNext!.sendCommand(['ROLE'])).includes('connected');
  await until(isInStep, 'the copy');
  await atNext!.sendCommand(['REPLICAOF', 'NO', 'ONE']);
  primary = next;
  await follow(atOld, next.url);
  const intent = clientIntent('failover');
  const place = () => store.calls.place(intent).catch(({ code }) => ({ kind: code }));
  expect(await place()).toEqual({ kind: 'READONLY' });
  await until(async () => (await place()).kind !== 'READONLY', 'a write', 10000);
  await until(() => events.some(({ callId }) => callId === intent.call.id), 'the event');
  expect(store.epoch).toBe(before);
  for (const admin of [atOld, atNext]) admin!.destroy();
  await store.close();
  silencer.stop();
  for (const each of [old, next]) await each.stop();
});

it('refuses to start on a Redis that accepts connections, then says nothing', async () => {
  const silent = createServer((socket) => void socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}/0`;
  await expect(openRedisStore({ url, answerTimeoutMs: 300 })).rejects.toThrow(
    /^DIALMARK_STORE: expected a Redis at .* that can be used: Redis did not answer within 300 ms$/,
  );
  silent.close();
});

describe('two relays on one Redis', () => {
  it('publish all of each other’s events in the same order', async () => {
    const [a, b] = [await openRedisStore(redis), await openRedisStore(redis)];
    const [eventsOfA, eventsOfB]: StoredEvent[][] = [[], []];
    a.onEvents((events) => eventsOfA!.push(...events));
    b.onEvents((events) => eventsOfB!.push(...events));
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => (n % 2 ? a : b).calls.place(clientIntent('both'))),
    );
    const mine = (events: StoredEvent[]) => events.filter(({ channel }) => channel === 'both');
    await until(() => [eventsOfA!, eventsOfB!].every((events) => mine(events).length >= 100), 'the events');
    expect(eventsOfA).toEqual(eventsOfB);
    const sequence = eventsOfA!.map(({ seq }) => seq);
    expect(sequence).toEqual([...sequence].sort((x, y) => x - y));
    await a.close();
    await b.close();
  });

  it('do not take an event that arrives during a poll for a sign of a lost past', async () => {
    const [session, b] = [await RedisSession.open(redis), await openRedisStore(redis)];
    const a = redisStoreOn(session);
    const before = a.epoch;
    const head = session.head.bind(session);
    session.head = async () => {
      session.head = head;
      const answer = await head();
      const received = new Promise<void>((resolve) => a.onEvents(() => resolve()));
      await b.calls.place(clientIntent('meanwhile'));
      await received;
      return answer;
    };
    await session.poll();
    expect(a.epoch).toBe(before);
    await a.close();
    await b.close();
  });

  it('report a lost past before they return the keys that remain', async () => {
    const [a, b] = [await openRedisStore(redis), await openRedisStore(redis)];
    await a.keys.add(makeApiKey({ kind: 'agent', name: '', origins: [], callers: ['1'] }, new Date()).stored);
    for (const store of [a, b]) {
      let isReported = false;
      store.onEpoch(() => {
        isReported = true;
      });
      await empty();
      // Also where the other one made the next epoch already.
      expect([await store.keys.list(), isReported]).toEqual([[], true]);
    }
    await a.close();
    await b.close();
  });

  it('agree at once on one new epoch when both find the same loss at the same moment', async () => {
    const sessions = [await RedisSession.open(redis), await RedisSession.open(redis)];
    const [a, b] = sessions.map(redisStoreOn) as [Store, Store];
    const epochs: string[][] = [[], []];
    for (const [nth, store] of [a, b].entries()) store.onEpoch(() => void epochs[nth]!.push(store.epoch));
    const poll = () => Promise.all(sessions.map((session) => session.poll()));
    await a.calls.place(clientIntent('kept'));
    await poll();
    // As after a restart with less than there was: the epoch is known, the events are not there.
    const shrink = "redis.call('FLUSHALL') redis.call('SET', '{dialmark}:epoch', ARGV[1])";
    await command('EVAL', shrink, '0', a.epoch);
    for (let polls = 0; polls < 3; polls++) await poll();
    expect(epochs).toEqual([[b.epoch], [a.epoch]]);
    await a.close();
    await b.close();
  });

  it('start a new epoch before they reuse a number of a write that Redis lost', async () => {
    const session = await RedisSession.open(redis);
    // Nothing but the writes themselves looks at Redis here, and no event arrives.
    Reflect.apply(clearInterval, undefined, [Reflect.get(session, 'timer')]);
    const a = redisStoreOn(session);
    const before = a.epoch;
    await a.calls.place(clientIntent('kept'));
    const kept = (await a.calls.listOpen(['kept'])).head;
    const [first, second] = [clientIntent('lost'), clientIntent('lost')];
    for (const intent of [first, second]) await a.calls.place(intent);
    // As after a restart without the last second of its append-only file.
    const lose = async () => {
      const lost = ['log', 'events:lost', 'open:lost', `call:${first.call.id}`, `call:${second.call.id}`];
      const script = "redis.call('DEL', unpack(KEYS)) redis.call('SET', ARGV[1], ARGV[2])";
      const keys = lost.map((key) => `{dialmark}:${key}`);
      await command('EVAL', script, String(keys.length), ...keys, '{dialmark}:seq', String(kept));
    };
    await lose();
    const written = clientIntent('new');
    expect(await a.calls.place(written)).toEqual({ kind: 'placed' });
    expect(a.epoch).not.toBe(before);
    const fact = { kind: 'notAnswered', at: '', error: { code: 'interrupted', message: '' } } as const;
    await a.calls.apply({ callId: written.call.id, fact, now: Date.now() });
    await lose();
    const inBetween = a.epoch;
    expect(await a.calls.apply({ callId: first.call.id, fact, now: Date.now() })).toEqual({
      kind: 'unknownCall',
    });
    expect(a.epoch).not.toBe(inBetween);
    await a.close();
    await empty();
  });

  it('keep a number with one agent though their clocks are ten minutes apart', async () => {
    const behindMs = 600_000;
    const a = await openRedisStore({ ...redis, now: () => Date.now() - behindMs });
    const b = await openRedisStore(redis);
    const number = '+554833221100';
    const callee = { key: number, numbers: [number], prefixes: [], countries: [] };
    const intentOf = (caller: string, now: number) =>
      clientIntent(caller, {
        ...{ callee, now, deadline: now + 60_000 },
        lease: { caller, by: caller, team: 'sales', since: '' },
      });
    const first = intentOf('a', Date.now() - behindMs);
    expect((await a.calls.place(first)).kind).toBe('placed');
    const second = async () => (await b.calls.place(intentOf('b', Date.now()))).kind;
    const statusOf = async (store: Store, now: number) => (await store.rules.status([callee], now))[0]?.lease;
    expect(await second()).toBe('leased');
    expect((await statusOf(b, Date.now()))?.caller).toBe('a');
    const fact = { kind: 'hungUp', at: '', details: { talkSeconds: 5 } } as const;
    await a.calls.apply({ callId: first.call.id, fact, now: Date.now() - behindMs });
    expect(await second()).toBe('leased');
    expect((await statusOf(a, Date.now() - behindMs))?.caller).toBe('a');
    expect(await statusOf(a, Date.now() - behindMs + 121_000)).toBeUndefined();
    for (const store of [a, b]) await store.close();
  });

  it('leave each other’s dials alone though their clocks are ten minutes apart', async () => {
    const behindMs = 600_000;
    const a = await openRedisStore({ ...redis, now: () => Date.now() - behindMs });
    const b = await openRedisStore(redis);
    const now = Date.now() - behindMs;
    const intent = clientIntent('dials', { placedBy: 'relay', now, deadline: now + 60_000 });
    await a.calls.place(intent);
    const overdue = async (store: Store, at: number) =>
      (await store.calls.listOverdue(at, 500)).some(({ callId }) => callId === intent.call.id);
    expect(await overdue(b, Date.now())).toBe(false);
    const fact = { kind: 'accepted', at: '' } as const;
    await a.calls.apply({ callId: intent.call.id, fact, now, deadline: now + 90_000 });
    expect(await overdue(b, Date.now() + 80_000)).toBe(false);
    expect(await overdue(a, now + 95_000)).toBe(true);
    for (const store of [a, b]) await store.close();
  });

  it('deliver a notification once though their clocks are ten minutes apart', async () => {
    const behindMs = 600_000;
    const a = await openRedisStore({ ...redis, now: () => Date.now() - behindMs });
    const b = await openRedisStore(redis);
    const now = Date.now();
    const intent = clientIntent('forwards', { now: now - behindMs, deadline: now });
    await a.calls.place(intent);
    const fact = { kind: 'hungUp', at: '', details: { talkSeconds: 5 } } as const;
    const arrival = { event: 'hungUp', digest: 'd', forward: { id: 'msg_apart', body: '{}' } };
    const claim = async (store: Store, at: number) =>
      (await store.forwards.claim({ now: at, until: at + 60_000, limit: 9 })).items.map(
        ({ attempt }) => attempt,
      );
    await b.calls.apply({ callId: intent.call.id, fact, arrival, now });
    expect(await claim(a, now - behindMs + 10)).toEqual([1]);
    expect(await claim(b, now + 20)).toEqual([]);
    await a.forwards.settle('msg_apart', 1, {
      kind: 'retry',
      at: now - behindMs + 300_000,
      note: 'HTTP 500',
    });
    expect((await b.forwards.list(9)).map(({ at }) => Math.round((at - now) / 60_000))).toEqual([5]);
    expect(await claim(b, now + 299_000)).toEqual([]);
    expect(await claim(b, now + 301_000)).toEqual([2]);
    for (const store of [a, b]) await store.close();
  });

  it('count the calls of a minute where their clocks are ten minutes behind that of Redis', async () => {
    const now = Date.now() - 600_000;
    const store = await openRedisStore({ ...redis, now: () => Date.now() - 600_000 });
    const tallies = [{ bucket: 'minute/key/behind/1', max: 1, expires: now + 120_000 }];
    const place = async () =>
      (await store.calls.place(clientIntent('t', { now, deadline: now, tallies }))).kind;
    expect([await place(), await place()]).toEqual(['placed', 'limited']);
    await store.close();
  });

  it('start one new epoch, then continue, when Redis was emptied', async () => {
    const [a, b] = [await openRedisStore(redis), await openRedisStore(redis)];
    const before = a.epoch;
    const renewed = Promise.all(
      [a, b].map((store) => new Promise<void>((resolve) => store.onEpoch(resolve))),
    );
    await a.calls.place(clientIntent('gone'));
    await empty();
    await renewed;
    expect(a.epoch).not.toBe(before);
    expect(b.epoch).toBe(a.epoch);
    expect(await b.calls.place(clientIntent('again'))).toEqual({ kind: 'placed' });
    await a.close();
    await b.close();
  });
});
