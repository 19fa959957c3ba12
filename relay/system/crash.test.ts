import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCall, newCallId } from '../../shared/call/call.ts';
import { type RelayProcess, runRelayCommand, startRelayProcess } from '../../testing/relay/relay-process.ts';
import {
  announce,
  ask,
  hangup,
  newClick,
  type ReceivedFrame,
  readEvents,
} from '../../testing/relay/test-relay.ts';
import { answerTrying, type FakeProvider, startFakeProvider } from '../../testing/servers/fake-provider.ts';
import { type TemporaryFolder, temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { makeApiKey } from '../access/api-key.ts';
import { openStore } from '../store/open-store.ts';

let folder: TemporaryFolder;
let provider: FakeProvider;
const running = new Set<RelayProcess>();

beforeAll(async () => {
  folder = await temporaryFolder();
  provider = await startFakeProvider();
});
afterAll(async () => {
  for (const relay of running) await relay.stop();
  await provider.close();
  await folder.remove();
});

const environment = (file: string) => ({
  STORE: `sqlite:${folder.file(file)}`,
  PROVIDER_URL: provider.url,
  PROVIDER_TOKEN: 'service-token',
  MAX_CALLS_PER_MINUTE: '1000000',
  MAX_CALLS_PER_DESTINATION_PER_MINUTE: '1000000',
});
const start = async (file: string) => {
  const relay = await startRelayProcess(environment(file));
  running.add(relay);
  return relay;
};
const addAgent = async (file: string) => {
  const store = await openStore({ store: `sqlite:${folder.file(file)}` });
  const { key, stored } = makeApiKey(
    { kind: 'agent', name: '', origins: [], callers: ['1105'], clientCalls: true },
    new Date(),
  );
  await store.keys.add(stored);
  await store.close();
  return key;
};

describe('a relay that was stopped, as a paused machine is', () => {
  it('places only the calls whose clients still wait', async () => {
    const file = 'stopped.db';
    const agent = await addAgent(file);
    const relay = await start(file);
    provider.received.length = 0;
    provider.answer = (_call, response) => answerTrying(response);
    const { hostname, port } = new URL(relay.url);
    process.kill(relay.pid, 'SIGSTOP');
    const left = connect(Number(port), hostname);
    const body = '{"to":"4833220001"}';
    left.end(
      `POST /v1/calls HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${agent}\r\n` +
        'content-type: application/json\r\nidempotency-key: given-up\r\n' +
        `content-length: ${body.length}\r\n\r\n${body}`,
    );
    await once(left, 'finish');
    left.destroy();
    const waiting = ask(relay.url, '/v1/calls', {
      as: agent,
      body: { to: '4833220002' },
      headers: newClick(),
    });
    // Longer than a busy process is late.
    await pause(4000);
    process.kill(relay.pid, 'SIGCONT');
    expect(await waiting).toMatchObject({ status: 201 });
    const isOver = () => provider.received.length > 1 || relay.output().includes('its client gave up');
    await until(isOver, 'the end of the request given up');
    expect(provider.received.map(({ fields }) => fields.to)).toEqual(['4833220002']);
    expect((await ask(relay.url, '/v1/calls', { as: agent })).body.calls).toHaveLength(1);
  });
});

describe('a relay killed while it dials', () => {
  it.each(['before the service answers', 'while the service answers'])(
    '%s never dials again',
    async (moment) => {
      const file = `dial-${moment.length}.db`;
      const agent = await addAgent(file);
      const relay = await start(file);
      provider.received.length = 0;
      let reached: () => void = () => {};
      const atProvider = new Promise<void>((resolve) => {
        reached = resolve;
      });
      provider.answer = (_call, response) => {
        if (moment === 'while the service answers')
          response.writeHead(200, { 'content-length': 90 }).write('{"status":');
        reached();
      };
      const click = newClick();
      const body = { to: '4833224455' };
      const lost = ask(relay.url, '/v1/calls', { as: agent, body, headers: click }).catch(() => 'lost');
      await atProvider;
      await relay.stop('SIGKILL');
      expect(await lost).toBe('lost');

      provider.answer = (_call, response) => answerTrying(response);
      const next = await start(file);
      const again = await ask(next.url, '/v1/calls', { as: agent, body, headers: click });
      expect(again).toMatchObject({
        status: 201,
        body: { state: 'unknown', error: { code: 'interrupted' } },
      });
      expect(provider.received).toHaveLength(1);
      // It may have rung after all; then the notification still says how it ended.
      const returnUrl = new URL(String(provider.received[0]!.fields.returnurl));
      await ask(next.url, returnUrl.pathname, { body: hangup() });
      expect((await ask(next.url, `/v1/calls/${again.body.id}`, { as: agent })).body).toMatchObject({
        state: 'disconnected',
      });
      await next.stop('SIGTERM');
    },
  );

  it('after the journal, before the first byte, dials nothing at all', async () => {
    provider.received.length = 0;
    const file = 'journal.db';
    const agent = await addAgent(file);
    const store = await openStore({ store: `sqlite:${folder.file(file)}` });
    const now = Date.now();
    const call = newCall({
      id: newCallId(),
      from: '1105',
      to: '4833224455',
      now: new Date(now).toISOString(),
    });
    await store.calls.place({
      call,
      placedBy: 'relay',
      owner: 'x',
      idempotencyKey: 'y',
      fingerprint: 'z',
      deadline: now + 60_000,
      tallies: [],
      now,
    });
    await store.close();
    const relay = await start(file);
    expect((await ask(relay.url, `/v1/calls/${call.id}`, { as: agent })).body).toMatchObject({
      state: 'unknown',
      error: { code: 'interrupted' },
    });
    expect(provider.received).toHaveLength(0);
    await relay.stop('SIGTERM');
  });
});

describe('a relay that dials', () => {
  /** Resolves once the request is at the service, which waits for `answer` with its reply. */
  const dial = async (file: string) => {
    const agent = await addAgent(file);
    const relay = await start(file);
    let answer = () => {};
    const atProvider = new Promise<void>((resolve) => {
      provider.answer = (_call, response) => {
        answer = () => answerTrying(response);
        resolve();
      };
    });
    const placed = ask(relay.url, '/v1/calls', {
      as: agent,
      body: { to: '4833224455' },
      headers: newClick(),
    });
    await atProvider;
    return { agent, relay, placed, answer };
  };

  it.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)(
    'keeps its dial where it gets %s twice',
    async (signal) => {
      const { relay, placed, answer } = await dial(`${signal}.db`);
      const stopped = relay.stop(signal);
      await until(() => relay.output().includes('the relay is stopping'), 'the stop');
      process.kill(relay.pid, signal);
      answer();
      expect(await placed).toMatchObject({ status: 201, body: { state: 'callingCaller' } });
      expect(await stopped).toBe(0);
    },
  );

  it('keeps its dial where a second relay is started on its store', async () => {
    const file = 'second.db';
    const { agent, relay, placed, answer } = await dial(file);
    const { code, stderr } = await runRelayCommand([], {
      ...environment(file),
      LISTEN: new URL(relay.url).host,
    });
    const during = await ask(relay.url, '/v1/calls', { as: agent });
    expect(during.body.calls).toMatchObject([{ state: 'initiating' }]);
    answer();
    expect(await placed).toMatchObject({ status: 201, body: { state: 'callingCaller' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining(folder.file(file))]);
    await relay.stop('SIGTERM');
  });
});

describe('a relay killed under load, repeatedly', () => {
  it('replays every notification that it answered with 2xx, in order, once', async () => {
    const file = 'load.db';
    const agent = await addAgent(file);
    const rounds = 4;
    const callsPerRound = 150;
    let cursor: string | undefined;
    const seen: ReceivedFrame[] = [];
    const acknowledged = new Set<string>();

    for (let round = 0; round < rounds; round++) {
      const relay = await start(file);
      const reader = await readEvents(relay.url, agent, { cursor });
      const announced = await Promise.all(
        Array.from({ length: callsPerRound }, (_, index) =>
          announce(relay.url, agent, `48332${10_000 + index}`),
        ),
      );
      // Killed when a share of the notifications is answered and the others are anywhere between socket and disk.
      let answers = 0;
      const share = Math.floor(callsPerRound * (0.2 + 0.6 * Math.random()));
      await Promise.allSettled(
        announced.map(async ({ call, path }) => {
          const { status } = await ask(relay.url, path, { body: hangup() });
          if (status === 200) acknowledged.add(call.id);
          if (++answers === share) await relay.stop('SIGKILL');
        }),
      );
      await relay.stop('SIGKILL');
      await reader.ended;
      seen.push(...reader.frames);
      cursor = reader.frames.at(-1)?.id ?? cursor;
    }

    const relay = await start(file);
    const reader = await readEvents(relay.url, agent, { cursor });
    // One more event marks the end of the replay.
    const last = await announce(relay.url, agent, '99');
    while (!reader.frames.some(({ call }) => call.id === last.call.id))
      await reader.until(reader.frames.length + 1);
    seen.push(...reader.frames);
    reader.close();
    await relay.stop('SIGTERM');

    expect(acknowledged.size).toBeGreaterThan(rounds * callsPerRound * 0.15);
    const ends = seen.filter(({ call }) => call.state === 'disconnected').map(({ call }) => call.id);
    for (const id of acknowledged) expect(ends).toContain(id);
    expect(new Set(ends).size).toBe(ends.length);
    const sequence = seen.map(({ id }) => Number(id!.split('-')[1]));
    expect(sequence).toEqual([...sequence].sort((a, b) => a - b));
    expect(new Set(sequence).size).toBe(sequence.length);
  });
});
