/** What a running relay does while its store is locked, damaged, replaced or out of memory, or its clock jumps. */
import { copyFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RelayProcess, runRelayCommand, startRelayProcess } from '../../testing/relay/relay-process.ts';
import { type Announced, announce, ask, hangup, newClick } from '../../testing/relay/test-relay.ts';
import { type RedisServer, startRedis } from '../../testing/servers/redis-server.ts';
import { withSettableClock } from '../../testing/servers/settable-clock.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';

const unwritable = { status: 507, body: { code: 'storeUnwritable' } };
const secret = 's'.repeat(40);

let folder: TemporaryFolder;
let relay: RelayProcess;
let agent: string;

const file = () => folder.file('relay.db');
async function start(environment: Record<string, string>): Promise<void> {
  const add = ['key', 'add', '--from', '1105', '--client-calls', '--create'];
  agent = (await runRelayCommand(add, environment)).stdout.trim();
  relay = await startRelayProcess(environment);
}
const place = () =>
  ask(relay.url, '/v1/calls', {
    as: agent,
    body: { to: '4833224455', placedBy: 'client' },
    headers: newClick(),
  });
const notify = ({ path }: Announced) => ask(relay.url, path, { body: hangup() });
const stateOf = async ({ call }: Announced) =>
  (await ask(relay.url, `/v1/calls/${call.id}`, { as: agent })).body.state;
/** @returns how long the answer took, in milliseconds. */
const askHealth = async () => {
  const start = performance.now();
  expect((await ask(relay.url, '/healthz')).status).toBe(200);
  return performance.now() - start;
};

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await relay.stop();
  await folder.remove();
});

describe('a relay on SQLite', () => {
  beforeEach(() => start({ STORE: `sqlite:${file()}` }));

  it('waits in its thread while another program locks the store for ten seconds', {
    timeout: 60_000,
  }, async () => {
    const announced = await announce(relay.url, agent);
    const other = new DatabaseSync(file());
    other.exec('BEGIN IMMEDIATE');
    const notified = notify(announced);
    const placed = place();
    const lockedAt = performance.now();
    const times: number[] = [];
    await until(async () => {
      times.push(await askHealth());
      return performance.now() - lockedAt > 10_000;
    }, 'the end of the lock');
    expect(Math.max(...times)).toBeLessThan(2000);
    other.exec('ROLLBACK');
    other.close();
    expect([(await notified).status, (await placed).status]).toEqual([200, 201]);
    expect(await stateOf(announced)).toBe('disconnected');
  });

  it('acknowledges nothing once its store was replaced', async () => {
    const announced = await announce(relay.url, agent);
    await copyFile(file(), `${file()}.copy`);
    await rename(`${file()}.copy`, file());
    expect(await notify(announced)).toMatchObject(unwritable);
    expect(await place()).toMatchObject(unwritable);
    expect((await ask(relay.url, '/readyz')).status).toBe(503);
    expect(relay.output()).toContain('was replaced or deleted while the relay ran');
    await askHealth();
  });

  it('acknowledges nothing once its store was deleted', async () => {
    const announced = await announce(relay.url, agent);
    for (const end of ['', '-wal', '-shm']) await rm(file() + end, { force: true });
    expect(await notify(announced)).toMatchObject(unwritable);
    await askHealth();
  });

  it('goes on when its store is corrupted', async () => {
    const announced = await announce(relay.url, agent);
    await writeFile(file(), 'x'.repeat(64 * 1024));
    await rm(`${file()}-wal`, { force: true });
    for (let tries = 0; tries < 3; tries++) {
      expect([200, 507]).toContain((await notify(announced)).status);
      expect([201, 507]).toContain((await place()).status);
      await askHealth();
    }
  });

  it('does not start on a corrupted store, which it names', async () => {
    await relay.stop();
    await writeFile(file(), 'x'.repeat(5000));
    for (const end of ['-wal', '-shm']) await rm(file() + end, { force: true });
    const { code, stderr } = await relay.run();
    expect([code, stderr]).toEqual([1, expect.stringContaining(file())]);
  });

  it('has one lock with one secret however its store is reached', async () => {
    await symlink(file(), folder.file('link.db'));
    const { code, stderr } = await runRelayCommand([], { STORE: `sqlite:${folder.file('link.db')}` });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('expected a store that no other process serves'),
    ]);
    const { path } = await announce(relay.url, agent);
    await relay.stop();
    relay = await startRelayProcess({ STORE: `sqlite:${folder.file('link.db')}` });
    expect((await ask(relay.url, path, { body: hangup() })).status).toBe(200);
  });
});

it.each([
  ['forward', 'SIGUSR2'],
  ['back', 'SIGIO'],
] as const)('a relay keeps its calls when the clock is set %s by a day', async (_, signal) => {
  await withSettableClock(() => start({ STORE: `sqlite:${file()}` }));
  const announced = await announce(relay.url, agent);
  const ended = await announce(relay.url, agent);
  expect((await notify(ended)).status).toBe(200);
  process.kill(relay.pid, signal);
  expect((await notify(announced)).status).toBe(200);
  expect([await stateOf(announced), await stateOf(ended)]).toEqual(['disconnected', 'disconnected']);
  expect((await place()).status).toBe(201);
  expect((await ask(relay.url, '/readyz')).status).toBe(200);
  await askHealth();
});

describe('a relay on Redis', () => {
  let redis: RedisServer;
  const command = async (...words: string[]) => {
    const { createClient } = await import('redis');
    const admin = await createClient({ url: redis.url }).connect();
    await admin.sendCommand(words);
    admin.destroy();
  };
  const environment = () => ({ STORE: redis.url, SECRET: secret });
  beforeEach(async () => {
    redis = await startRedis(true);
  });
  afterEach(() => redis.stop());

  it('answers 507 while Redis is out of memory, then goes on by itself', async () => {
    await start(environment());
    const announced = await announce(relay.url, agent);
    await command('CONFIG', 'SET', 'maxmemory', '1');
    expect(await notify(announced)).toMatchObject(unwritable);
    expect(await place()).toMatchObject(unwritable);
    expect((await ask(relay.url, '/readyz')).status).toBe(503);
    await askHealth();
    await command('CONFIG', 'SET', 'maxmemory', '0');
    expect((await notify(announced)).status).toBe(200);
    expect((await place()).status).toBe(201);
  });

  it('goes on while Redis evicts its keys', async () => {
    await start(environment());
    const announced = await announce(relay.url, agent);
    await command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random');
    await command('CONFIG', 'SET', 'maxmemory', '1');
    for (let tries = 0; tries < 5; tries++) {
      expect([200, 404, 507, 503]).toContain((await notify(announced)).status);
      expect([201, 507, 503]).toContain((await place()).status);
      await askHealth();
    }
    await command('CONFIG', 'SET', 'maxmemory', '0');
    await until(async () => (await place()).status === 201, 'a call after the eviction');
  });

  it.each([
    ['appendfsync', 'everysec', 'appendfsync everysec'],
    ['appendonly', 'no', 'no append-only file'],
    ['maxmemory-policy', 'allkeys-lru', 'maxmemory-policy allkeys-lru'],
  ])('names %s %s at its start, as check does', async (name, value, named) => {
    await command('CONFIG', 'SET', name, value);
    await start(environment());
    await until(() => relay.output().includes(named), 'the warning');
    expect((await relay.run('check')).stdout).toMatch(new RegExp(`FAIL store .*${named}`));
  });

  it('has no doubt of a Redis that syncs every write', async () => {
    await start(environment());
    expect((await relay.run('check')).stdout).toMatch(/ok {2} store redis/);
    expect(relay.output()).not.toMatch(/append|maxmemory/);
  });
});
